"""Two histories of one branch: how far they are apart, and the files in which they differ."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pygit2
from pygit2.enums import FileMode, FilterMode

from mnemos_files.errors import RefusedError, UnavailableError
from mnemos_files.history import opening
from mnemos_files.history.attributes import Attributes
from mnemos_files.history.drivers import set_up
from mnemos_files.history.layout import Layout, layout_of
from mnemos_files.history.process import Git
from mnemos_files.history.refs import head_commit
from mnemos_files.history.remote import Remote, upstream_of
from mnemos_files.history.trees import Blob, changed_tree
from mnemos_files.history.values import NoHistory

_REGULAR = (FileMode.BLOB, FileMode.BLOB_EXECUTABLE)
_BASES_MAX = 8
"""Merge bases [1] that are looked at: each round of two branches that cross makes two."""


@dataclass(frozen=True, slots=True)
class ThreeWay:
    """A file that is not the same in all three trees; None = no file there.

    `path` is that in the repository.
    """

    path: str
    base: Blob | None
    ours: Blob | None
    theirs: Blob | None

    @property
    def is_regular(self) -> bool:
        """True when each version is an ordinary file: no symbolic link and no submodule."""
        versions = (self.base, self.ours, self.theirs)
        return all(each is None or each.mode in _REGULAR for each in versions)


Content = Callable[[str, bytes | None, bytes | None, bytes | None], bytes | None]
"""One file merged: its path in the repository, base, ours, theirs."""


class Merging:
    """Compares commits of one repository, seen from one vault. Not thread-safe."""

    def __init__(self, repo: pygit2.Repository, layout: Layout) -> None:
        self._repo = repo
        self.layout = layout
        self._git = Git(layout.git_dir, layout.workdir)
        self._attributes = Attributes(repo, self._git)

    @classmethod
    def open(cls, root: Path) -> "Merging":
        """That of the repository around a vault.

        Raises:
            UnavailableError: there is none to use.
        """
        git_dir = opening.find(root.resolve())
        repo = opening.open_repository(git_dir, root.resolve()) if git_dir else NoHistory()
        layout = None if isinstance(repo, NoHistory) else layout_of(repo, root)
        if isinstance(repo, NoHistory) or layout is None:
            why = repo.reason if isinstance(repo, NoHistory) else ""
            raise UnavailableError(
                why or f"{root} lies in no git repository", remedy="Run `git init` there."
            )
        return cls(repo, layout)

    def head(self) -> str:
        """Id of the commit that the current branch names, "" when it has none."""
        return head_commit(self._repo)

    def remote(self, name: str, branch: str) -> Remote:
        """Where the current branch is exchanged; "" takes what git is set up for.

        Raises:
            RefusedError: HEAD is on no branch, or there is no remote to choose.
            InvalidQueryError: the remote or branch named cannot be.
        """
        return Remote(self._repo, self.layout, upstream_of(self._repo, name, branch))

    def set_up_driver(self, command: str) -> bool:
        """Let git merge notes in this clone with a command; true when that is new.

        Raises:
            UnavailableError: git's settings cannot be written.
        """
        return set_up(self._repo, self.layout, command)

    def check_inside(self, old: str, new: str) -> None:
        """Let pass when two commits differ in files of the vault only.

        Raises:
            RefusedError: other files of the repository differ too.
        """
        paths = [path for path in self.changed(old, new) if self.layout.in_vault(path) is None]
        if paths:
            message = f"your branch has changes outside of the vault too: {paths[0]}"
            remedy = "Push it with `git push`; `mnemos-files sync` sends nothing but memory."
            raise RefusedError("outside", message, remedy=remedy)

    def has(self, commit: str, other: str) -> bool:
        """True when a commit is the other one or comes after it."""
        if commit == other or not other:
            return True
        return bool(commit) and self._repo.descendant_of(commit, other)

    def apart(self, ours: str, theirs: str) -> tuple[int, int]:
        """Commits that only we have, and those that only they have; "" has none."""
        if not ours or not theirs:
            return self._count(ours), self._count(theirs)
        return self._repo.ahead_behind(ours, theirs)

    def is_related(self, ours: str, theirs: str) -> bool:
        """True when both come from one first commit."""
        return bool(self._bases(ours, theirs))

    def differing(self, ours: str, theirs: str, merge: Content) -> list[ThreeWay]:
        """The files that one of the sides changed since they parted.

        Where branches crossed there is no single point of parting: the last common commits are
        merged first, as `git merge` does, with `merge` for the files that both changed.
        """
        base = self._base(ours, theirs, merge)
        trees = (self._tree(ours), self._tree(theirs))
        return list(_walk("", (base, *trees)))

    def changed(self, old: str, new: str) -> list[str]:
        """Paths in the repository of the files that differ between two commits, "" = no files."""
        before = None if not old else self._tree(old)
        return [each.path for each in _walk("", (before, before, self._tree(new)))]

    def read(self, blob: Blob | None, path: str) -> bytes | None:
        """A file's bytes as git would write them to this path of the work tree."""
        if blob is None:
            return None
        data = self._repo[blob.id].peel(pygit2.Blob).data
        if b"\n" not in data or b"\0" in data:
            return data
        filters = self._repo.load_filter_list(path, FilterMode.SMUDGE)
        return data if filters is None else filters.apply_to_buffer(data)

    def needs_program(self, path: str) -> str:
        """The program or encoding that only git can apply to a file, "" for most."""
        return self._attributes.conversion(path)

    def write(self, path: str, data: bytes) -> pygit2.Oid:
        """Store the blob that git would make of these bytes."""
        return self._attributes.write_blob(self._repo, path, data)

    def _count(self, commit: str) -> int:
        return sum(1 for _ in self._repo.walk(commit)) if commit else 0

    def _tree(self, commit: str) -> pygit2.Tree:
        return self._repo[commit].peel(pygit2.Commit).tree

    def _base(self, ours: str, theirs: str, merge: Content) -> pygit2.Tree | None:
        bases = self._bases(ours, theirs)
        if not bases:
            return None
        tree = self._tree(bases[0])
        for other in bases[1:_BASES_MAX]:
            above = self._bases(bases[0], other)
            old = self._tree(above[0]) if above else None
            tree = self._merged((old, tree, self._tree(other)), merge)
        return tree

    def _bases(self, ours: str, theirs: str) -> list[str]:
        """Every last common commit; libgit2 would give only one of them."""
        return self._git.run("merge-base", "--all", ours, theirs).output.decode("ascii").split()

    def _merged(
        self, trees: tuple[pygit2.Tree | None, pygit2.Tree, pygit2.Tree], merge: Content
    ) -> pygit2.Tree:
        edits: dict[str, Blob | None] = {}
        for one in _walk("", trees):
            if one.theirs in (one.base, one.ours):
                continue
            edits[one.path] = one.theirs
            if one.ours != one.base and one.is_regular:
                base, ours, theirs = (
                    self.read(each, one.path) for each in (one.base, one.ours, one.theirs)
                )
                data = merge(one.path, base, ours, theirs)
                mode = FileMode.BLOB if one.ours is None else one.ours.mode
                edits[one.path] = None if data is None else Blob(self.write(one.path, data), mode)
        made = changed_tree(self._repo, trees[1], edits)
        return self._repo[made].peel(pygit2.Tree)


Trees = tuple[pygit2.Tree | None, pygit2.Tree | None, pygit2.Tree | None]


def _walk(above: str, trees: Trees) -> Iterator[ThreeWay]:
    tables = [{} if tree is None else {_name(entry): entry for entry in tree} for tree in trees]
    for name in sorted(set().union(*tables)):
        base, ours, theirs = (table.get(name) for table in tables)
        if _same(base, ours) and _same(base, theirs):
            continue
        path = above + name
        if any(isinstance(each, pygit2.Tree) for each in (base, ours, theirs)):
            yield from _walk(f"{path}/", (_folder(base), _folder(ours), _folder(theirs)))
        files = [_file(each) for each in (base, ours, theirs)]
        if any(files):
            yield ThreeWay(path, *files)


def _same(one: pygit2.Object | None, other: pygit2.Object | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.id == other.id and one.filemode == other.filemode


def _folder(entry: pygit2.Object | None) -> pygit2.Tree | None:
    return entry if isinstance(entry, pygit2.Tree) else None


def _file(entry: pygit2.Object | None) -> Blob | None:
    if entry is None or isinstance(entry, pygit2.Tree):
        return None
    return Blob(entry.id, entry.filemode)


def _name(entry: pygit2.Object) -> str:
    return os.fsdecode(entry.raw_name or b"")
