"""The index at one moment, as a search sees it: parts, who is alive in them, and their numbers."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.fading import Times, fades_from
from mnemos_files.index.part import Floats, Mask, Part, Slice
from mnemos_files.index.row import EPOCH, NO_END, ROW, UNKNOWN, moment_of, origin_key
from mnemos_files.index.succession import Succession, succession
from mnemos_files.model.note import Entry

Places = NDArray[np.intp]


class Snapshot:
    """Slices one after the other; a *place* is a note's number counted through all of them.

    `moment` is when a view of the past was [microseconds since 1970].
    """

    def __init__(self, slices: Sequence[Slice], moment: int = NO_END) -> None:
        self.slices = tuple(slices)
        self.moment = moment
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

    @cached_property
    def succession(self) -> Succession:
        """Which notes are superseded by what others say."""
        return succession(self)

    def column(self, name: str) -> NDArray[Any]:
        """One of the numbers in `ROW`, of all notes by place; superseded ones have ended."""
        found = self._columns.get(name)
        if found is None:
            parts = [piece.part.column(name)[: len(piece.alive)] for piece in self.slices]
            found = np.concatenate(parts or [np.empty(0, ROW[name])])
            if name == "ends":
                old, since = self.succession.old, self.succession.since
                found[old] = np.minimum(found[old], since)
            self._columns[name] = found
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
        """What is kept of a note; a superseded one has its end, whatever its file says."""
        piece, number = self.find(place)
        entry = piece.part.entry(number)
        return entry if place not in self._superseded else self._ended(entry, place)

    def place_of(self, part: Part, number: int) -> int:
        """The place of a note of one of the parts."""
        parts = [piece.part for piece in self.slices]
        return self.starts[parts.index(part)] + number

    @cached_property
    def _superseded(self) -> dict[int, tuple[int, int]]:
        """Place of a superseded note -> place of the one that supersedes it, and since when."""
        found = self.succession
        pairs = zip(found.by.tolist(), found.since.tolist(), strict=True)
        return dict(zip(found.old.tolist(), pairs, strict=True))

    def _ended(self, entry: Entry, place: int) -> Entry:
        record = entry.record
        by, since = self._superseded[place]
        moment = record.created or EPOCH if since == UNKNOWN else moment_of(since)
        link = self.name(by)[1].removesuffix(".md")
        return replace(entry, record=replace(record, invalidated=moment, invalidated_by=link))

    def name(self, place: int) -> tuple[str, str]:
        """Id and path of a note, without decoding it."""
        piece, number = self.find(place)
        return piece.part.ids[number], piece.part.paths[number]

    def circles(self) -> list[tuple[str, str]]:
        """Paths of the ends of links by which notes supersede each other in a circle."""
        pairs = self.succession.circles
        return sorted((self.name(by)[1], self.name(old)[1]) for by, old in pairs)

    def find(self, place: int) -> tuple[Slice, int]:
        """The slice of a place and the note's number in its part."""
        which = bisect_right(self.starts, place) - 1
        return self.slices[which], place - self.starts[which]
