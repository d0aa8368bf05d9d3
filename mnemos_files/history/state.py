"""Whether a commit may be made now."""

from pathlib import Path

import pygit2
from pygit2.enums import RepositoryState

from mnemos_files.history import purge_debt

_OPERATIONS = {
    RepositoryState.MERGE: ("a merge", "git merge --abort"),
    RepositoryState.REVERT: ("a revert", "git revert --abort"),
    RepositoryState.REVERT_SEQUENCE: ("a revert", "git revert --abort"),
    RepositoryState.CHERRYPICK: ("a cherry-pick", "git cherry-pick --abort"),
    RepositoryState.CHERRYPICK_SEQUENCE: ("a cherry-pick", "git cherry-pick --abort"),
    RepositoryState.BISECT: ("a bisect", "git bisect reset"),
    RepositoryState.REBASE: ("a rebase", "git rebase --abort"),
    RepositoryState.REBASE_INTERACTIVE: ("a rebase", "git rebase --abort"),
    RepositoryState.REBASE_MERGE: ("a rebase", "git rebase --abort"),
    RepositoryState.APPLY_MAILBOX: ("applying patches (git am)", "git am --abort"),
    RepositoryState.APPLY_MAILBOX_OR_REBASE: ("a rebase or git am", "git rebase --abort"),
}


def blocked(repo: pygit2.Repository) -> str:
    """Why no commit may be made now and what to do, in one sentence; "" when one may."""
    if purge_debt.place(Path(repo.path)).exists():
        return purge_debt.NOTICE
    state = repo.state()
    if state == RepositoryState.MERGE and _is_untouched(repo):
        return (
            "a merge is in progress that has merged nothing, as when git finds its index locked: a "
            "commit now would drop the other side. End it with `git merge --abort`, pull again"
        )
    if state in _OPERATIONS:
        name, ending = _OPERATIONS[state]
        return f"{name} is in progress: finish it, or end it with `{ending}`, then write again"
    if repo.head_is_detached:
        return "HEAD is detached: switch to a branch (`git switch <branch>`), then write again"
    return ""


def _is_untouched(repo: pygit2.Repository) -> bool:
    """True when git's index is that of the current commit, as if no merge had been made."""
    try:
        repo.index.read(force=False)
        is_same = next(iter(repo.diff("HEAD", cached=True).deltas), None) is None
    except (pygit2.GitError, KeyError):  # an index of a kind that libgit2 cannot read
        return False
    return is_same and repo.index.conflicts is None
