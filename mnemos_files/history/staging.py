"""Bringing the git index up to date for our own paths, and for no other."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pygit2

from mnemos_files.errors import MnemosError, UnavailableError
from mnemos_files.history.attributes import Attributes
from mnemos_files.history.index_file import ForeignIndexError, IndexFile, Staged
from mnemos_files.history.layout import Layout
from mnemos_files.history.locks import Locks, Patience, lock_of
from mnemos_files.history.process import Git
from mnemos_files.history.refs import head_commit
from mnemos_files.history.stale import StaleFile
from mnemos_files.history.trees import Blob, find_blob, tree_of

OVERWRITTEN_SECONDS = 10.0
"""Time [s] in which an entry of ours that is as before counts as lost, not as a person's choice.

git reads the index a moment before it locks it (`git commit` does, 2.39): what we wrote in that
moment is overwritten with what git had read. A person who takes the same entry back in this time
has to do it once more.
"""

_TRAILER = 20
_ABSENT = "0" * 40


@dataclass(frozen=True, slots=True)
class Target:
    """What a commit made of a path: its blob (None = deleted) and the bytes that we wrote."""

    blob: Blob | None
    data: bytes | None


@dataclass(frozen=True, slots=True)
class _Past:
    """Blobs that the index had when it fell behind, and the paths of the commit just made."""

    behind: Mapping[str, str]
    own: frozenset[str]


class Staging:
    """The index of one work tree. Nothing is kept but the entries of the last file seen."""

    def __init__(self, layout: Layout, repo: pygit2.Repository, locks: Locks) -> None:
        self._layout = layout
        self._repo = repo
        self._locks = locks
        self._git = Git(layout.git_dir, layout.workdir)
        self._attributes = Attributes(repo, self._git)
        self._file = layout.git_dir / "index"
        self._seen = (b"", IndexFile())
        self._recent: dict[str, str] = {}
        self._recent_end = 0.0
        self._written = b""
        self.stale = StaleFile(layout.own_dir / _stale_name(layout.prefix))

    def blob(self, path: str) -> str:
        """Blob id of a path in the index, "" when it has none."""
        try:
            return self._read().blob(path)
        except ForeignIndexError:
            return self._asked_blobs([path]).get(path, "")

    def kind(self) -> str:
        """Name of a kind of index that goes through the git program, "" for the usual one."""
        try:
            self._read()
        except ForeignIndexError as error:
            return str(error)
        return ""

    def note(self, before: Mapping[str, str]) -> None:
        """Remember the paths of a coming commit with their blobs in its parent; durable."""
        known = self.stale.load() if not self.stale.is_empty() else {}
        self.stale.add({path: blob for path, blob in before.items() if path not in known})

    def around(
        self, targets: Mapping[str, Target], move: Callable[[], bool], patience: Patience
    ) -> list[str] | None:
        """Move the branch and set the entries of the commit's paths under one lock of the index.

        A `git commit` in between would otherwise take the old entries to the new branch, and so
        undo ours. Entries that fell behind earlier are set as well, but only while they are what
        they were then: what a person has staged since stays. Without the lock (another program
        holds it for long) the branch moves all the same and the index is left for the next call.

        Returns:
            Notices, usually none; None when the branch did not move.
        """
        with ExitStack() as stack:
            problem = self._lock(stack, patience)
            if not move():
                return None
            if problem:
                return [problem]
            try:
                notices = self._bring_up(targets, patience)
            except MnemosError as error:
                return [_behind(f"{error.message}. {error.remedy}")]
            except OSError as error:
                return [_behind(str(error))]
        return notices

    def is_behind(self) -> bool:
        """True when entries fell behind, or may have been overwritten just now."""
        return bool(self._fallen())

    def repair(self) -> list[str]:
        """Set the entries that fell behind; gives notices."""
        return self.around({}, lambda: True, Patience()) or []

    def _lock(self, stack: ExitStack, patience: Patience) -> str:
        """Take the lock; what stands in the way, else ""."""
        if self.kind():
            return ""  # the git program takes it by itself
        try:
            stack.enter_context(self._locks.hold(patience, self._file))
        except UnavailableError as error:
            return _behind(f"{error.message}. {error.remedy}")
        return ""

    def _bring_up(self, targets: Mapping[str, Target], patience: Patience) -> list[str]:
        behind = self._fallen()
        missed = [path for path in behind if path not in targets]
        wanted = {**self._caught_up(missed), **targets}
        past = _Past(behind, frozenset(targets))
        try:
            notices = self._rewrite(wanted, past)
        except ForeignIndexError:
            notices = self._through_git(wanted, past, patience)
        self.stale.clear()
        if targets:
            self._recent = {path: behind.get(path, "") for path in targets}
            self._recent_end = time.monotonic() + OVERWRITTEN_SECONDS
        return notices

    def _fallen(self) -> dict[str, str]:
        """Blobs that the index had, by path, where it is behind or was just overwritten."""
        behind = {} if self.stale.is_empty() else self.stale.load()
        if time.monotonic() < self._recent_end and self._trailer() != self._written:
            return {**self._recent, **behind}
        return behind

    def _caught_up(self, paths: Sequence[str]) -> dict[str, Target]:
        tree = tree_of(self._repo, head_commit(self._repo))
        return {path: Target(find_blob(tree, path), None) for path in paths}

    def _rewrite(self, wanted: Mapping[str, Target], past: _Past) -> list[str]:
        index = self._read()
        present = {path: index.blob(path) for path in wanted}
        due, notices = _due(wanted, present, past)
        due = [path for path in due if not index.is_conflicted(path)]
        if not due:
            return notices
        self._seen = (b"", IndexFile())  # the entries below change in place
        for path in due:
            blob = wanted[path].blob
            if blob is None:
                index.remove(path)
            else:
                index.put(
                    path, Staged(str(blob.id), int(blob.mode), self._stat(path, wanted[path]))
                )
        content, trailer = index.render()
        self._replace(content, trailer)
        self._seen, self._written = (trailer, index), trailer
        return notices

    def _stat(self, path: str, target: Target) -> os.stat_result | None:
        """Times and size of the file if it holds what was committed; else git looks inside."""
        file = self._layout.workdir / path
        try:
            before = file.lstat()
            data = file.read_bytes()
            after = file.lstat()
        except OSError:
            return None
        if (before.st_mtime_ns, before.st_ino) != (after.st_mtime_ns, after.st_ino):
            return None
        if target.data is not None and data == target.data:
            return after
        if target.blob is None or self._attributes.blob_id(path, data) != str(target.blob.id):
            return None
        return after

    def _read(self) -> IndexFile:
        """The index as it is on disk now.

        Raises:
            ForeignIndexError: it is of a kind that only git reads.
        """
        trailer = self._trailer()
        # The trailer is the checksum of the whole; zeros mean that there is none.
        if any(trailer) and trailer == self._seen[0]:
            return self._seen[1]
        try:
            data = self._file.read_bytes()
        except FileNotFoundError:
            return IndexFile()
        self._seen = (data[-_TRAILER:], IndexFile(data))
        return self._seen[1]

    def _trailer(self) -> bytes:
        try:
            with self._file.open("rb", buffering=0) as stream:
                stream.seek(max(0, os.fstat(stream.fileno()).st_size - _TRAILER))
                return stream.read()
        except FileNotFoundError:
            return b""

    def _replace(self, content: bytes, trailer: bytes) -> None:
        draft = self._layout.own_dir / "new-index"
        with draft.open("wb") as stream:
            stream.write(content)
            stream.write(trailer)
            stream.flush()
            os.fsync(stream.fileno())
        _take_over(self._file, draft)
        draft.replace(self._file)

    def _through_git(
        self, wanted: Mapping[str, Target], past: _Past, patience: Patience
    ) -> list[str]:
        due, notices = _due(wanted, self._asked_blobs(list(wanted)), past)
        lines = b"".join(_info_line(path, wanted[path].blob) for path in due)
        while True:
            finished = self._git.run("update-index", "-z", "--index-info", payload=lines)
            if finished.is_ok:
                return notices
            if "index.lock" not in finished.errors or not patience.wait(lock_of(self._file)):
                raise UnavailableError(
                    f"git update-index failed: {finished.errors}",
                    remedy="The next write tries again.",
                )

    def _asked_blobs(self, paths: Sequence[str]) -> dict[str, str]:
        finished = self._git.run("ls-files", "-z", "--stage", "--", *paths)
        found = {}
        for line in finished.output.split(b"\0"):
            head, _, name = line.partition(b"\t")
            fields = head.split()
            if len(fields) == 3 and fields[2] == b"0":  # noqa: PLR2004 - mode, id, stage
                found[os.fsdecode(name)] = fields[1].decode("ascii")
        return found


def _due(
    wanted: Mapping[str, Target], present: Mapping[str, str], past: _Past
) -> tuple[list[str], list[str]]:
    """Paths whose entry is to be set, and notices about staged versions that go."""
    due, notices = [], []
    for path, target in wanted.items():
        has, new = present.get(path, ""), "" if target.blob is None else str(target.blob.id)
        had = past.behind.get(path, "")
        if has == new or (path not in past.own and has != had):
            continue
        due.append(path)
        if path in past.own and has not in ("", had):
            notices.append(
                f"the staged version of {path} was replaced by what was just committed;"
                f" it is kept as blob {has} (git cat-file blob {has})"
            )
    return due, notices


def _behind(why: str) -> str:
    return f"committed, but the git index is behind: {why}".strip()


def _take_over(old: Path, draft: Path) -> None:
    """Give the draft the old file's mode and time.

    git looks inside files that are not older than the index ("racily clean" entries). A newer time
    would hide another program's edit of the same moment; the old time keeps git careful.
    """
    try:
        found = old.stat()
    except FileNotFoundError:
        os.utime(draft, (1, 1))
        return
    draft.chmod(found.st_mode & 0o777)
    os.utime(draft, ns=(found.st_atime_ns, found.st_mtime_ns))


def _info_line(path: str, blob: Blob | None) -> bytes:
    head = f"0 {_ABSENT}" if blob is None else f"{int(blob.mode):o} {blob.id}"
    return head.encode("ascii") + b"\t" + os.fsencode(path) + b"\0"


def _stale_name(prefix: str) -> str:
    # Two vaults in one repository have a list each: they do not share the writer's lock.
    return "stale-index" + (f"-{os.fsencode(prefix).hex()[-48:]}" if prefix else "")
