"""Whether a commit may be made now."""

import pygit2
from pygit2.enums import RepositoryState

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
    state = repo.state()
    if state in _OPERATIONS:
        name, ending = _OPERATIONS[state]
        return f"{name} is in progress: finish it, or end it with `{ending}`, then write again"
    if repo.head_is_detached:
        return "HEAD is detached: switch to a branch (`git switch <branch>`), then write again"
    return ""
