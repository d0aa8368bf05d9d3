"""The numbers of a note: one packed row, a column of the index for each field."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemos_files.format.targets import ID_TAIL, file_stem, fold
from mnemos_files.index.terms import STOP_WORDS, Terms
from mnemos_files.model.note import Entry
from mnemos_files.model.record import TRUST_TIERS, Record

_STOP_BYTES = (len(STOP_WORDS) + 7) // 8
ROW = np.dtype(
    [
        ("size", "<i8"),  # bytes of the file
        ("mtime_ns", "<i8"),
        ("inode", "<u8"),
        ("created", "<i8"),  # microseconds since 1970, 0 = unknown
        ("ends", "<i8"),  # when it ceases to hold, NO_END = never
        ("from", "<i8"),  # when it begins to hold, UNKNOWN = not said
        ("wrong", "<i8"),  # when it was found to have held at no time, NO_END = never
        ("session", "<u8"),  # hash of project and session of an episodic note, 0 = none
        ("project", "<u8"),  # hash, 0 = global
        ("agent", "<u8"),  # hash, 0 = none
        ("type", "<u8"),  # hash
        ("key", "<u8"),  # hash of the id
        ("tail", "<u8"),  # hash of the end of the id, in lower case
        ("path", "<u8"),  # hash of the path
        ("stem", "<u8"),  # hash of the folded name of the file
        ("origin", "<u8"),  # hash of the session it links to (`origin_key`), 0 = none
        ("tags", "<u8"),  # two bits for each tag
        ("length", "<u4"),  # terms in the sequence
        ("importance", "u1"),
        ("tier", "u1"),  # position in TRUST_TIERS
        ("hidden", "u1"),  # 1 = its text must not be handed out as a memory
        ("apart", "u1"),  # 1 = found only when its type is asked for
        ("against", "u1"),  # 1 = it has a link that contradicts another note
        ("ended", "u1"),  # 1 = its own file says when it was invalidated
        ("retracted", "u1"),  # 1 = `Record.is_retracted`
        ("failed", "u1"),  # 1 = a session that reached nothing
        ("blob", "u1", 20),
        ("digest", "u1", 32),
        ("stops", "u1", _STOP_BYTES),  # one bit for each stop word in the text
        ("id", "S26"),  # its first letters, to sort neighbours of one second
    ]
)
"""The numbers of a note; a column of the index holds one packed row for each note."""

Row = NDArray[np.void]
Column = Callable[[str], NDArray[Any]]
"""Gives a field of `ROW` for every note."""

NO_END = np.iinfo(np.int64).max
UNKNOWN = -(1 << 62)
"""Instead of a time [microseconds since 1970]: nobody says when."""

UNREADABLE = frozenset({"conflict-markers", "not-utf8"})
"""Problems of a file whose text must not be handed out as a memory."""

FAILED = frozenset({"failed", "blocked"})
"""Values of a session's `status` that say that it did not reach its goal."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def make_row(entry: Entry, parts: Sequence[Terms]) -> Row:
    """The row of a note with these terms."""
    row = np.zeros((), ROW)
    row["length"] = sum(len(part.sequence) for part in parts)
    bits = np.zeros(_STOP_BYTES * 8, np.uint8)
    bits[list(set(chain.from_iterable(part.stops for part in parts)))] = 1
    row["stops"] = np.packbits(bits, bitorder="little")
    fill(row, entry)
    return row


def fill(row: Row, entry: Entry) -> None:
    """Write the numbers that may change while the text stays."""
    record, path = entry.record, str(entry.path)
    row["size"] = entry.stamp.size
    row["mtime_ns"] = entry.stamp.mtime_ns
    row["inode"] = entry.stamp.inode & 0xFFFF_FFFF_FFFF_FFFF
    row["blob"] = np.frombuffer(bytes.fromhex(entry.blob), np.uint8)
    row["digest"] = np.frombuffer(bytes.fromhex(entry.digest), np.uint8)
    row["importance"] = record.importance
    row["created"] = microseconds(record.created) if record.created else 0
    row["ends"] = _end(record)
    row["retracted"] = record.is_retracted
    row["ended"] = record.invalidated is not None
    row["from"] = UNKNOWN if record.valid_from is None else microseconds(record.valid_from)
    row["wrong"] = _found_wrong(record)
    row["session"] = _session_key(record)
    row["project"] = name_key(record.project)
    row["agent"] = name_key(record.agent)
    row["type"] = name_key(record.type)
    row["key"] = name_key(record.id)
    row["tail"] = name_key(record.id[-ID_TAIL:].lower())
    row["path"] = name_key(path)
    row["stem"] = name_key(fold(file_stem(path)))
    row["origin"] = origin_key(record.session)
    row["tags"] = tag_bits(with_groups(record.tags))
    row["tier"] = TRUST_TIERS.index(record.trust_tier)
    row["hidden"] = any(problem.rule in UNREADABLE for problem in entry.problems)
    row["apart"] = not record.kind.is_saved
    row["against"] = bool(record.contradicts)
    row["failed"] = record.type == "session" and _status(record) in FAILED
    row["id"] = record.id.encode()


def microseconds(moment: datetime) -> int:
    """Microseconds since 1970, exact."""
    passed = moment - EPOCH
    return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds


def moment_of(count: int) -> datetime:
    """The time so many microseconds after 1970."""
    return EPOCH + timedelta(microseconds=count)


def name_key(name: str) -> int:
    """Hash [64 bits] of a name, 0 for none: equal names have equal ones."""
    if not name:
        return 0
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


def origin_key(link: str) -> int:
    """Hash [64 bits] of a link to a session: the same for its stem, its path and `.md` after it."""
    name = link.rpartition("/")[2]
    return name_key(fold(name[:-3] if name.lower().endswith(".md") else name))


def with_groups(tags: Iterable[str]) -> Iterator[str]:
    """The tags, and with a slash behind them all groups that they are in: `a/b` is in `a/`."""
    for tag in tags:
        yield tag
        ends = (at for at, sign in enumerate(tag) if sign == "/")
        yield from (tag[: end + 1] for end in ends)
        yield f"{tag}/"


def tag_bits(tags: Iterable[str]) -> int:
    """Two of 64 bits for each tag, whatever its case: notes that lack one lack the tag."""
    bits = 0
    for tag in tags:
        key = name_key(tag.casefold())
        bits |= 1 << (key & 63) | 1 << (key >> 6 & 63)
    return bits


def _status(record: Record) -> str:
    status = dict(record.properties).get("status", "")
    return status.strip().lower() if isinstance(status, str) else ""


def _end(record: Record) -> int:
    """The first time at which the record is no longer live (`Record.is_live`)."""
    ends = (record.invalidated, record.valid_until, record.expires)
    return min((microseconds(end) for end in ends if end is not None), default=int(NO_END))


def _found_wrong(record: Record) -> int:
    """When a record was ended that neither another one replaced nor that held until some time."""
    if record.invalidated is None or not record.is_retracted or record.valid_until:
        return int(NO_END)
    return microseconds(record.invalidated)


def _session_key(record: Record) -> int:
    if record.type != "episodic" or not record.session:
        return 0
    return name_key(f"{record.project}\0{record.session}")
