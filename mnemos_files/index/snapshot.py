"""The index at one moment, as a search sees it: parts, who is alive in them, and their numbers."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.fading import Times, fades_from
from mnemos_files.index.part import Floats, Ids, Mask, Part
from mnemos_files.index.row import ROW, origin_key
from mnemos_files.model.note import Entry

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Slice:
    """A part with the notes of it that count: `alive` is as long as what was there by then."""

    part: Part
    alive: Mask

    def postings(self, term: str) -> tuple[Ids, Floats]:
        """Living notes with the term and its frequency in them."""
        ids, weights = self.part.postings(term)
        size = len(self.alive)
        if len(ids) and ids[-1] >= size:
            near = ids < size
            ids, weights = ids[near], weights[near]
        living = self.alive[ids]
        return (ids, weights) if living.all() else (ids[living], weights[living])


class Snapshot:
    """Slices one after the other; a *place* is a note's number counted through all of them."""

    def __init__(self, slices: Sequence[Slice]) -> None:
        self.slices = tuple(slices)
        sizes = [len(piece.alive) for piece in self.slices]
        self.starts: list[int] = [0, *np.cumsum(sizes).tolist()]
        self.size = self.starts[-1]
        self._columns: dict[str, NDArray[Any]] = {}
        self._stop_counts: dict[int, int] = {}

    @cached_property
    def alive(self) -> Mask:
        """True at the places of living notes."""
        return np.concatenate([piece.alive for piece in self.slices] or [np.empty(0, np.bool_)])

    @cached_property
    def count(self) -> int:
        """Living notes."""
        return int(np.count_nonzero(self.alive))

    @cached_property
    def lengths(self) -> Floats:
        """Terms in the sequence of each note."""
        return self.column("length").astype(np.float32)

    @cached_property
    def mean_length(self) -> float:
        """Mean number of terms of a living note, at least 1."""
        total = int(self.column("length")[self.alive].sum(dtype=np.int64))
        return max(1.0, total / self.count) if self.count else 1.0

    @cached_property
    def norms(self) -> Floats:
        """Length of the vector of each note."""
        norms = [piece.part.norms[: len(piece.alive)] for piece in self.slices]
        return np.concatenate(norms or [np.empty(0, np.float32)])

    @cached_property
    def turns(self) -> Places:
        """Places of the living notes that are turns of a session, session by session in time."""
        places = np.flatnonzero((self.column("session") != 0) & self.alive)
        keys = [self.column(name)[places] for name in ("id", "created", "session")]
        ordered: Places = places[np.lexsort(keys)]
        return ordered

    @cached_property
    def failed(self) -> NDArray[np.uint64]:
        """What notes of the sessions that reached nothing have as their `origin`, rising."""
        places = np.flatnonzero((self.column("failed") != 0) & self.alive).tolist()
        keys = {origin_key(name) for place in places for name in self.name(place)}
        return np.array(sorted(keys), np.uint64)

    @cached_property
    def fades_from(self) -> Times:
        """The time from which on each note fades when nobody sees it."""
        return fades_from(self.column("type"), self.column("created"))

    def column(self, name: str) -> NDArray[Any]:
        """One of the numbers in `ROW`, of all notes by place."""
        found = self._columns.get(name)
        if found is None:
            parts = [piece.part.rows[name][: len(piece.alive)] for piece in self.slices]
            found = self._columns[name] = np.concatenate(parts or [np.empty(0, ROW[name])])
        return found

    def with_stop(self, number: int) -> Places:
        """Places of the living notes that have a stop word."""
        columns = [
            piece.part.rows["stops"][: len(piece.alive), number // 8] for piece in self.slices
        ]
        bits = np.concatenate(columns or [np.empty(0, np.uint8)]) & np.uint8(1 << number % 8)
        return np.flatnonzero((bits != 0) & self.alive)

    def stop_count(self, number: int) -> int:
        """Living notes that have a stop word."""
        if number not in self._stop_counts:
            self._stop_counts[number] = len(self.with_stop(number))
        return self._stop_counts[number]

    def postings(self, terms: Sequence[tuple[str, float]]) -> tuple[Places, Floats]:
        """Living notes with any of the terms; the frequencies times the terms' weights, summed."""
        pieces = [
            (ids.astype(np.intp) + start, counts * np.float32(factor))
            for start, piece in zip(self.starts, self.slices, strict=False)
            for term, factor in terms
            for ids, counts in [piece.postings(term)]
            if len(ids)
        ]
        if not pieces:
            return np.empty(0, np.intp), np.empty(0, np.float32)
        if len(pieces) == 1:
            return pieces[0]
        if len(terms) == 1:
            return np.concatenate([p for p, _ in pieces]), np.concatenate([c for _, c in pieces])
        summed = np.zeros(self.size, np.float32)
        for places, counts in pieces:
            summed[places] += counts
        having = np.flatnonzero(summed)
        return having, summed[having]

    def beginning(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` terms that begin with the prefix and are longer, in order."""
        found = {term for piece in self.slices for term in piece.part.beginning(prefix, limit)}
        return sorted(found)[:limit]

    def sequence(self, place: int) -> bytes:
        """Terms of a note in order."""
        piece, number = self.find(place)
        return piece.part.sequence(number)

    def entry(self, place: int) -> Entry:
        """What is kept of a note."""
        piece, number = self.find(place)
        return piece.part.entry(number)

    def name(self, place: int) -> tuple[str, str]:
        """Id and path of a note, without decoding it."""
        piece, number = self.find(place)
        return piece.part.ids[number], piece.part.paths[number]

    def find(self, place: int) -> tuple[Slice, int]:
        """The slice of a place and the note's number in its part."""
        which = bisect_right(self.starts, place) - 1
        return self.slices[which], place - self.starts[which]
