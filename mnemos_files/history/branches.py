"""The branches of a vault's repository: which one is main, and what the others propose to it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pygit2

from mnemos_files.errors import NotFoundError, RefusedError
from mnemos_files.history import opening
from mnemos_files.history.differing import Sides
from mnemos_files.history.identity import person
from mnemos_files.history.joining import Joiner
from mnemos_files.history.layout import Layout, layout_of
from mnemos_files.history.message import parse_message
from mnemos_files.history.refs import Branch, current_branch
from mnemos_files.history.trees import Blob, changed_files, find_blob, tree_of
from mnemos_files.history.values import NoHistory, Revision
from mnemos_files.history.worktrees import HEADS, Linked, Worktree, linked, make_branch, move_branch

PROPOSALS = "memory/"
"""What the names of branches with proposals begin with."""

_ORIGIN_HEAD = "refs/remotes/origin/HEAD"
_ORIGIN = "refs/remotes/origin/"
_USUAL = ("main", "master")


@dataclass(frozen=True, slots=True)
class Proposed:
    """A file of the vault that a branch has otherwise than main. Blob ids, "" = no such file.

    `base` is the version of main that the branch's one was made from, `commits` those that made
    it, newest first. `is_conflicting`: main changed as well, and the two could not be made one.
    """

    path: PurePosixPath
    base: str
    proposed: str
    main: str
    commits: tuple[Revision, ...]
    is_conflicting: bool


class Branches:
    """The branches of one repository, seen from one vault. Not thread-safe; asks the disk anew."""

    def __init__(self, repo: pygit2.Repository, layout: Layout) -> None:
        self._repo = repo
        self.layout = layout
        self.joiner = Joiner(repo, layout)

    @classmethod
    def open(cls, root: Path) -> "Branches | NoHistory":
        """Those of the repository around a folder, or why there are none to use."""
        git_dir = opening.find(root.resolve())
        if not git_dir:
            return NoHistory()
        repo = opening.open_repository(git_dir, root.resolve())
        if isinstance(repo, NoHistory):
            return repo
        layout = layout_of(repo, root)
        if layout is None:
            return NoHistory(f"the vault lies outside of the files of {git_dir}", exists=True)
        return cls(repo, layout)

    def main(self, wanted: str) -> Branch:
        """The branch that proposals are made to, by its short name; its commit may be "" (unborn).

        It is the wanted one, else the default of `origin`, `main`, `master`, or the current one.
        """
        for name in (wanted, self._default_of_origin(), *_USUAL):
            if name and self.tip(name):
                return Branch(name, self.tip(name))
        name = wanted or self.current() or _USUAL[0]
        return Branch(name, self.tip(name))

    def current(self) -> str:
        """Short name of the branch that is checked out in the vault's folder, "" when none is."""
        try:
            return current_branch(self._repo).name.removeprefix(HEADS)
        except RefusedError:
            return ""

    def tip(self, name: str) -> str:
        """Id of the commit that a branch names, "" when there is no such branch."""
        try:
            return str(self._repo.lookup_reference(HEADS + name).peel(pygit2.Commit).id)
        except (KeyError, ValueError, pygit2.GitError):
            return ""

    def of_agent(self, slug: str = "") -> list[str]:
        """Short names of branches with proposals, of one agent or of all."""
        start = f"{PROPOSALS}{slug}/" if slug else PROPOSALS
        return sorted(name for name in self._repo.branches.local if name.startswith(start))

    def is_on_origin(self, name: str) -> bool:
        """True when `origin` has a branch of this name, as far as was fetched or pushed."""
        return self._repo.references.get(_ORIGIN + name) is not None

    def person(self) -> str:
        """Name and address of the person, as they stand in commits."""
        name, address = person(self._repo)
        return f"{name} <{address}>"

    def linked(self) -> list[Linked]:
        """The linked work trees of the repository."""
        return list(linked(self.layout.common_dir))

    def worktree(self, name: str, folder: Path) -> Worktree:
        """Our own work tree of this name, there or not."""
        return Worktree(self.layout.common_dir, name, folder, self.layout.prefix)

    def make(self, name: str, commit: str) -> None:
        """Make a branch at a commit; an unborn one needs nothing.

        Raises:
            UnavailableError: its name is taken, or is a folder of other names.
        """
        make_branch(self.layout.common_dir, Branch(name, commit))

    def move(self, branch: Branch, to: str) -> bool:
        """Move a branch on which no work tree stands; False when it is no longer what it was.

        Raises:
            UnavailableError: another program holds a lock for too long.
        """
        return move_branch(self.layout, branch, to)

    def delete(self, name: str) -> None:
        """Delete a branch unless some work tree stands on it."""
        try:
            self._repo.branches.local.delete(name)
        except (KeyError, pygit2.GitError):
            return

    def is_ahead(self, branch: str, main: str) -> bool:
        """True when a commit has what main has, and perhaps more."""
        if not main or branch == main:
            return True
        return bool(branch) and self._repo.descendant_of(branch, main)

    def sides(self, main: str, branch: str) -> Sides:
        """Two commits ("" = none), compared."""
        return Sides(self._repo, main, branch)

    def proposed(self, sides: Sides) -> list[Proposed]:
        """Notes of the vault that the branch proposes to change, by path."""
        return [
            Proposed(
                PurePosixPath(inside),
                _id(one.base),
                _id(one.proposed),
                _id(one.main),
                self._commits(sides, one.path),
                one.path in sides.conflicts,
            )
            for one in sides.differing
            if (inside := self.layout.in_vault(one.path)) and _is_note(inside)
        ]

    def others(self, sides: Sides, below: str) -> dict[PurePosixPath, bytes]:
        """Files below a folder of the vault that the branch has otherwise; none that are gone."""
        found = {}
        for one in sides.differing:
            inside = self.layout.in_vault(one.path) or ""
            if inside.startswith(f"{below}/") and one.proposed is not None:
                found[PurePosixPath(inside)] = self.read(_id(one.proposed))
        return found

    def read(self, blob: str) -> bytes:
        """The bytes of a blob as git keeps them, none for "".

        Raises:
            NotFoundError: there is no such blob.
        """
        found = self._repo.get(blob) if blob else None
        if blob and not isinstance(found, pygit2.Blob):
            raise NotFoundError(blob)
        return found.data if isinstance(found, pygit2.Blob) else b""

    def changed(self, old: str, new: str) -> Mapping[str, tuple[str, str]]:
        """Old and new blob ids of the files in which two commits differ, by path in the repository.

        Raises:
            KeyError: a commit is not there any more.
        """
        found = changed_files(tree_of(self._repo, old), tree_of(self._repo, new))
        return {path: (_id(was), _id(now)) for path, was, now in found}

    def blob_at(self, commit: str, path: PurePosixPath) -> str:
        """Blob id of a file of the vault in a commit, "" when it has none."""
        inside = self.layout.in_repository(path)
        return _id(find_blob(tree_of(self._repo, commit), inside))

    def _commits(self, sides: Sides, path: str) -> tuple[Revision, ...]:
        steps = [step for step in sides.steps if path in step.paths and not step.is_merge]
        return tuple(_revision(step.commit) for step in steps)

    def _default_of_origin(self) -> str:
        found = self._repo.references.get(_ORIGIN_HEAD)
        target = b"" if found is None else found.raw_target
        name = os.fsdecode(target) if isinstance(target, bytes) else ""
        return name.removeprefix(_ORIGIN) if name.startswith(_ORIGIN) else ""


def _id(blob: Blob | None) -> str:
    return "" if blob is None else str(blob.id)


def _is_note(path: str) -> bool:
    return path.lower().endswith(".md") and not any(p.startswith(".") for p in path.split("/"))


def _revision(commit: pygit2.Commit) -> Revision:
    subject, body, trailers = parse_message(commit.message)
    author = commit.author
    when = datetime.fromtimestamp(author.time, UTC)
    return Revision(str(commit.id), author.name, author.email, when, subject, body, trailers, ())
