"""Pairs of notes that say nearly the same, found again only where something changed."""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.document import BREAK
from mnemos_files.index.filters import allowed
from mnemos_files.index.near_kept import Kept, Known, Neighbours, Pair, load, pack, save, unpack
from mnemos_files.index.near_search import Near, Rows, near
from mnemos_files.index.row import name_key
from mnemos_files.index.snapshot import Places, Snapshot
from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query

NEIGHBOURS_MAX = 8
"""Near notes [1] that are kept of each note, the nearest first, so that a thousand copies of one
text are no million pairs."""

EVENTS = ("dream", "episodic")
"""Types that tell what happened, not what holds: they are not compared."""

KEY_BYTES = 12
_BREAK = BREAK.encode()


@dataclass(frozen=True, slots=True)
class Judge:
    """Says of two notes, the older one first, what is to be kept of them: "" = nothing.

    It is asked once for each two texts; `name` must change whenever it would say something else.
    None means that it cannot tell now.
    """

    name: str
    judge: Callable[[Entry, Entry], str | None]


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two notes that say nearly the same, the older first, and what was judged of them.

    `share` is that of their words, `cosine` that of their meanings [1; 0 = one has no vector].
    """

    older: Entry
    newer: Entry
    share: float
    cosine: float
    verdict: str


class NearPairs:
    """The near pairs of one index. Safe in threads.

    What was compared is known by its content: two texts are compared once, whatever became of the
    notes since, by this process or, through the kept file, by one before.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._kept: dict[str, Kept] = {}

    def find(self, view: Snapshot, now: datetime, judge: Judge) -> list[NearPair]:
        """Pairs of which the judge says something, the most alike first, then the oldest.

        Only notes that hold and are not raw, of one project or one of them global.
        """
        notes = _Notes(view, now)
        with self._lock:
            kept = self._kept.get(judge.name) or load(self._folder, judge.name)
            if kept.stamp != notes.stamp:
                kept = _compared(notes, unpack(kept.known), judge)
                save(self._folder, judge.name, kept)
            self._kept = {judge.name: kept}
        return [
            NearPair(
                older=notes.entry(pair.older),
                newer=notes.entry(pair.newer),
                share=pair.share,
                cosine=pair.cosine,
                verdict=pair.verdict,
            )
            for pair in kept.pairs
        ]


class _Notes:
    """The notes that are compared, the oldest first: the same order whatever their places.

    Notes that share an id are a fault of the vault (`check` tells) and are not compared.
    """

    def __init__(self, view: Snapshot, now: datetime) -> None:
        self._view = view
        kept = view.alive & allowed(view.column, Query(text="", now=now))
        for name in EVENTS:
            kept &= view.column("type") != np.uint64(name_key(name))
        places = np.flatnonzero(kept)
        _, first, counts = np.unique(
            view.column("key")[places], return_index=True, return_counts=True
        )
        places = places[first[counts == 1]]
        order = np.lexsort([view.column(name)[places] for name in ("key", "id", "created")])
        self.places: Places = places[order]

    @cached_property
    def vectors(self) -> NDArray[np.int8]:
        """Their vectors."""
        view = self._view
        dims = view.slices[0].part.vectors.shape[1] if view.slices else 1
        found = np.empty((len(self.places), dims), np.int8)
        for piece, low, high in zip(view.slices, view.starts, view.starts[1:], strict=False):
            inside = (self.places >= low) & (self.places < high)
            found[inside] = piece.part.vectors[self.places[inside] - low]
        return found

    @cached_property
    def _bytes(self) -> NDArray[np.uint8]:
        """A row for each note with all that decides what is near to it and what is said of it."""
        names = ("digest", "project", "key", "tags", "created")
        chosen = (self._view.column(name)[self.places] for name in names)
        columns = [
            np.frombuffer(column.tobytes(), np.uint8).reshape(len(column), column.strides[0])
            for column in map(np.ascontiguousarray, chosen)
        ]
        return np.concatenate([*columns, self.vectors.view(np.uint8)], axis=1)

    @cached_property
    def stamp(self) -> str:
        """Digest of all of them."""
        return blake2b(self._bytes.tobytes(), digest_size=KEY_BYTES).hexdigest()

    @cached_property
    def keys(self) -> list[str]:
        """A digest of each."""
        rows = self._bytes
        return [blake2b(row.tobytes(), digest_size=KEY_BYTES).hexdigest() for row in rows]

    def rows(self) -> Rows:
        """What is compared: vectors, and the words of title, text and tags without the day."""
        squares = np.einsum("ij,ij->i", self.vectors, self.vectors, dtype=np.int64)
        days = self._view.column("created")[self.places] != 0
        texts = (self._view.sequence(place) for place in self.places.tolist())
        return Rows(
            self.vectors,
            np.sqrt(squares.astype(np.float64)),
            self._view.column("project")[self.places],
            [_terms(text, has_day=day) for text, day in zip(texts, days.tolist(), strict=True)],
        )

    def entry(self, number: int) -> Entry:
        """What is kept of a note."""
        return self._view.entry(int(self.places[number]))


def _terms(sequence: bytes, *, has_day: bool) -> frozenset[bytes]:
    text = sequence.rpartition(b" " + _BREAK + b" ")[0] if has_day else sequence
    return frozenset(text.split()) - {_BREAK}


def _compared(notes: _Notes, before: Known, judge: Judge) -> Kept:
    """What holds now: what is new is compared and judged, the rest taken over."""
    after = Known(_neighbours(before.rows, notes))
    pairs, is_whole = [], True
    for older, newer, (share, cosine) in _pairs(notes.keys, after.rows):
        key = notes.keys[older] + notes.keys[newer]
        verdict = before.verdicts.get(key)
        if verdict is None:
            verdict = judge.judge(notes.entry(older), notes.entry(newer))
        if verdict is None:
            is_whole = False
            continue
        after.verdicts[key] = verdict
        if verdict:
            pairs.append(Pair(older, newer, share, cosine, verdict))
    return Kept(notes.stamp if is_whole else "", tuple(pairs), pack(after))


def _neighbours(known: Mapping[str, Neighbours], notes: _Notes) -> dict[str, Neighbours]:
    """The neighbours of every note: those of before, and what the new ones bring."""
    numbers = {key: number for number, key in enumerate(notes.keys)}
    left = ((key, _left(known[key], numbers)) for key in notes.keys if key in known)
    rows = {key: row for key, row in left if row is not None}
    wanted = [number for number, key in enumerate(notes.keys) if key not in rows]
    if not wanted:
        return rows
    is_old = np.ones(len(notes.keys), np.bool_)
    is_old[wanted] = False
    for found in near(notes.rows(), wanted):
        _take(rows, notes.keys, found)
        for at in np.flatnonzero(is_old[found.others]).tolist():
            values = (float(found.shares[at]), float(found.cosines[at]))
            row = rows[notes.keys[found.others[at]]]
            _add(row, notes.keys[found.note], values, numbers)
    return {key: rows[key] for key in notes.keys}


def _left(row: Neighbours, present: Collection[str]) -> Neighbours | None:
    """What is left of the neighbours; None when others may have to take the place of one."""
    found = {key: values for key, values in row.found.items() if key in present}
    if row.is_full and len(found) < len(row.found):
        return None
    return Neighbours(found, row.is_full)


def _take(rows: dict[str, Neighbours], keys: list[str], found: Near) -> None:
    """The nearest of what was found for a note."""
    nearest = np.lexsort((found.others, -found.cosines, -found.shares))[:NEIGHBOURS_MAX]
    values = zip(found.shares[nearest].tolist(), found.cosines[nearest].tolist(), strict=True)
    others = [keys[other] for other in found.others[nearest].tolist()]
    is_full = len(found.others) > NEIGHBOURS_MAX
    rows[keys[found.note]] = Neighbours(dict(zip(others, values, strict=True)), is_full)


def _add(row: Neighbours, key: str, values: Sequence[float], numbers: Mapping[str, int]) -> None:
    """One more neighbour; the least near one goes when there are too many."""
    row.found[key] = values
    if len(row.found) > NEIGHBOURS_MAX:
        last = max(row.found, key=lambda one: (*(-v for v in row.found[one]), numbers[one]))
        del row.found[last]
        row.is_full = True


def _pairs(
    keys: Sequence[str], rows: Mapping[str, Neighbours]
) -> list[tuple[int, int, Sequence[float]]]:
    """Numbers of the older and the newer note of each pair, and its share and cosine [1]."""
    numbers = {key: number for number, key in enumerate(keys)}
    found = {}
    for key, row in rows.items():
        for other, values in row.found.items():
            one, two = sorted((numbers[key], numbers[other]))
            found[one, two] = values
    ordered = sorted(found.items(), key=lambda item: (-item[1][0], -item[1][1], item[0]))
    return [(one, two, values) for (one, two), values in ordered]
