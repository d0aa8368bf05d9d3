"""How often notes were used, as arrays that a search can look many notes up in."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.row import name_key
from mnemos_files.model.tally import Uses

Counts = NDArray[np.float64]
Keys = NDArray[np.uint64]

_LOW_BITS = np.uint64(0xFFFF)
_key_of = lru_cache(maxsize=50_000)(name_key)


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of some notes by the hash of their id, rising; of accesses ln(1 + n).

    `near` is true for the low bits of these hashes: it rules most other notes out quickly.
    """

    keys: Keys
    near: NDArray[np.bool_]
    log_accesses: Counts
    skill_uses: Counts
    skill_successes: Counts

    def look_up(self, keys: Keys, counts: Counts) -> Counts:
        """One of the counts of each key, 0 for those that were never used."""
        found = np.zeros(len(keys))
        places = np.flatnonzero(self.near[keys & _LOW_BITS])
        wanted = keys[places]
        at = np.searchsorted(self.keys[:-1], wanted)
        found[places] = np.where(self.keys[at] == wanted, counts[at], 0.0)
        return found


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
    )


UNUSED = count({})
