"""Bringing the index up to what the files say.

Before each answer: what moved is found through the watcher or, without one, through a listing; a
few files are read at once, many by the worker while answers say how many are left.
"""

import logging
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError, NotFoundError
from mnemos_files.format.record import parse
from mnemos_files.history.repo import History
from mnemos_files.index.index import Index, Indexed
from mnemos_files.model.digest import blob_id
from mnemos_files.model.note import Stamp
from mnemos_files.model.problem import Problem
from mnemos_files.vault.files import Vault
from mnemos_files.vault.watch import Watcher

INLINE_MAX = 200
"""So many changed files are read before an answer (about 0.2 s); more are left to the worker."""

INLINE_BYTES = 500_000
"""So much changed text is read before an answer (about 0.25 s), in however few files."""

CHUNK = 64
CHUNK_BYTES = 500_000
"""At most so much is read in one go while answers wait, but for a longer single file."""

LOSS_MIN = 5
PATIENCE_SECONDS = 0.5
FIRST_SECONDS = 10.0
"""Wait for the first look at the vault, in which the model is loaded: else a quick first question
would find nothing. It is over after one chunk of files."""

BARRIER_SECONDS = 0.25

_log = logging.getLogger(__name__)
Progress = Callable[[int, int], None]


class Refresher:
    """Compares files with the index and reads what differs. Thread-safe."""

    def __init__(self, vault: Vault, index: Index, watcher: Watcher | None) -> None:
        self._vault = vault
        self._index = index
        self._watcher = watcher
        self._door = threading.Lock()
        self._lock = threading.Lock()
        self._queue: dict[str, None] = {}
        self._head = ""
        self._has_looked = False
        self._listed = False
        self._known = 0
        self.history: History | None = None
        self.missing = 0
        self.listing_problems: list[Problem] = []

    @property
    def pending(self) -> int:
        """Files that are known to have moved and are not read yet."""
        return len(self._queue)

    def refresh(self, *, patience_seconds: float = -1) -> int:
        """Read what moved if it is little; the number of files that are left [0 = all told].

        While the background reads a long file, an answer need not wait for it longer than this
        [s, -1 = for ever]; then nothing is looked at, and at least one file is left.
        """
        if patience_seconds >= 0 and not self._has_looked:
            patience_seconds = max(patience_seconds, FIRST_SECONDS)
        with self._held(patience_seconds) as is_held:
            if not is_held:
                return max(self.pending, 1)
            self._reload()
            self._collect()
            if self._is_little():
                self._drain(tuple(self._queue))
            self._has_looked = True
            return self.pending

    def finish(self, progress: Progress | None = None) -> None:
        """Read everything that moved, however much it is."""
        with self._held():
            self._reload()
            self._collect()
        total = self.pending
        while self.pending:
            self.step()
            if progress is not None:
                progress(total - self.pending, total)

    def start_over(self) -> None:
        """Forget the index and that the files were ever looked at."""
        with self._held():
            self._index.clear()
            self._listed = False

    def step(self) -> bool:
        """Read one chunk of what is left; False when nothing is."""
        with self._held():
            self._drain(self._chunk())
            return self.pending > 0

    def take(self, paths: Iterable[str]) -> None:
        """Read these files now, whatever the watcher says: the store has just written them."""
        with self._held():
            self._read(tuple(paths))

    def note_head(self) -> None:
        """Queue what other processes committed since the last look."""
        with self._held():
            self._compare_head()
            self._drain(tuple(self._queue) if self._is_little() else self._chunk())

    def skip_head(self, base: str, tip: str) -> None:
        """Our own commits moved the branch from base to tip: nothing in them is news."""
        with self._lock:
            if base and self._head == base:
                self._head = tip

    def accept_missing(self) -> None:
        """Believe that files which are gone are gone for good (a person said so)."""
        with self._held():
            gone = set(self._index.entries) - set(self._vault.listing().notes)
            self._index.apply((), tuple(gone))
            self.missing = 0

    @contextmanager
    def _held(self, patience_seconds: float = -1) -> Iterator[bool]:
        """Hold the lock, in turn: the background must not take it again before one who waits."""
        is_held = self._door.acquire(timeout=patience_seconds)
        if is_held:
            is_held = self._lock.acquire(timeout=patience_seconds)
            self._door.release()
        try:
            yield is_held
        finally:
            if is_held:
                self._lock.release()

    def _reload(self) -> None:
        """Take over what other processes wrote to the index; look at every file after a loss.

        Another process may have cleared the index, or found it damaged, and no event tells of it.
        """
        self._index.reload()
        if len(self._index.entries) < self._known:
            self._listed = False
        self._known = len(self._index.entries)

    def _collect(self) -> None:
        if not self._vault.alive():
            # Mounted anew, or replaced: what it lacks now is judged like any other loss.
            self._vault.reopen()
            self._listed = False
        self._compare_head()
        self._queue.update(dict.fromkeys(self._index.voiceless()))
        taken = self._watcher.take(BARRIER_SECONDS) if self._watcher and self._listed else None
        if taken is None or taken.all or self.missing:
            self._compare_listing()
        else:
            self._queue.update(dict.fromkeys(taken.paths))
            self._queue.update(dict.fromkeys(self._below(taken.folders)))
            if not self._is_little():
                # A mass deletion must be seen whole, not in chunks that look harmless one by one.
                self._compare_listing()

    def _below(self, folders: Collection[str]) -> list[str]:
        if not folders:
            return []
        heads = tuple(f"{folder}/" for folder in folders)
        known = [path for path in self._index.entries if path.startswith(heads)]
        return known + [path for each in folders for path in self._vault.listing(each).notes]

    def _compare_head(self) -> None:
        if self.history is None or not self.history.git_dir.exists():
            return
        head = self.history.head()
        if head != self._head:
            changed = self.history.diff(self._head, head) if self._head else None
            self._queue.update(dict.fromkeys(changed or ()))
            self._head = head

    def _compare_listing(self) -> None:
        if self._watcher is not None:
            self._watcher.take(0)
        listing = self._vault.listing()
        self.listing_problems = listing.problems
        gone = [path for path in self._index.entries if path not in listing.notes]
        self._queue.update(dict.fromkeys(self._index.moved(listing.notes)))
        self._remove(gone)
        self._listed = True

    def _is_little(self) -> bool:
        """True when all that is left is read in a moment."""
        if self.pending > INLINE_MAX:
            return False
        return sum(map(self._size, self._queue)) <= INLINE_BYTES

    def _chunk(self) -> tuple[str, ...]:
        """The next files to read in one go: at least one while any is left."""
        chunk: list[str] = []
        size = 0
        for path in islice(self._queue, CHUNK):
            size += self._size(path)
            if chunk and size > CHUNK_BYTES:
                break
            chunk.append(path)
        return tuple(chunk)

    def _size(self, path: str) -> int:
        """Size of a file now [bytes], 0 for what is no note."""
        try:
            stamp = self._vault.stamp(PurePosixPath(path))
        except MnemosError:
            return 0
        return 0 if stamp is None else stamp.size

    def _drain(self, chunk: Collection[str]) -> None:
        if chunk:
            self._read(chunk)
            for path in chunk:
                self._queue.pop(path, None)

    def _read(self, paths: Collection[str]) -> None:
        changed: list[Indexed] = []
        stamps: dict[str, Stamp] = {}
        gone: list[str] = []
        for path in paths:
            self._look(path, changed, stamps, gone)
        if stamps:
            self._index.restamp(stamps)
        if changed:
            self._index.apply(changed, ())
        self._remove(gone)
        self._known = len(self._index.entries)

    def _look(
        self, path: str, changed: list[Indexed], stamps: dict[str, Stamp], gone: list[str]
    ) -> None:
        known = self._index.blob(path)
        read = self._read_file(path)
        if read is None:
            gone += [path] if known else []
            return
        data, stamp = read
        blob = blob_id(data)
        if known == blob and not self._index.is_voiceless(path):
            stamps[path] = stamp
        else:
            changed.append(Indexed(parse(PurePosixPath(path), data), stamp, blob))

    def _read_file(self, path: str) -> tuple[bytes, Stamp] | None:
        try:
            is_note = self._vault.is_note(PurePosixPath(path))
            return self._vault.read(PurePosixPath(path)) if is_note else None
        except NotFoundError:
            return None
        except MnemosError as error:
            _log.warning("%s was not read: %s", path, error)
            return None

    def _remove(self, gone: Collection[str]) -> None:
        """Drop files that are gone, unless so many vanished at once that nobody meant it."""
        lost = self._unexplained(gone)
        self.missing = len(lost)
        if lost:
            _log.warning("%d of %d notes are missing", len(lost), len(self._index.entries))
        else:
            self._index.apply((), tuple(gone))

    def _unexplained(self, gone: Collection[str]) -> list[str]:
        known = len(self._index.entries)
        if len(gone) < LOSS_MIN or 2 * len(gone) <= known:
            return []
        if self.history is None or not self.history.git_dir.exists():
            return list(gone)
        head = self.history.head()
        committed = self.history.tree(head) if head else {}
        still = [path for path in gone if path in committed]
        return still if 2 * len(still) > known else []
