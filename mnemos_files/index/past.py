"""Notes of another day, which today's index does not hold with those bytes."""

import gc
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.claims import Aliases, Claims
from mnemos_files.index.document import BREAK, TENTHS, TENTHS_MAX, Document, Indexed, path_terms
from mnemos_files.index.part import Floats, Ids, Slice, lengths_of
from mnemos_files.index.row import ROW, Row
from mnemos_files.model.note import Entry

DAYS_MAX = 2
"""Other days [1] whose notes stay analysed as a whole (35 MB each when 5,000 notes differ)."""

DOCUMENTS_MAX = 2_000
"""Single texts [1] beside them that stay analysed."""

CHUNK = 512
"""Notes [1] that are read and embedded in one go, to bound the memory for their texts."""

Read = Callable[[str, str], Indexed]
"""Gives the note at a path with these bytes (git's name)."""

Make = Callable[[Sequence[Indexed]], tuple[list[Document], Mapping[str, str]]]
"""Gives documents of notes, and those of them that should have a vector and have none."""

_GAP = b"\n"


class Past:
    """A part that is made at once and asked for few terms.

    It has no posting lists: a term is found by looking through all texts, which takes a hundredth
    of the time to make them.
    """

    def __init__(self, documents: Sequence[Document], dims: int) -> None:
        self.documents = list(documents)
        self.paths = [doc.path for doc in documents]
        self.ids = [doc.entry.record.id for doc in documents]
        self.rows: Row = np.frombuffer(b"".join(doc.row.tobytes() for doc in documents), ROW)
        self.vectors = np.concatenate([doc.vector for doc in documents]).reshape(-1, dims)
        self.norms: Floats = lengths_of(self.vectors)
        self.aliases, self.claims = Aliases(), Claims()
        for number, doc in enumerate(documents):
            self.aliases.add(number, doc.aliases)
            self.claims.add(number, doc.entry.record.supersedes)
        self._columns: dict[str, NDArray[Any]] = {}
        self._postings: dict[str, tuple[Ids, Floats]] = {}

    def column(self, name: str) -> NDArray[Any]:
        """One of the numbers in `ROW`, of all notes."""
        if name not in self._columns:
            self._columns[name] = np.ascontiguousarray(self.rows[name])
        return self._columns[name]

    def postings(self, term: str) -> tuple[Ids, Floats]:
        """Numbers of the notes with the term, rising, and its frequency in each."""
        if term not in self._postings:
            self._postings[term] = self._look_up(term)
        return self._postings[term]

    def _look_up(self, term: str) -> tuple[Ids, Floats]:
        """What `Document.postings` says of one term."""
        counts = TENTHS * np.bincount(self._holders(term), minlength=len(self.paths))
        for number, weight in self._extras.get(term, ()):
            counts[number] += weight
        named = np.array(self._named.get(term, ()), np.intp)
        counts[named[counts[named] == 0]] = TENTHS
        found = np.flatnonzero(counts > 0)
        weights = np.minimum(counts[found], TENTHS_MAX).astype(np.float32)
        return found.astype(np.int32), weights / np.float32(TENTHS)

    def _holders(self, term: str) -> NDArray[np.intp]:
        """The number of the note for each place where a term stands in a text."""
        text, starts = self._texts
        wanted = f" {term} ".encode()
        places, at = [], text.find(wanted) if term not in ("", BREAK) else -1
        while at >= 0:
            places.append(at)
            at = text.find(wanted, at + 1)
        return np.searchsorted(starts, np.array(places, np.int64), side="right") - 1

    @cached_property
    def _texts(self) -> tuple[bytes, NDArray[np.int64]]:
        """All sequences as one text, and where each begins."""
        sequences = [doc.sequence for doc in self.documents]
        ends = np.cumsum([len(sequence) + len(_GAP) for sequence in sequences], dtype=np.int64)
        return _GAP.join(sequences), np.concatenate([np.zeros(1, np.int64), ends[:-1]])

    @cached_property
    def _extras(self) -> dict[str, list[tuple[int, int]]]:
        """Further terms: notes and what is added to the frequency there [tenths]."""
        found: dict[str, list[tuple[int, int]]] = {}
        for number, doc in enumerate(self.documents):
            for term, weight in doc.extras.items():
                found.setdefault(term, []).append((number, round(TENTHS * weight)))
        return found

    @cached_property
    def _named(self) -> dict[str, list[int]]:
        """Notes that have a term in their path."""
        found: dict[str, list[int]] = {}
        for number, path in enumerate(self.paths):
            for term in path_terms(path):
                found.setdefault(term, []).append(number)
        return found

    def beginning(self, prefix: str, limit: int) -> list[str]:
        """Nothing: longer words are those of today's notes."""
        del prefix, limit
        return []

    def sequence(self, number: int) -> bytes:
        """Terms of a note in order, each between two blanks."""
        return self.documents[number].sequence

    def entry(self, number: int) -> Entry:
        """What is kept of a note."""
        return self.documents[number].entry

    def document(self, number: int) -> Document:
        """Everything that is kept of a note, to keep it elsewhere."""
        return self.documents[number]


@dataclass(slots=True)
class Archive:
    """Documents of other days, kept for the next question. Thread-safe."""

    make: Make
    dims: int
    _days: OrderedDict[str, list[Past]] = field(default_factory=OrderedDict)
    _single: OrderedDict[tuple[str, str], Document] = field(default_factory=OrderedDict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def some(self, extra: Sequence[Indexed]) -> list[Slice]:
        """These notes as slices of a view."""
        wanted = {(str(one.note.path), one.blob): one for one in extra}
        with self._lock:
            new = [one for key, one in wanted.items() if key not in self._single]
            docs, mute = self.make(new)
            found = {(doc.path, doc.entry.blob): doc for doc in docs}
            known = {key: found.get(key) or self._single[key] for key in wanted}
            if not mute:
                self._single.update(known)
            while len(self._single) > DOCUMENTS_MAX:
                self._single.popitem(last=False)
        return self._whole(list(known.values()))

    def day(self, name: str, wanted: Mapping[str, str], read: Read) -> list[Slice]:
        """The notes at these paths with these bytes (git's names), as slices of a view.

        What was asked of the day of that name before, or of another one that is kept, is not read
        again.
        """
        with self._lock:
            parts = self._days.pop(name, [])
            there = {key for part in parts for key in _keys(part)}
            new = [key for key in wanted.items() if key not in there]
            with _no_collector():
                docs, is_whole = self._documents(new, read)
            if docs:
                parts = [*parts, Past(docs, self.dims)]
            if is_whole:
                self._days[name] = parts
            while len(self._days) > DAYS_MAX:
                self._days.popitem(last=False)
        return [Slice(part, _living(part, wanted)) for part in parts]

    def _documents(
        self, keys: Sequence[tuple[str, str]], read: Read
    ) -> tuple[list[Document], bool]:
        """Documents of what is wanted, and true when they may be kept."""
        known = {
            key: doc
            for parts in self._days.values()
            for part in parts
            for key, doc in zip(_keys(part), part.documents, strict=True)
        }
        docs = [known[key] for key in keys if key in known]
        waiting = (key for key in keys if key not in known)
        is_whole = True
        while chunk := list(islice(waiting, CHUNK)):
            made, mute = self.make([read(path, blob) for path, blob in chunk])
            docs += made
            is_whole = is_whole and not mute
        return docs, is_whole

    def _whole(self, docs: Sequence[Document]) -> list[Slice]:
        return [Slice(Past(docs, self.dims), np.ones(len(docs), np.bool_))] if docs else []


@contextmanager
def _no_collector() -> Iterator[None]:
    """Keep Python from looking through all notes for circles again and again while many are made.

    That is a fifth of the time; there are none, and it catches up afterwards.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _keys(part: Past) -> Iterator[tuple[str, str]]:
    return ((doc.path, doc.entry.blob) for doc in part.documents)


def _living(part: Past, wanted: Mapping[str, str]) -> NDArray[np.bool_]:
    alive = (wanted.get(path) == blob for path, blob in _keys(part))
    return np.fromiter(alive, np.bool_, len(part.documents))
