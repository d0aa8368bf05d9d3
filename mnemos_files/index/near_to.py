"""What the index holds that says nearly what some notes say: only these are compared."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from mnemos_files.index.document import BREAK
from mnemos_files.index.filters import allowed
from mnemos_files.index.near import EVENTS
from mnemos_files.index.near_search import (
    CLOSE_MIN,
    LONG,
    ROWS,
    SHARE_MIN,
    SHARE_MIN_LONG,
    SHARE_MIN_WORDS,
    scalar_products,
)
from mnemos_files.index.part import Mask
from mnemos_files.index.row import name_key
from mnemos_files.index.snapshot import Places, Snapshot
from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query

SIMILAR_MAX = 5
"""Near notes [1] that are given of each note, the nearest first."""


CLOSE_MAX = 16
"""Notes [1], the closest in meaning, whose words are compared with those of one."""

_BREAK = f" {BREAK} ".encode()


@dataclass(frozen=True, slots=True)
class Similar:
    """A note that says nearly what another one says; `share` is that of their words [1]."""

    entry: Entry
    share: float


def near_to(view: Snapshot, paths: Collection[str], now: datetime) -> dict[str, list[Similar]]:
    """For each path the notes that hold, of its project or global, and say nearly the same.

    Quarantined ones count too. The measure is that of `near_search`.
    """
    kept = view.alive & allowed(view.column, Query(text="", now=now, include_raw=True))
    for name in EVENTS:
        kept &= view.column("type") != np.uint64(name_key(name))
    places: Places = np.flatnonzero(kept)
    named = [view.name(place)[1] for place in places.tolist()]
    wanted = [at for at, path in enumerate(named) if path in paths]
    if not wanted:
        return {}
    search, found = _Search(view, places), {}
    for low in range(0, len(wanted), ROWS):
        for at, others in search.close(wanted[low : low + ROWS]):
            found[named[at]] = list(search.near(at, others))
    return found


class _Search:
    """Notes that may be near, and their vectors; texts are read of those that come close."""

    def __init__(self, view: Snapshot, places: Places) -> None:
        self._view = view
        self._places = places
        pieces = [piece.part.vectors[: len(piece.alive)] for piece in view.slices]
        self._vectors = np.concatenate(pieces)[places]
        self._norms = view.norms[places].astype(np.float64)
        self._projects = view.column("project")[places]
        self._terms: dict[int, frozenset[bytes]] = {}

    def near(self, at: int, others: Places) -> Iterator[Similar]:
        """The nearest of the others that share enough words with a note."""
        mine = self._words(at)
        shares = [(self._share(mine, at, other), other) for other in others.tolist()]
        near = sorted((-share, other) for share, other in shares if share)
        for share, other in near[:SIMILAR_MAX]:
            yield Similar(self._view.entry(int(self._places[other])), -share)

    def close(self, some: list[int]) -> Iterator[tuple[int, Places]]:
        """For each of some notes those of its scope that are closest in meaning.

        Where one of both has no vector their words alone decide.
        """
        rows = scalar_products(self._vectors, np.array(some, np.intp))
        for at, row in zip(some, rows, strict=True):
            lengths = self._norms * self._norms[at]
            kept: Mask = row >= lengths * CLOSE_MIN
            project = self._projects[at]
            if project:
                kept &= (self._projects == project) | (self._projects == 0)
            kept[at] = False
            seen, mute = np.flatnonzero(kept & (lengths > 0)), np.flatnonzero(kept & (lengths == 0))
            closest = np.argsort(-row[seen] / lengths[seen], kind="stable")[:CLOSE_MAX]
            yield at, np.concatenate([seen[closest], mute])

    def _share(self, mine: frozenset[bytes], at: int, other: int) -> float:
        """Share of the words that both have [1], 0 when it is too small to be near."""
        theirs = self._words(other)
        size = len(mine) * len(theirs)
        share = len(mine & theirs) / max(1.0, size**0.5)
        if size > LONG * LONG:
            return share if share >= SHARE_MIN_LONG else 0.0
        has_both = self._norms[at] > 0 and self._norms[other] > 0
        return share if share >= (SHARE_MIN if has_both else SHARE_MIN_WORDS) else 0.0

    def _words(self, at: int) -> frozenset[bytes]:
        found = self._terms.get(at)
        if found is None:
            sequence = self._view.sequence(int(self._places[at]))
            text = sequence.rpartition(_BREAK)[0]  # without the day, which stands last
            found = self._terms[at] = frozenset(text.split()) - {_BREAK.strip()}
        return found
