"""Which notes are superseded by what others say, whatever their own front matter says.

The rule of `store.names.resolve` for many links at once, on columns: nothing here grows with the
vault but array work.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mnemos_files.format.targets import fold
from mnemos_files.index.claims import TIERS, Keys
from mnemos_files.index.fading import Times
from mnemos_files.index.part import Mask, Slice
from mnemos_files.index.row import NO_END, UNKNOWN
from mnemos_files.model.record import TRUST_TIERS

Places = NDArray[np.intp]

NONE, SEVERAL = -1, -2
"""Instead of a place: the link leads nowhere, or to several notes."""

_RAW = TRUST_TIERS.index("raw")
_LOW_BITS = np.uint64(0xFFFF)
_NO_PLACES: Places = np.empty(0, np.intp)


class Columns(Protocol):
    """What is looked at of a snapshot."""

    slices: tuple[Slice, ...]
    starts: list[int]
    moment: int

    @property
    def alive(self) -> Mask:
        """True at the places of living notes."""

    def column(self, name: str) -> NDArray[Any]:
        """One of the numbers in `ROW`, of all notes by place."""

    def name(self, place: int) -> tuple[str, str]:
        """Id and path of a note."""


@dataclass(frozen=True, slots=True)
class Succession:
    """Places of superseded notes, rising, of those that supersede them, and since when.

    `since` is in microseconds since 1970 (`row.UNKNOWN` = nobody says when). `circles` are pairs
    of places, newer and older end of links that lead back to where they begin: these hide nothing.
    """

    old: Places
    by: Places
    since: Times
    circles: tuple[tuple[int, int], ...] = ()


NOBODY = Succession(_NO_PLACES, _NO_PLACES, np.empty(0, np.int64))


def succession(view: Columns) -> Succession:
    """What the living notes of a view supersede.

    The rule of `Record.can_end`; that a superseding note has been replaced or is outdated does not
    matter. A note whose own file says when it was invalidated has that end and no other.
    """
    by, old = _links(view)
    if not len(by):
        return NOBODY
    tier = view.column("tier")
    counts = (tier[by] != _RAW) | (tier[old] == _RAW)
    counts &= view.column("retracted")[by] == 0
    by, old = by[counts], old[counts]
    is_circle = _circles(by, old, view.column("created"))
    circles = tuple(zip(by[is_circle].tolist(), old[is_circle].tolist(), strict=True))
    counts = ~is_circle & (view.column("ended")[old] == 0)
    return _first(by[counts], old[counts], view, circles)


def _first(
    by: Places, old: Places, view: Columns, circles: tuple[tuple[int, int], ...]
) -> Succession:
    """Of several that supersede a note the one that did so first."""
    since = _since(by, view)
    order = np.lexsort((view.column("key")[by], since, old))
    old, by, since = old[order], by[order], since[order]
    is_first = np.ones(len(old), np.bool_)
    is_first[1:] = old[1:] != old[:-1]
    return Succession(old[is_first], by[is_first], since[is_first], circles)


def _since(by: Places, view: Columns) -> Times:
    """When notes took the place of others: from when they hold, else when they were made.

    A time of making that is later than the file is one of another zone: the file's counts then.
    """
    stated = view.column("from")[by]
    created = view.column("created")[by]
    written = view.column("mtime_ns")[by] // 1_000
    made = np.minimum(created, np.where(written > 0, written, NO_END))
    made = np.where(created == 0, UNKNOWN, np.minimum(made, view.moment))
    return np.where(stated == UNKNOWN, made, stated)


def _links(view: Columns) -> tuple[Places, Places]:
    """Both ends of every link that means exactly one note."""
    numbers, keys, ends = [_NO_PLACES], [np.empty((0, len(TIERS)), np.uint64)], dict[int, str]()
    count = 0
    for start, piece in zip(view.starts, view.slices, strict=False):
        table = piece.part.claims.table()
        near = _living(table.numbers, piece.alive)
        numbers.append(table.numbers[near] + start)
        keys.append(table.keys[near])
        for at in np.flatnonzero(table.has_end[near]).tolist():
            ends[count + at] = table.ends[int(near[at])]
        count += len(near)
    by = np.concatenate(numbers)
    if not len(by):
        return by, by
    old = targets(view, np.concatenate(keys), ends)
    return by[old >= 0], old[old >= 0]


def targets(view: Columns, keys: NDArray[np.uint64], ends: Mapping[int, str]) -> Places:
    """The place that each link means, or `NONE` or `SEVERAL`.

    A row of `keys` are the hashes of a link for `TIERS`; `ends` has what the path must end in.
    """
    found = np.full(len(keys), NONE, np.intp)
    for tier, name in enumerate(TIERS):
        left = np.flatnonzero((found == NONE) & (keys[:, tier] != 0))
        if not len(left):
            continue
        wanted, which = np.unique(keys[left, tier], return_inverse=True)
        at, places = holders(view, name, wanted)
        counts = np.bincount(at, minlength=len(wanted))[which]
        first = np.zeros(len(wanted), np.intp)
        first[at] = places
        found[left] = np.where(counts == 1, first[which], np.where(counts, SEVERAL, NONE))
        if name == "stem" and ends:
            groups = zip(left.tolist(), which.tolist(), strict=True)
            for link, group in ((one, group) for one, group in groups if one in ends):
                found[link] = _ending_in(ends[link], places[at == group], view)
    return found


def _ending_in(end: str, places: Places, view: Columns) -> int:
    """Of notes with one name the one whose folded path ends so, or `NONE` or `SEVERAL`."""
    same = [place for place in places.tolist() if fold(f"/{view.name(place)[1]}").endswith(end)]
    return same[0] if len(same) == 1 else SEVERAL if same else NONE


def holders(view: Columns, tier: str, wanted: Keys) -> tuple[Places, Places]:
    """Living notes with one of these hashes (rising): which one, and their places."""
    if tier == "alias":
        column, places = _aliases(view)
    else:
        column = view.column(tier)
        places = np.flatnonzero(_may_have(column, wanted) & view.alive)
        column = column[places]
    at = np.searchsorted(wanted[:-1], column)
    is_there = wanted[at] == column
    return at[is_there], places[is_there]


def _may_have(column: Keys, wanted: Keys) -> NDArray[np.bool_]:
    """False for hashes that surely are none of the wanted ones."""
    near = np.zeros(int(_LOW_BITS) + 1, np.bool_)
    near[wanted & _LOW_BITS] = True
    found: NDArray[np.bool_] = near[column & _LOW_BITS]
    return found


def _aliases(view: Columns) -> tuple[Keys, Places]:
    """Hashes of all further names of living notes, and the places of these."""
    keys, places = [np.empty(0, np.uint64)], [_NO_PLACES]
    for start, piece in zip(view.starts, view.slices, strict=False):
        numbers, hashes = piece.part.aliases.table()
        near = _living(numbers, piece.alive)
        keys.append(hashes[near])
        places.append(numbers[near] + start)
    return np.concatenate(keys), np.concatenate(places)


def _living(numbers: Places, alive: Mask) -> Places:
    """Positions of the numbers of living notes."""
    near = np.flatnonzero(numbers < len(alive))
    return near[alive[numbers[near]]]


def _circles(by: Places, old: Places, created: Times) -> NDArray[np.bool_]:
    """True for links that lead back to where they begin, and for all links between such notes."""
    is_circle: NDArray[np.bool_] = by == old
    # A circle has a link to a note that is not older, whose ends have links on both sides.
    may_close = (created[by] <= created[old]) | (created[by] == 0) | (created[old] == 0)
    may_close &= np.isin(by, old) & np.isin(old, by) & ~is_circle
    if may_close.any():
        graph = _Graph(by, old)
        for one, other in zip(by[may_close].tolist(), old[may_close].tolist(), strict=True):
            around = graph.around(one, other)
            if around:
                inside = np.fromiter(around, np.intp)
                is_circle |= np.isin(by, inside) & np.isin(old, inside)
    return is_circle


class _Graph:
    """Links both ways."""

    def __init__(self, by: Places, old: Places) -> None:
        self._next, self._back = _sorted(by, old), _sorted(old, by)

    def around(self, newer: int, older: int) -> set[int]:
        """The notes on all ways from the older end of a link back to its newer one."""
        ahead = _reached(older, self._next)
        return ahead & _reached(newer, self._back) if newer in ahead else set()


def _sorted(begin: Places, end: Places) -> tuple[Places, Places]:
    order = np.argsort(begin, kind="stable")
    return begin[order], end[order]


def _reached(start: int, links: tuple[Places, Places]) -> set[int]:
    """The note and all that links lead to from it."""
    seen, waiting = {start}, [start]
    while waiting:
        new = set(_ends(waiting.pop(), links)) - seen
        seen |= new
        waiting += new
    return seen


def _ends(note: int, links: tuple[Places, Places]) -> Iterator[int]:
    begin, end = links
    low, high = np.searchsorted(begin, (note, note + 1))
    yield from end[low:high].tolist()
