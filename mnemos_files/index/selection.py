"""Notes by their columns, without a question: the most important or the newest in scope."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.filters import RAW, allowed, may_have_tags, tag_rule
from mnemos_files.index.order import ordered
from mnemos_files.index.row import Column, microseconds, origin_key
from mnemos_files.index.snapshot import Places, Snapshot
from mnemos_files.model.note import Entry
from mnemos_files.model.query import Order, Query

_IMPORTANCE_BITS = 59
"""Times of the years 1 to 9999 [microseconds] differ by less than 2^59."""


def select(view: Snapshot, query: Query, order: Order, limit: int) -> list[Entry]:
    """The first notes in scope; only they are decoded, and those that may have the tags."""
    places = np.flatnonzero(view.alive & allowed(view.column, query))
    has_tags = tag_rule(query)
    if has_tags is not None:
        places = places[may_have_tags(lambda name: view.column(name)[places], query)]
    numbers = _numbers(lambda name: view.column(name)[places], order)
    entries = (view.entry(int(places[at])) for at in ordered(places, numbers, view))
    wanted: Iterator[Entry] = entries if has_tags is None else filter(has_tags, entries)
    return list(islice(wanted, limit))


def ended(view: Snapshot, now: datetime) -> list[Entry]:
    """Notes that hold no longer, by path: replaced, outdated or expired ones."""
    places = np.flatnonzero(view.alive & (view.column("ends") <= microseconds(now)))
    return sorted((view.entry(place) for place in places.tolist()), key=lambda one: str(one.path))


def doubtful(view: Snapshot, now: datetime) -> list[Entry]:
    """Memories that hold now and are raw or contradict another one, oldest first."""
    column = view.column
    query = Query(text="", now=now, include_raw=True)
    is_doubtful = (column("tier") == RAW) | (column("against") == 1)
    places: Places = np.flatnonzero(view.alive & allowed(column, query) & is_doubtful)
    oldest_first = -column("created")[places]
    return [view.entry(int(places[at])) for at in ordered(places, oldest_first, view)]


def with_origin(view: Snapshot, names: tuple[str, ...]) -> list[Entry]:
    """Notes whose session link ends in one of these names, oldest first."""
    keys = np.array([origin_key(name) for name in names if name], np.uint64)
    places: Places = np.flatnonzero(np.isin(view.column("origin"), keys) & view.alive)
    oldest_first = -view.column("created")[places]
    return [view.entry(int(places[at])) for at in ordered(places, oldest_first, view)]


def _numbers(column: Column, order: Order) -> NDArray[np.int64]:
    """One number for each note: higher comes first. Unknown times count as the oldest."""
    created = column("created").astype(np.int64)
    if order == "created":
        return created
    return (column("importance").astype(np.int64) << _IMPORTANCE_BITS) + created
