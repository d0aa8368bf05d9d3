"""Taking in the journals of a vault, and later only what is new in them."""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError
from mnemos_files.format.journal import LINE_BYTES_MAX, parse
from mnemos_files.model.note import Stamp
from mnemos_files.model.tally import Count, Tally
from mnemos_files.store.kept_count import KeptCount, Part, Parts, Stamps
from mnemos_files.vault.own import OwnFiles

JOURNALS = PurePosixPath(".mnemos/journal")
FILE_BYTES_MAX = 64 * 2**20
"""So much [bytes] of one file is read; a month of this size is no journal of an agent's work."""

KEEP_LINES = 1_000
"""So many new lines [1], and a quarter of what there is to keep, are worth keeping the count."""

_CHUNK_BYTES = 2**18
_MARK_BYTES = 256
_MACHINE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])\.jsonl")
_log = logging.getLogger(__name__)


class Counting:
    """The count of all journals of a vault. Not thread-safe.

    With `kept` a process goes on from what an earlier one has counted.
    """

    def __init__(self, files: OwnFiles, kept: KeptCount | None = None) -> None:
        self._files = files
        self._kept = kept
        self._parts: Parts | None = None
        self._count = Count()
        self._news = 0

    def tally(self) -> Tally:
        """All events that are in the files now."""
        stamps = dict(listing(self._files))
        if not self._goes_on(stamps):
            self._parts = self._begin(stamps)
            self._catch_up(stamps, self._parts)
        parts = self._parts or {}
        if self._kept is not None and self._news > KEEP_LINES + self._count.size // 4:
            self._kept.save_all(self._count, parts)
            self._news = 0
        return self._count.tally()

    def _goes_on(self, stamps: Stamps) -> bool:
        """Add what is new to what this process has counted, or an earlier one."""
        if self._parts is None and self._kept is not None:
            self._count, kept = self._kept.load_all()
            self._parts = kept or None
        return self._parts is not None and self._catch_up(stamps, self._parts)

    def _begin(self, stamps: Stamps) -> Parts:
        """Count from the start, but for what is kept of old months."""
        self._count = Count()
        if self._kept is None:
            return {}
        old = self._kept.old(stamps)
        self._count, parts = self._kept.load_old(old)
        if old.keys() != parts.keys() and self._catch_up(old, parts):
            for part in parts.values():
                part.close()
            self._kept.save_old(self._count, parts)
        return parts

    def _catch_up(self, stamps: Stamps, parts: Parts) -> bool:
        """Count what is new; False when something that was counted is no longer there."""
        if not parts.keys() <= stamps.keys():
            return False
        moved = [
            path
            for path, stamp in stamps.items()
            if path not in parts or parts[path].stamp != stamp
        ]
        return all(self._read(path, stamps[path], parts) for path in moved)

    def _read(self, path: PurePosixPath, stamp: Stamp, parts: Parts) -> bool:
        part = parts.setdefault(path, Part(stamp))
        try:
            with self._files.reading(path) as descriptor:
                if not _is_same(part, descriptor):
                    return False
                for lines in _lines(part, descriptor):
                    self._count.add(parse(lines), path.parent.name)
                    self._news += len(lines)
        except MnemosError as error:
            _log.warning("%s was not read: %s", path, error)
        part.stamp = stamp
        return True


def listing(files: OwnFiles) -> Iterator[tuple[PurePosixPath, Stamp]]:
    """Path and stamp of every journal in the vault."""
    for machine in sorted(files.folders(JOURNALS)):
        if _MACHINE.fullmatch(machine):
            yield from machine_listing(files, machine)


def machine_listing(files: OwnFiles, machine: str) -> Iterator[tuple[PurePosixPath, Stamp]]:
    """Path and stamp of every journal of one machine, oldest first."""
    try:
        stamps = files.stamps(JOURNALS / machine)
    except MnemosError as error:
        _log.warning("journals of %s were not read: %s", machine, error)
        return
    for name in sorted(stamps):
        if _MONTH.fullmatch(name):
            yield JOURNALS / machine / name, stamps[name]


def lines_of(files: OwnFiles, path: PurePosixPath, stamp: Stamp) -> Iterator[list[bytes]]:
    """All whole lines of a journal, each once, in pieces of bounded size.

    Raises:
        NotFoundError, RefusedError, UnavailableError: the file cannot be read.
    """
    with files.reading(path) as descriptor:
        yield from _lines(Part(stamp), descriptor)


def _is_same(part: Part, descriptor: int) -> bool:
    """True when the bytes that were counted are still there.

    A pull replaces a file by a longer one, so it is looked for what was before, not for an inode.
    """
    return not part.end or (
        bool(part.tail)
        and os.pread(descriptor, len(part.head), 0) == part.head
        and os.pread(descriptor, len(part.tail), part.end - len(part.tail)) == part.tail
    )


def _lines(part: Part, descriptor: int) -> Iterator[list[bytes]]:
    """New whole lines, each once, in pieces of bounded size; the part is moved on."""
    if part.end and not part.seen:
        _look_again(part, descriptor)
    for whole, end in _pieces(descriptor, part.end, FILE_BYTES_MAX):
        _move(part, descriptor, end)
        yield _fresh(whole.split(b"\n"), part.seen)


def _look_again(part: Part, descriptor: int) -> None:
    """Find the digests of lines that an earlier process has counted."""
    for whole, _ in _pieces(descriptor, 0, part.end):
        part.seen.update(map(hash, whole.split(b"\n")))


def _pieces(descriptor: int, start: int, limit: int) -> Iterator[tuple[bytes, int]]:
    """Whole lines without the last line end, and where they end; only so far as the limit."""
    rest, position = b"", start
    while position < limit:
        data = os.pread(descriptor, min(_CHUNK_BYTES, limit - position), position)
        if not data:
            return
        position += len(data)
        whole, end, begun = (rest + data).rpartition(b"\n")
        # Of a line that is too long a piece stays, so that what ends it is passed over too.
        rest = begun[: LINE_BYTES_MAX + 1]
        if end:
            yield whole, position - len(begun)


def _move(part: Part, descriptor: int, end: int) -> None:
    part.end = end
    part.head = part.head or os.pread(descriptor, min(_MARK_BYTES, end), 0)
    length = min(_MARK_BYTES, end)
    part.tail = os.pread(descriptor, length, end - length)


def _fresh(lines: list[bytes], seen: set[int]) -> list[bytes]:
    fresh = []
    for line in lines:
        digest = hash(line)
        if digest not in seen:
            seen.add(digest)
            fresh.append(line)
    return fresh
