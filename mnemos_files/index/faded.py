"""Which notes count for less than their writer said, since nobody has seen them for long."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from mnemos_files.index.fading import periods, remaining
from mnemos_files.index.filters import RAW, allowed
from mnemos_files.index.order import ordered
from mnemos_files.index.snapshot import Places, Snapshot
from mnemos_files.index.usage import Counted
from mnemos_files.model.decay import FLOOR, Decay
from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query

LOW_MAX = 3
"""Highest importance [1 to 10] that a writer gives to what hardly matters."""


@dataclass(frozen=True, slots=True)
class Faded:
    """Memories that hold and count for less than stated.

    `left` says how many count for which importance now. `spent` are those of ours that nobody has
    ever seen, that count for the least, and that were of low importance or quarantined from the
    start, oldest first.
    """

    count: int = 0
    left: Mapping[int, int] = field(default_factory=dict)
    spent: tuple[Entry, ...] = ()


def faded(view: Snapshot, used: Counted, now: datetime, decay: Decay) -> Faded:
    """What `model.decay` has taken from the notes by now; only those that are spent are decoded."""
    scope = view.alive & allowed(view.column, Query(text="", now=now, include_raw=True))
    places: Places = np.flatnonzero(scope)
    at = used.find(view.column("key")[places])
    lost = periods(np.maximum(view.fades_from[places], used.last[at]), now, decay.days)
    if lost is None or not decay.step:
        return Faded()
    stated = view.column("importance")[places]
    left = remaining(decay.step)[stated, lost]
    counts = np.bincount(left[left < stated], minlength=1)
    is_low = (stated <= LOW_MAX) | (view.column("tier")[places] == RAW)
    is_spent = (lost > 0) & (left == FLOOR) & is_low & (used.log_accesses[at] == 0)
    spent = places[is_spent]
    oldest_first = -view.column("created")[spent]
    entries = (view.entry(int(spent[each])) for each in ordered(spent, oldest_first, view))
    return Faded(
        int(counts.sum()),
        {number: int(count) for number, count in enumerate(counts) if count},
        tuple(entry for entry in entries if entry.is_ours),
    )
