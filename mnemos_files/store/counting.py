"""Taking in the journals of a vault, and later only what is new in them."""

import logging
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError
from mnemos_files.format.journal import LINE_BYTES_MAX, parse
from mnemos_files.model.note import Stamp
from mnemos_files.model.tally import Count, Tally
from mnemos_files.store.kept_count import KeptCount, Stamps
from mnemos_files.vault.own import OwnFiles

JOURNALS = PurePosixPath(".mnemos/journal")
FILE_BYTES_MAX = 64 * 2**20
"""So much [bytes] of one file is read; a month of this size is no journal of an agent's work."""

_CHUNK_BYTES = 2**18
_MARK_BYTES = 256
_MACHINE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])\.jsonl")
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Part:
    """How far a file was read: up to `end` [bytes], with the bytes before it and at the beginning.

    `seen` has the digests of its lines: a merge may bring a line twice. Without a `tail` nothing
    can be added to what was counted.
    """

    stamp: Stamp
    end: int = 0
    head: bytes = b""
    tail: bytes = b""
    seen: set[int] = field(default_factory=set)

    def close(self) -> None:
        """Spare the memory for a file that is not expected to grow; if it does, all is counted."""
        self.head = self.tail = b""
        self.seen = set()


class Counting:
    """The count of all journals of a vault. Not thread-safe.

    With `kept` the months that no longer change are counted once and for all.
    """

    def __init__(self, files: OwnFiles, kept: KeptCount | None = None) -> None:
        self._files = files
        self._kept = kept
        self._parts: dict[PurePosixPath, Part] | None = None
        self._count = Count()

    def tally(self) -> Tally:
        """All events that are in the files now."""
        stamps = dict(listing(self._files))
        if self._parts is None or not self._catch_up(stamps, self._parts):
            self._catch_up(stamps, self._begin(stamps))
        return self._count.tally()

    def _begin(self, stamps: Stamps) -> dict[PurePosixPath, Part]:
        """Count from the start, but for what is kept of old months."""
        self._parts, self._count = {}, Count()
        if self._kept is None:
            return self._parts
        old = self._kept.old(stamps)
        self._count, known = self._kept.load(old)
        self._parts.update((path, Part(stamp, stamp.size)) for path, stamp in known.items())
        if old.keys() != known.keys() and self._catch_up(old, self._parts):
            for part in self._parts.values():
                part.close()
            self._kept.save(self._count, old)
        return self._parts

    def _catch_up(self, stamps: Stamps, parts: dict[PurePosixPath, Part]) -> bool:
        """Count what is new; False when something that was counted is no longer there."""
        if not parts.keys() <= stamps.keys():
            return False
        moved = [
            path
            for path, stamp in stamps.items()
            if path not in parts or parts[path].stamp != stamp
        ]
        return all(self._read(path, stamps[path], parts) for path in moved)

    def _read(self, path: PurePosixPath, stamp: Stamp, parts: dict[PurePosixPath, Part]) -> bool:
        part = parts.setdefault(path, Part(stamp))
        try:
            with self._files.reading(path) as descriptor:
                if not _is_same(part, descriptor):
                    return False
                for lines in _lines(part, descriptor):
                    self._count.add(parse(lines), path.parent.name)
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
    rest = b""
    position = part.end
    while position < FILE_BYTES_MAX and (data := os.pread(descriptor, _CHUNK_BYTES, position)):
        position += len(data)
        whole, end, begun = (rest + data).rpartition(b"\n")
        # Of a line that is too long a piece stays, so that what ends it is passed over too.
        rest = begun[: LINE_BYTES_MAX + 1]
        if end:
            _move(part, descriptor, position - len(begun))
            yield list(_fresh(whole.split(b"\n"), part.seen))


def _move(part: Part, descriptor: int, end: int) -> None:
    part.end = end
    part.head = part.head or os.pread(descriptor, min(_MARK_BYTES, end), 0)
    length = min(_MARK_BYTES, end)
    part.tail = os.pread(descriptor, length, end - length)


def _fresh(lines: list[bytes], seen: set[int]) -> Iterator[bytes]:
    for line in lines:
        digest = hash(line)
        if digest not in seen:
            seen.add(digest)
            yield line
