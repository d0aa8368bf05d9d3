"""The git history of a vault."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath

import pygit2

from mnemos_files.errors import InvalidQueryError, NotFoundError, UnavailableError
from mnemos_files.history import notices, opening, state, trees
from mnemos_files.history.as_of import Chronicle
from mnemos_files.history.attributes import Attributes
from mnemos_files.history.chain import refusal
from mnemos_files.history.commits import Writer
from mnemos_files.history.copying import copy_repository
from mnemos_files.history.layout import Layout, layout_of
from mnemos_files.history.locks import Locks
from mnemos_files.history.log import Log
from mnemos_files.history.past import Past
from mnemos_files.history.process import Git
from mnemos_files.history.refs import head_commit
from mnemos_files.history.rewriting import Rewriting
from mnemos_files.history.staging import Staging
from mnemos_files.history.values import (
    Change,
    CommitResult,
    Mark,
    NoHistory,
    Revision,
    Step,
)

__all__ = ["Change", "CommitResult", "History", "NoHistory", "Revision"]

_NAME_LENGTH = 256


class History:
    """The repository that a vault lies in. Safe to use from several threads.

    Reading and writing have a repository object and a lock each: a search never waits for a
    commit's fsync. Everything is asked of the disk anew, since other programs work there too.
    """

    def __init__(self, repo: pygit2.Repository, layout: Layout) -> None:
        self.git_dir = layout.git_dir
        self._layout = layout
        self._repo = repo
        self._lock = threading.RLock()
        self._attributes = Attributes(repo, Git(layout.git_dir, layout.workdir))
        self._locks = Locks(layout)
        self._staging = Staging(layout, repo, self._locks)
        self._chronicle = Chronicle(repo)
        self._log = Log(repo, layout)
        self.past = Past(layout)
        self._writer = Writer(pygit2.Repository(str(layout.git_dir)), layout, self._locks)

    @classmethod
    def open(cls, root: Path) -> "History | NoHistory":
        """The repository found from the vault's folder upwards, or why there is none to use."""
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

    @classmethod
    def create(cls, root: Path) -> "History":
        """A new repository in the vault's folder itself.

        Raises:
            UnavailableError: the folder cannot be written to.
        """
        repo = opening.create_repository(root.resolve())
        layout = layout_of(repo, root)
        if layout is None:
            raise UnavailableError(f"git made a repository without files in {root}")
        return cls(repo, layout)

    def head(self) -> str:
        """Id of the commit that the current branch names now, "" when it has none."""
        with self._lock:
            return head_commit(self._repo)

    def blocked(self) -> str:
        """Why no commit may be made now and what to do about it; "" when one may be made."""
        with self._lock:
            return state.blocked(self._repo)

    def notices(self) -> list[str]:
        """Facts about the repository that a person should know."""
        with self._lock:
            return notices.notices(self._repo, self._layout, self._staging)

    def commit(self, changes: Sequence[Change], now: datetime) -> CommitResult:
        """One commit for each change on the current branch, durable on return.

        The branch moves once, by compare-and-swap; when another program was quicker, the commits
        are built anew on what it made, since they concern our own paths only. The git index is
        brought up to date for exactly these paths; if it is locked, a notice says so and the next
        call does it.

        Raises:
            RefusedError: no commit may be made now (`git-state`), or a path is ignored by git
                (`ignored`), goes through a program like LFS (`filter`), or is not git's (`path`).
            UnavailableError: another program holds a lock, or signing failed.
        """
        return self._writer.commit(changes, now)

    def advance(self, step: Step, now: datetime) -> CommitResult | None:
        """Move the branch on to a commit that is there; None when it is not where it was.

        The git index is brought up to date for the step's paths, as `commit` does.

        Raises:
            RefusedError: the branch may not be moved now (`git-state`).
            UnavailableError: another program holds a lock.
        """
        return self._writer.advance(step, now)

    def repair_index(self) -> list[str]:
        """Bring the git index up to date for paths of earlier commits; gives notices.

        An entry is touched only while it is what it was before that commit.

        Raises:
            UnavailableError: the git folder cannot be written to.
        """
        return self._writer.repair()

    def blob_id(self, path: PurePosixPath, data: bytes) -> str:
        """The id of the blob that git would make of these bytes, after line-end conversion."""
        with self._lock:
            return self._attributes.blob_id(self._layout.in_repository(path), data)

    def committed(self, path: PurePosixPath) -> str:
        """Blob id of a file in the current commit, "" when it is not there."""
        inside = self._layout.in_repository(path)
        with self._lock, _undamaged():
            found = trees.find_blob(trees.tree_of(self._repo, head_commit(self._repo)), inside)
        return "" if found is None else str(found.id)

    def staged(self, path: PurePosixPath) -> str:
        """Blob id of a file in the git index, "" when it is not there."""
        inside = self._layout.in_repository(path)
        with self._lock:
            return self._staging.blob(inside)

    def is_ignored(self, path: PurePosixPath) -> bool:
        """True when git ignores the path and does not track it."""
        inside = self._layout.in_repository(path)
        with self._lock:
            return self._attributes.is_ignored(inside) and not self.committed(path)

    def unversioned(self, path: PurePosixPath) -> str:
        """Why `commit` would refuse this file (ignored, LFS, behind a link), else ""."""
        inside = self._layout.in_repository(path)
        with self._lock:
            is_tracked = bool(self.committed(path))
            return refusal(inside, self._layout, self._attributes, is_tracked=is_tracked)[1]

    def read_blob(self, blob: str) -> bytes:
        """The bytes of a blob as git keeps them.

        Raises:
            NotFoundError: there is no such blob.
        """
        with self._lock:
            try:
                found = self._repo[blob]
            except (KeyError, ValueError) as error:
                raise NotFoundError(blob) from error
            if not isinstance(found, pygit2.Blob):
                raise NotFoundError(blob)
            return found.data

    def tree(self, commit: str) -> dict[str, str]:
        """Blob ids of all markdown files of the vault in a commit, by path.

        Raises:
            NotFoundError: there is no such commit.
        """
        with self._lock:
            try:
                return trees.notes(self._vault_tree(commit))
            except (KeyError, ValueError) as error:
                raise NotFoundError(commit) from error

    def diff(self, old: str, new: str) -> dict[str, str] | None:
        """Markdown files of the vault that differ: new blob id, "" when gone.

        Returns:
            None when one of the commits is not in this repository.
        """
        with self._lock:
            try:
                return trees.difference(self._vault_tree(old), self._vault_tree(new))
            except (KeyError, ValueError):
                return None

    def at(self, instant: datetime) -> str:
        """The commit that the branch had at an instant, "" when it had none.

        It is the newest one on the chain of first parents whose committer time is not later.
        """
        with self._lock, _undamaged():
            return self._chronicle.at(head_commit(self._repo), instant)

    def log(self, limit: int, path: PurePosixPath | None = None, skip: int = 0) -> list[Revision]:
        """Commits that changed the vault or one file of it, newest first, through renames."""
        inside = self._layout.prefix if path is None else self._layout.in_repository(path)
        with self._lock, _undamaged():
            return self._log.revisions(head_commit(self._repo), inside, limit, skip)

    def last_change(self, path: PurePosixPath) -> Mark | None:
        """Who committed the text that a file has in the current commit, None when it has none."""
        inside = self._layout.in_repository(path)
        with self._lock, _undamaged():
            return self._log.last(head_commit(self._repo), inside, self._chronicle)

    def since(self, base: str) -> list[Revision]:
        """Commits that came after another one (its id), newest first; merges with their own part.

        Raises:
            NotFoundError: there is no such commit.
        """
        with self._lock, _undamaged():
            if base not in self._repo:
                raise NotFoundError(base)
            return self._log.since(head_commit(self._repo), base)

    def patch(self, commit: str) -> str:
        """What a commit changed against its first parent, as `git diff` shows it.

        Raises:
            NotFoundError: there is no such commit.
        """
        with self._lock:
            try:
                return trees.patch(self._repo, commit)
            except (KeyError, ValueError) as error:
                raise NotFoundError(commit) from error

    def copy_to(self, folder: Path) -> Path:
        """Make a repository in an empty folder that goes on from the current commit.

        Whatever is done there leaves this one as it is. Gives the place of the vault in it, where
        no notes are yet.

        Raises:
            UnavailableError: the folder cannot be written to.
        """
        with self._lock:
            return copy_repository(self._repo, self._layout, folder)

    def rewriting(self, folder: Path) -> Rewriting:
        """The means to take a text out of every commit; `folder` is an empty place for a copy."""
        return Rewriting(self._layout, folder)

    def in_repository(self, path: PurePosixPath) -> str:
        """The vault's path as seen from the root of the work tree.

        Raises:
            RefusedError: the path leads out of the vault or into `.git`.
        """
        return self._layout.in_repository(path)

    def in_vault(self, path: str) -> str | None:
        """The work tree's path as seen from the vault, None when it lies outside."""
        return self._layout.in_vault(path)

    def resolve(self, text: str) -> str:
        """Id of the commit that a name stands for: HEAD, HEAD~1, a branch, a tag, a short id.

        The text never reaches a command line.

        Raises:
            InvalidQueryError: it names no commit.
        """
        with self._lock:
            commit = _resolved(self._repo, text)
        if not commit:
            raise InvalidQueryError(
                "revision",
                f"{text[:_NAME_LENGTH]!r} names no commit",
                remedy="Use HEAD, HEAD~1, a branch, a tag or an id from the history.",
            )
        return commit

    def _vault_tree(self, commit: str) -> pygit2.Tree | None:
        return trees.find_folder(trees.tree_of(self._repo, commit), self._layout.prefix)


@contextmanager
def _undamaged() -> Iterator[None]:
    try:
        yield
    except (pygit2.GitError, KeyError) as error:
        raise UnavailableError(
            f"the git history is damaged: {error}",
            remedy="Run `git fsck`; fetch or restore what is missing.",
        ) from error


def _resolved(repo: pygit2.Repository, text: str) -> str:
    if len(text) > _NAME_LENGTH or not text.isprintable():
        return ""
    try:
        return str(repo.revparse_single(text).peel(pygit2.Commit).id)
    except (pygit2.GitError, KeyError, ValueError):
        return ""
