"""How often notes were used, as arrays that a search can look many notes up in."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.fading import Times
from mnemos_files.index.row import UNKNOWN, microseconds, name_key
from mnemos_files.index.snapshot import Places
from mnemos_files.model.tally import Uses

Counts = NDArray[np.float64]
Keys = NDArray[np.uint64]

_LOW_BITS = np.uint64(0xFFFF)
_key_of = lru_cache(maxsize=50_000)(name_key)


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of some notes by the hash of their id, rising; of accesses ln(1 + n).

    The last place is for what was never used. `last` is when each was seen last (`fading.Times`),
    `near` is true for the low bits of these hashes: it rules most other notes out quickly.
    """

    keys: Keys
    near: NDArray[np.bool_]
    log_accesses: Counts
    skill_uses: Counts
    skill_successes: Counts
    last: Times

    def find(self, keys: Keys) -> Places:
        """Where each key stands in the counts; one that was never used at the last place."""
        none = len(self.keys) - 1
        at = np.full(len(keys), none)
        places = np.flatnonzero(self.near[keys & _LOW_BITS])
        wanted = keys[places]
        found = np.searchsorted(self.keys[:-1], wanted)
        at[places] = np.where(self.keys[found] == wanted, found, none)
        return at


def count(uses: Mapping[str, Uses]) -> Counted:
    """The uses of records by id as arrays; the last place is for keys above all others."""
    keys = np.array([*map(_key_of, uses), 0], np.uint64)
    order = np.append(np.argsort(keys[:-1]), len(uses))
    near = np.zeros(int(_LOW_BITS) + 1, np.bool_)
    near[keys[:-1] & _LOW_BITS] = True
    return Counted(
        keys[order],
        near,
        np.log1p(np.array([*(use.accesses for use in uses.values()), 0], np.float64)[order]),
        np.array([*(use.skill_uses for use in uses.values()), 0], np.float64)[order],
        np.array([*(use.skill_successes for use in uses.values()), 0], np.float64)[order],
        np.array([*(_moment(use) for use in uses.values()), UNKNOWN], np.int64)[order],
    )


def _moment(use: Uses) -> int:
    return UNKNOWN if use.last is None else microseconds(use.last)


UNUSED = count({})
