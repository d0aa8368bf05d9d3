"""A note as the index keeps it: where it lies, what it is found by, its numbers and its vector."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import PurePosixPath
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemos_files.format.targets import aliases_of
from mnemos_files.index.row import Row, fill, make_row
from mnemos_files.index.terms import analyse
from mnemos_files.model.digest import content_digest
from mnemos_files.model.note import Entry, Note, Stamp
from mnemos_files.model.problem import Problem
from mnemos_files.model.record import TIME_FIELDS, Record

_SKILL = "skill"
TEXT_MAX = 1_000_000
"""Characters [1] of a note that are indexed; what comes after is in the file only."""

Vectors = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Indexed:
    """A note to take into the index, with its file's stamp and git's name for its bytes."""

    note: Note
    stamp: Stamp
    blob: str


@dataclass(frozen=True, slots=True)
class Document:
    """Everything the index keeps of a note.

    `sequence` is its terms in order, each between two blanks, so that a pair of neighbours is one
    byte string; `extras` are further terms with their frequency.
    """

    entry: Entry
    sequence: bytes
    extras: dict[str, float]
    row: Row
    vector: Vectors

    @property
    def path(self) -> str:
        """Path below the vault, with slashes."""
        return str(self.entry.path)

    @property
    def aliases(self) -> tuple[str, ...]:
        """Further names that a person gave the note."""
        return aliases_of(self.entry.record)

    def postings(self) -> dict[str, int]:
        """Term -> frequency [tenths] in text, names and path.

        Words of the path count once, and only if they are nowhere else. Frequencies are kept in
        one byte: past 25.5 occurrences BM25 hardly moves.
        """
        counts = Counter(self.sequence.decode().split())
        del counts[BREAK]
        found = {term: TENTHS * count for term, count in counts.items()}
        for term, weight in self.extras.items():
            found[term] = found.get(term, 0) + round(TENTHS * weight)
        for term in path_terms(self.path):
            found.setdefault(term, TENTHS)
        return {t: min(weight, TENTHS_MAX) for t, weight in found.items() if weight > 0}


TENTHS = 10
TENTHS_MAX = 255

BREAK = "|"
"""Stands between parts of a sequence, so that no pair reaches from one into the next."""


def document(indexed: Indexed, vector: Vectors) -> Document:
    """The document of a note that was not in the index before."""
    entry = entry_of(indexed)
    title, *others = [analyse(text) for text in _parts(indexed.note)]
    parts = [title, title, *others]
    sequence = f"  {BREAK}  ".join("  ".join(part.sequence) for part in parts if part.sequence)
    extras: Counter[str] = Counter()
    for part in parts:
        extras.update(part.extras)
    row = make_row(entry, parts)
    return Document(entry, f" {sequence} ".encode(), dict(extras), row, vector)


def moved(old: Document, indexed: Indexed) -> Document | None:
    """The document of the same bytes under a new path or stamp, or None when its text differs.

    A note without a title of its own is called like its file: then a move changes what it says.
    """
    entry = entry_of(indexed)
    was, now = old.entry.record, entry.record
    if (was.title, was.created, was.tags) != (now.title, now.created, now.tags):
        return None
    row = old.row.copy()
    fill(row, entry)
    return replace(old, entry=entry, row=row)


def restamped(old: Document, stamp: Stamp) -> Document:
    """The document of the same bytes when only the file system's numbers changed."""
    row = old.row.copy()
    entry = replace(old.entry, stamp=stamp)
    fill(row, entry)
    return replace(old, entry=entry, row=row)


def entry_of(indexed: Indexed) -> Entry:
    """What is kept of a note beside what it is found by: the record without its texts."""
    note = indexed.note
    return Entry(
        path=note.path,
        stamp=indexed.stamp,
        blob=indexed.blob,
        record=replace(note.record, content="", sections=(), tags=_tags(note)),
        digest=content_digest(note.record),
        outgoing=note.outgoing,
        problems=note.problems,
        is_ours=note.is_ours,
    )


def _tags(note: Note) -> tuple[str, ...]:
    """All tags of a note, each once whatever its case."""
    if not note.inline_tags:
        return note.record.tags
    known = {tag.casefold(): tag for tag in (*note.inline_tags, *note.record.tags)}
    own = dict.fromkeys(tag.casefold() for tag in note.record.tags)
    return (*note.record.tags, *(tag for key, tag in known.items() if key not in own))


def spoken(sequence: bytes) -> frozenset[str]:
    """The terms of a sequence without those of the day, which stands last where it is known."""
    title, *others = sequence.decode().split(f"  {BREAK}  ")
    return frozenset(" ".join([title, *others[:-1]]).split())


def meaning(note: Note) -> str:
    """The text whose vector stands for the note: title and body, and the tags of a skill."""
    record = note.record
    tags = f"\n{' '.join(record.tags)}" if record.type == _SKILL and record.tags else ""
    return f"{record.title}\n{_body(note)}{tags}"[:TEXT_MAX]


def _body(note: Note) -> str:
    """The text below the title; what a skill is for stands above its body, in its keys."""
    record = note.record
    if record.type == _SKILL and note.body:
        return f"{record.content}\n\n{note.body}"
    return note.body or "\n\n".join((record.content, *(text for _, text in record.sections)))


def _parts(note: Note) -> Sequence[str]:
    """Title, body, tags and the day in words; the title counts twice (docs/ranking.md, "Text")."""
    record = note.record
    day = _day(record.created) if record.created else ""
    return (record.title, _body(note)[:TEXT_MAX], " ".join(record.tags), day)


def _day(created: datetime) -> str:
    return f"{created.day} {_MONTHS[created.month - 1]} {created.year}"


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)


def path_terms(path: str) -> set[str]:
    """Terms of the folders and the name of a file, without its ending."""
    pure = PurePosixPath(path)
    found = analyse(str(pure.with_suffix("")).replace("_", " ").replace("-", " "))
    return {*found.sequence, *(term for term, weight in found.extras.items() if weight > 0)}


_DEFAULTS = {field.name: field.default for field in fields(Record)}
_TUPLES = tuple(
    name for name, default in _DEFAULTS.items() if default == () and name != "properties"
)
_REPEATED = ("type", "project", "agent", "session")
RECORD_FIELDS = tuple(_DEFAULTS)
"""Names of the fields of a record: an index written with others is not read."""


def encode_entry(entry: Entry) -> bytes:
    """JSON of an entry without path, stamp, blob and digest, which have columns of their own."""
    record = {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name in _DEFAULTS
        if (value := getattr(entry.record, name)) != _DEFAULTS[name]
    }
    problems = [(p.path, p.line, p.rule, p.message, p.remedy) for p in entry.problems]
    whole = (record, entry.outgoing, problems, entry.is_ours)
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


def decode_entry(data: bytes, path: str, row: Row) -> Entry:
    """The entry from its JSON, its path and its row."""
    record, outgoing, problems, is_ours = json.loads(data)
    return Entry(
        path=PurePosixPath(path),
        stamp=Stamp(int(row["size"]), int(row["mtime_ns"]), int(row["inode"])),
        blob=row["blob"].tobytes().hex(),
        record=_decode_record(record),
        digest=row["digest"].tobytes().hex(),
        outgoing=tuple(outgoing),
        problems=tuple(Problem(*problem) for problem in problems),
        is_ours=is_ours,
    )


def _decode_record(values: dict[str, Any]) -> Record:
    for name in TIME_FIELDS:
        if name in values:
            values[name] = datetime.fromisoformat(values[name])
    for name in _TUPLES:
        if name in values:
            values[name] = tuple(values[name])
    if "properties" in values:
        values["properties"] = tuple(
            (key, tuple(value) if isinstance(value, list) else value)
            for key, value in values["properties"]
        )
    for name in _REPEATED:
        if name in values:
            values[name] = intern(values[name])
    values.setdefault("content", "")
    return Record(**values)


def encode_names(doc: Document) -> bytes:
    """Path, id, further names and what the note supersedes as one column value."""
    lists = (doc.aliases, doc.entry.record.supersedes)
    names = (_ITEMS.join(name.translate(_NO_SIGNS) for name in names) for names in lists)
    return _LISTS.join((doc.path, doc.entry.record.id, *names)).encode("utf-8", "surrogatepass")


def decode_names(data: bytes) -> tuple[str, str, list[str], list[str]]:
    """Path, id, further names and what the note supersedes."""
    path, record_id, aliases, links = data.decode("utf-8", "surrogatepass").split(_LISTS)
    return path, record_id, _items(aliases), _items(links)


def _items(text: str) -> list[str]:
    return text.split(_ITEMS) if text else []


_LISTS, _ITEMS = "\0", "\x1f"
_NO_SIGNS = dict.fromkeys(map(ord, (_LISTS, _ITEMS)))


def encode_terms(doc: Document) -> bytes:
    """The terms of a document as one column value."""
    extras = " ".join(f"{term} {weight:g}" for term, weight in doc.extras.items())
    return doc.sequence + b"\n" + extras.encode()


def decode_terms(data: bytes) -> tuple[bytes, dict[str, float]]:
    """Sequence and extras from the column value."""
    sequence, _, extras = data.partition(b"\n")
    flat = extras.decode().split()
    return sequence, dict(zip(flat[::2], map(float, flat[1::2]), strict=True))
