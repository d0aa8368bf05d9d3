"""What a person calls a change: a range, a branch, a commit, the git index, the work tree."""

from dataclasses import dataclass
from typing import Literal

import pygit2

from mnemos_files.errors import InvalidQueryError, UnavailableError
from mnemos_files.history.refs import head_commit

End = Literal["commit", "index", "files"]
"""Where the new side of a change lies: in a commit, in git's index, in the files of the vault."""

MAIN_BRANCHES = ("refs/remotes/origin/HEAD", "main", "master", "origin/main", "origin/master")
"""What a branch is compared with, in this order, when it is the one that is checked out."""

_NAME_LENGTH = 256
_DEEPEN = (
    "Fetch the whole history: `fetch-depth: 0` of actions/checkout, GIT_DEPTH: 0 in GitLab, or "
    "`git fetch --unshallow`."
)


@dataclass(frozen=True, slots=True)
class Span:
    """A change from a commit ("" = nothing) to another one, to the git index or to the files.

    `head` is the id of the new commit; for the index and the files the current commit, which they
    come after. `label` is how to name the change to a person.
    """

    base: str
    head: str
    end: End
    label: str


def uncommitted(repo: pygit2.Repository, end: End) -> Span:
    """What the git index or the files have that the current commit has not."""
    head = head_commit(repo)
    what = "staged changes" if end == "index" else "uncommitted changes"
    return Span(head, head, end, what)


def span(repo: pygit2.Repository, text: str) -> Span:
    """The change that a text names: `A..B`, `A...B`, a branch, or one commit.

    `A...B`, and a branch, begin where both histories parted; without B it is HEAD. The text never
    reaches a command line.

    Raises:
        InvalidQueryError: a name is not that of a commit, or there is nothing to compare with.
        UnavailableError: the clone is too shallow to tell.
    """
    left, dots, right = _parted(text)
    if dots == "...":
        return _since_parting(repo, _commit(repo, left), _commit(repo, right), text)
    if dots:
        base, head = _commit(repo, left), _commit(repo, right)
        _check_depth(repo, base, head)
        return Span(base, head, "commit", text)
    if _is_branch(repo, text):
        head = _commit(repo, text)
        return _since_parting(repo, _compared_with(repo, text, head), head, text)
    return _single(repo, _commit(repo, text), text)


def _parted(text: str) -> tuple[str, str, str]:
    """Both ends and the dots between them; a last end that is left out is HEAD.

    Git takes a first end that is left out for HEAD too. In a workflow that is a variable which is
    not set, and the answer would be that nothing was found.
    """
    for dots in ("...", ".."):
        left, found, right = text.partition(dots)
        if found:
            return left, dots, right or "HEAD"
    return text, "", ""


def _commit(repo: pygit2.Repository, text: str) -> str:
    found = _resolved(repo, text)
    if found:
        return found
    remedy = "Use HEAD, HEAD~1, a branch, a tag, an id, or two of them as A..B or A...B."
    if repo.is_shallow:
        remedy = f"This clone is shallow. {_DEEPEN}"
    shown = text[:_NAME_LENGTH]
    raise InvalidQueryError("range", f"{shown!r} names no commit", remedy=remedy)


def _resolved(repo: pygit2.Repository, text: str) -> str:
    if len(text) > _NAME_LENGTH or not text.isprintable():
        return ""
    try:
        return str(repo.revparse_single(text).peel(pygit2.Commit).id)
    except (pygit2.GitError, KeyError, ValueError):
        return ""


def _is_branch(repo: pygit2.Repository, text: str) -> bool:
    names = (f"refs/heads/{text}", f"refs/remotes/{text}", text if text[:5] == "refs/" else "")
    return any(name in repo.references for name in names if _is_name(name))


def _is_name(name: str) -> bool:
    return bool(name) and name.isprintable() and pygit2.reference_is_valid_name(name)


def _compared_with(repo: pygit2.Repository, branch: str, head: str) -> str:
    """The commit that a branch is compared with: the current one, else that of a main branch."""
    own = {f"refs/heads/{branch}", f"refs/remotes/{branch}"}
    current = "" if repo.head_is_unborn or repo.head.name in own else head_commit(repo)
    others = (_resolved(repo, name) for name in MAIN_BRANCHES if name != branch)
    for other in (current, *others):
        if other and other != head:
            return other
    raise InvalidQueryError(
        "range",
        f"there is no other branch to compare {branch!r} with",
        remedy="Name both ends, for example HEAD~5..HEAD.",
    )


def _since_parting(repo: pygit2.Repository, one: str, other: str, label: str) -> Span:
    return Span(_merge_base(repo, one, other), other, "commit", label)


def _single(repo: pygit2.Repository, commit: str, label: str) -> Span:
    """One commit against its first parent; a first commit against nothing."""
    made = repo[commit].peel(pygit2.Commit)
    if made.parent_ids:
        return Span(str(made.parent_ids[0]), commit, "commit", label)
    # At the edge of a shallow clone libgit2 takes the parents away; the object still names them.
    if b"\nparent " in made.read_raw().partition(b"\n\n")[0]:
        raise _too_shallow()
    return Span("", commit, "commit", label)


def _check_depth(repo: pygit2.Repository, one: str, other: str) -> None:
    """In a shallow clone, without where two commits parted their commits cannot be told apart."""
    if repo.is_shallow:
        _merge_base(repo, one, other)


def _merge_base(repo: pygit2.Repository, one: str, other: str) -> str:
    try:
        found = repo.merge_base(one, other)
    except (pygit2.GitError, KeyError, ValueError):
        found = None  # a commit on the way is not in this clone
    if found is not None:
        return str(found)
    if repo.is_shallow:
        raise _too_shallow()
    raise InvalidQueryError(
        "range", "both ends have no commit in common", remedy="Compare them with A..B."
    )


def _too_shallow() -> UnavailableError:
    message = "this clone is shallow, and the commit to compare with is not in it"
    return UnavailableError(message, remedy=_DEEPEN)
