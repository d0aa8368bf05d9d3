"""Which files of the vault a change touches, what they held and what they hold. Only reads."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

from mnemos_files.errors import UnavailableError
from mnemos_files.history import opening, spans, trees
from mnemos_files.history.layout import Layout, layout_of
from mnemos_files.history.message import parse_message
from mnemos_files.history.spans import Span
from mnemos_files.history.trail import Made
from mnemos_files.history.values import NoHistory, Revision
from mnemos_files.history.walking import between

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""Id of the tree without entries; git and libgit2 know it without an object on disk."""

_SUFFIX = ".md"
_NO_BLOB = "0" * 40


@dataclass(frozen=True, slots=True)
class Blob:
    """A file on one side of a change: git's name of its bytes, and whether it is a link.

    `id` is "" for a file that only the disk has.
    """

    id: str
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class Delta:
    """A file of the vault that differs; None = it is not there."""

    path: str
    before: Blob | None
    after: Blob | None


class Comparing:
    """Compares two states of one vault. Writes nothing, starts no program."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @classmethod
    def open(cls, root: Path) -> "Comparing":
        """The means to compare states of the vault in this folder.

        Raises:
            UnavailableError: it lies in no repository that can be opened.
        """
        git_dir = opening.find(root.resolve())
        repo = opening.open_repository(git_dir, root.resolve()) if git_dir else NoHistory()
        if isinstance(repo, NoHistory):
            reason = repo.reason or "the vault lies in no git repository"
            raise UnavailableError(reason, remedy="Review a vault that is kept in git.")
        layout = layout_of(repo, root)
        if layout is None:
            raise UnavailableError(f"the vault lies outside of the files of {git_dir}")
        return cls(layout)

    @property
    def prefix(self) -> str:
        """Way from the root of the work tree to the vault, "" when they are the same."""
        return self._layout.prefix

    def span(self, text: str) -> Span:
        """The change that a text names; see `spans.span`.

        Raises:
            InvalidQueryError: a name is not that of a commit, or there is nothing to compare with.
            UnavailableError: the clone is too shallow to tell.
        """
        return spans.span(self._repo(), text)

    def uncommitted(self, *, staged: bool) -> Span:
        """What the git index, or the files, have that the current commit has not."""
        return spans.uncommitted(self._repo(), "index" if staged else "files")

    def deltas(self, span: Span, index_file: Path | None = None) -> list[Delta]:
        """The files of the vault that differ, by path.

        `index_file` is the git index to read where it is not the repository's own, as while
        `git commit` runs its hooks.

        Raises:
            UnavailableError: an object or the git index cannot be read.
        """
        repo = self._repo()
        with _readable():
            if span.end == "files":
                found = self._of_files(repo, span.base)
            elif span.end == "index":
                found = self._of_diff(_tree(repo, span.base).diff_to_index(self._index(index_file)))
            else:
                old, new = _tree(repo, span.base), _tree(repo, span.head)
                found = self._of_diff(old.diff_to_tree(new))
            return sorted(found, key=lambda delta: delta.path)

    def notes(self, span: Span, index_file: Path | None = None) -> dict[str, str] | None:
        """Blob ids of all markdown files on the new side by path; None for the files on disk.

        Raises:
            UnavailableError: an object or the git index cannot be read.
        """
        if span.end == "files":
            return None
        repo = self._repo()
        with _readable():
            if span.end == "index":
                return dict(self._in_index(self._index(index_file)))
            return trees.notes(trees.find_folder(_tree(repo, span.head), self._layout.prefix))

    def revisions(self, span: Span) -> list[Revision]:
        """The commits of the change, newest first, with the notes that each changed.

        None for what is not committed. Of a merge the notes are those that it changed itself.

        Raises:
            UnavailableError: an object cannot be read.
        """
        if span.end != "commit":
            return []
        repo = self._repo()
        with _readable():
            made = between(repo, self._layout, span.head, span.base)
            return [_revision(repo, one) for one in reversed(made)]

    def file(self, commit: str, path: str) -> bytes | None:
        """Bytes of one file of the vault in a commit, None when it is not there.

        Raises:
            UnavailableError: an object cannot be read.
        """
        prefix = self._layout.prefix
        repo = self._repo()
        with _readable():
            blob = trees.find_blob(_tree(repo, commit), f"{prefix}/{path}" if prefix else path)
            found = None if blob is None else repo[blob.id]
            return found.data if isinstance(found, pygit2.Blob) else None

    def _repo(self) -> pygit2.Repository:
        # A repository of its own: this may run beside the reads and writes of a server.
        return pygit2.Repository(str(self._layout.git_dir))

    def _index(self, index_file: Path | None) -> pygit2.Index:
        return pygit2.Index(str(index_file or self._layout.git_dir / "index"))

    def _in_index(self, index: pygit2.Index) -> Iterator[tuple[str, str]]:
        for entry in index:
            path = self._layout.in_vault(entry.path)
            is_file = entry.mode in (FileMode.BLOB, FileMode.BLOB_EXECUTABLE)
            if path is not None and is_file and path[-len(_SUFFIX) :].lower() == _SUFFIX:
                yield path, str(entry.id)

    def _of_diff(self, diff: pygit2.Diff) -> Iterator[Delta]:
        for delta in diff.deltas:
            path = self._layout.in_vault(os.fsdecode(delta.new_file.raw_path))
            before, after = _side(delta.old_file), _side(delta.new_file)
            if path is not None and (before or after):
                yield Delta(path, before, after)

    def _of_files(self, repo: pygit2.Repository, commit: str) -> Iterator[Delta]:
        tree = _tree(repo, commit)
        for name, before in self._touched(repo, tree).items():
            path = self._layout.in_vault(name)
            if path is None:
                continue
            file = self._layout.workdir / name
            is_link = file.is_symlink()
            after = Blob("", is_link) if is_link or file.is_file() else None
            if before or after:
                yield Delta(path, before, after)

    def _touched(self, repo: pygit2.Repository, tree: pygit2.Tree) -> Mapping[str, Blob | None]:
        """Files that git calls changed, staged or new, with what the commit has of them."""
        names = repo.status(untracked_files="all", ignored=False)
        return {name: _committed(tree, name) for name in names}


def _revision(repo: pygit2.Repository, made: Made) -> Revision:
    commit = repo[made.commit.decode("ascii")].peel(pygit2.Commit)
    subject, body, trailers = parse_message(commit.message)
    return Revision(
        commit=str(commit.id),
        author_name=commit.author.name,
        author_email=commit.author.email,
        when=datetime.fromtimestamp(commit.commit_time, UTC),
        subject=subject,
        body=body,
        trailers=trailers,
        paths=tuple(os.fsdecode(path) for path, _, _ in made.changes),
    )


def _committed(tree: pygit2.Tree, name: str) -> Blob | None:
    blob = trees.find_blob(tree, name)
    return None if blob is None else Blob(str(blob.id), blob.mode == FileMode.LINK)


def _tree(repo: pygit2.Repository, commit: str) -> pygit2.Tree:
    """Root tree of a commit; the empty one for ""."""
    return trees.tree_of(repo, commit) or repo[EMPTY_TREE].peel(pygit2.Tree)


def _side(file: pygit2.DiffFile) -> Blob | None:
    if str(file.id) == _NO_BLOB or file.mode in (FileMode.COMMIT, FileMode.UNREADABLE):
        return None
    return Blob(str(file.id), file.mode == FileMode.LINK)


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise UnavailableError(
            f"the change cannot be read: {error}",
            remedy="Run `git fsck`; in a shallow or partial clone fetch the whole history.",
        ) from error
