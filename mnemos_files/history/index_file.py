"""The git index as a value: parse, look up, change single entries, render.

Our own reader of versions 2 and 3, because libgit2's costs 15 ms of CPU at 10,000 files for each
commit (its checksum is slow and it parses everything anew), cannot store the times of files from
outside, and reads before it locks. This one costs 2 ms once the entries are known. Other kinds
(version 4, split, sparse) are left to the git program.

Format: https://git-scm.com/docs/index-format
"""

import hashlib
import os
import struct
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

_SIGNATURE = b"DIRC"
_VERSIONS = (2, 3)
_HEADER = struct.Struct(">4sLL")
_HEAD_OF_ENTRY = struct.Struct(">10L20sH")
_FIXED = _HEAD_OF_ENTRY.size
_ID = slice(40, 60)
_HASH_LENGTH = 20
_EXTENDED, _KEPT_FLAGS, _NAME_MASK = 0x4000, 0x8000, 0x0FFF
_WORD = 0xFFFFFFFF
_KEPT_EXTENSIONS = (b"REUC",)
"""Resolve-undo does not depend on the entries' positions. The others are caches (tree, untracked,
monitor, offsets) that a changed entry makes wrong; git builds them again."""


class ForeignIndexError(Exception):
    """The index is of a kind that is read by git only, or damaged; the text names it."""


@dataclass(frozen=True, slots=True)
class Staged:
    """What the index is to say about a path. Without `stat`, git compares the content itself."""

    blob: str
    mode: int
    stat: os.stat_result | None = None


class IndexFile:
    """Entries of an index in git's order. A key is the path, a NUL and the stage."""

    def __init__(self, data: bytes = b"") -> None:
        """Parse the bytes of an index; none make an empty one.

        Raises:
            ForeignIndexError: another version, a mandatory extension, or damage.
        """
        self._version = _VERSIONS[0]
        self._keys: list[bytes] = []
        self._entries: list[bytes] = []
        self._extensions = b""
        if data:
            self._parse(data)

    def blob(self, path: str) -> str:
        """Blob id of a path, "" when it is absent or in conflict."""
        at = self._find(path)
        return "" if at is None else self._entries[at][_ID].hex()

    def is_conflicted(self, path: str) -> bool:
        """True when the path has the several stages of an unresolved merge."""
        key = _key(path, 1)
        at = bisect_left(self._keys, key)
        return at < len(self._keys) and self._keys[at][:-1] == key[:-1]

    def put(self, path: str, staged: Staged) -> None:
        """Set the entry of a path; entries that cannot be beside it (file against folder) go."""
        at = self._find(path)
        kept = 0 if at is None else int.from_bytes(self._entries[at][60:62], "big") & _KEPT_FLAGS
        entry = _entry(os.fsencode(path), staged, kept)
        if at is not None:
            self._entries[at] = entry
            return
        self._make_room(path)
        key = _key(path, 0)
        at = bisect_left(self._keys, key)
        self._keys.insert(at, key)
        self._entries.insert(at, entry)

    def overlook(self, is_there: Callable[[str], bool]) -> None:
        """Tell git not to look for the files that are not there: it takes them for unchanged."""
        for at, key in enumerate(self._keys):
            entry = self._entries[at]
            if not is_there(os.fsdecode(key[:-2])):
                flags = int.from_bytes(entry[60:62], "big") | _KEPT_FLAGS
                self._entries[at] = entry[:60] + flags.to_bytes(2, "big") + entry[62:]

    def remove(self, path: str) -> None:
        """Take the entry of a path away, if there is one."""
        at = self._find(path)
        if at is not None:
            del self._keys[at], self._entries[at]

    def render(self) -> tuple[bytes, bytes]:
        """The bytes of the index file in two parts: content, and checksum as trailer."""
        header = _HEADER.pack(_SIGNATURE, self._version, len(self._entries))
        content = b"".join([header, *self._entries, self._extensions])
        return content, hashlib.sha1(content, usedforsecurity=False).digest()

    def _find(self, path: str) -> int | None:
        key = _key(path, 0)
        at = bisect_left(self._keys, key)
        return at if at < len(self._keys) and self._keys[at] == key else None

    def _make_room(self, path: str) -> None:
        parts = path.split("/")
        for length in range(1, len(parts)):
            self.remove("/".join(parts[:length]))
        inside = os.fsencode(path) + b"/"
        first = bisect_left(self._keys, inside)
        last = bisect_left(self._keys, inside[:-1] + b"0")  # the letter after the slash
        del self._keys[first:last], self._entries[first:last]

    def _parse(self, data: bytes) -> None:
        try:
            signature, self._version, count = _HEADER.unpack_from(data)
        except struct.error as error:
            raise ForeignIndexError("a damaged git index") from error
        if signature != _SIGNATURE:
            raise ForeignIndexError("a damaged git index")
        if self._version not in _VERSIONS:
            raise ForeignIndexError(f"a git index of version {self._version}")
        try:
            end = self._parse_entries(data, count)
        except (ValueError, IndexError) as error:
            raise ForeignIndexError("a damaged git index") from error
        self._parse_extensions(data, end)
        _check_sum(data)

    def _parse_entries(self, data: bytes, count: int) -> int:
        keys, entries, find = self._keys, self._entries, data.index
        extended_bit = _EXTENDED >> 8
        at = _HEADER.size
        for _ in range(count):
            high = data[at + 60]
            name = at + (_FIXED + 2 if high & extended_bit else _FIXED)
            stop = find(b"\0", name)
            after = at + ((stop - at + 8) & ~7)
            keys.append(data[name : stop + 1] + _STAGES[high >> 4 & 3])
            entries.append(data[at:after])
            at = after
        return at

    def _parse_extensions(self, data: bytes, at: int) -> None:
        end = len(data) - _HASH_LENGTH
        while at + 8 <= end:
            name, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "big")
            if name in _FOREIGN_EXTENSIONS or not name[:1].isupper():
                raise ForeignIndexError(_FOREIGN_EXTENSIONS.get(name, f"index extension {name!r}"))
            if name in _KEPT_EXTENSIONS:
                self._extensions += data[at : at + 8 + length]
            at += 8 + length
        if at != end:
            raise ForeignIndexError("a damaged git index")


_STAGES = (b"\0", b"\1", b"\2", b"\3")
_FOREIGN_EXTENSIONS = {b"link": "a split git index", b"sdir": "a sparse git index"}


def _check_sum(data: bytes) -> None:
    found = data[-_HASH_LENGTH:]
    # All zeros: index.skipHash is on.
    if any(found) and hashlib.sha1(data[:-_HASH_LENGTH], usedforsecurity=False).digest() != found:
        raise ForeignIndexError("a damaged git index")


def _key(path: str, stage: int) -> bytes:
    return os.fsencode(path) + b"\0" + _STAGES[stage]


def _entry(name: bytes, staged: Staged, kept_flags: int) -> bytes:
    flags = kept_flags | min(len(name), _NAME_MASK)
    head = _HEAD_OF_ENTRY.pack(*_stat_fields(staged), bytes.fromhex(staged.blob), flags)
    length = len(head) + len(name)
    return head + name + b"\0" * (8 - length % 8)


def _stat_fields(staged: Staged) -> tuple[int, ...]:
    found = staged.stat
    if found is None:
        return (0, 0, 0, 0, 0, 0, staged.mode, 0, 0, 0)
    return (
        *_seconds(found.st_ctime_ns),
        *_seconds(found.st_mtime_ns),
        found.st_dev & _WORD,
        found.st_ino & _WORD,
        staged.mode,
        found.st_uid & _WORD,
        found.st_gid & _WORD,
        found.st_size & _WORD,
    )


def _seconds(nanoseconds: int) -> tuple[int, int]:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return seconds & _WORD, rest
