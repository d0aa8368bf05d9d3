"""The rule of `model.decay` for many notes at once, on columns."""

from datetime import datetime, timedelta
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.row import UNKNOWN, microseconds, name_key
from mnemos_files.model.decay import EXEMPT, FLOOR

Times = NDArray[np.int64]
"""Microseconds since 1970, UNKNOWN or NEVER; the later of two is the one that counts."""

NEVER = 1 << 62
"""Of a note that does not fade."""

MOST = 10
"""Highest importance, so that no more periods than this can matter."""

_EXEMPT = np.array(sorted(map(name_key, EXEMPT)), np.uint64)
_TICK = timedelta(microseconds=1)


def fades_from(types: NDArray[np.uint64], created: Times) -> Times:
    """The times from which on notes fade that nobody saw; `types` are hashes."""
    known = np.where(created == 0, UNKNOWN, created)
    return np.where(np.isin(types, _EXEMPT), NEVER, known)


def periods(seen: Times, now: datetime, days: int) -> NDArray[np.int64] | None:
    """How often each note lost importance by now [0 to 10]; None when none did."""
    passed = (microseconds(now) - 1) - seen
    count: NDArray[np.int64] = passed // (timedelta(days=days) // _TICK)
    np.minimum(np.maximum(count, 0, out=count), MOST, out=count)
    count[seen == UNKNOWN] = 0
    return count if count.any() else None


@lru_cache(maxsize=16)
def remaining(step: int) -> NDArray[np.int64]:
    """What is left of each importance [0 to 10] after each number of periods [0 to 10]."""
    stated, lost = np.ogrid[: MOST + 1, : MOST + 1]
    left: NDArray[np.int64] = np.maximum(stated - step * lost, FLOOR)
    return left
