"""What besides the words moves a note up or down: a table of bounded factors.

A new factor is one function and one row in `FACTORS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.row import microseconds
from mnemos_files.model.record import IMPORTANCE_DEFAULT

LOWEST, HIGHEST = 0.5, 1.5
"""Bounds of the product of all factors: policy orders what fits, it does not replace fitting."""

IMPORTANCE_STEP = 0.01
"""Per step of importance from the default of 5: 0.96 to 1.05 (docs/ranking.md, "Policy")."""

RECENCY_GAIN = 0.03
RECENCY_HALF_LIFE_DAYS = 90.0
_DAY = 86_400e6  # microseconds

DIGITS = 6

Factors = NDArray[np.float64]
Column = Callable[[str], NDArray[np.generic]]
"""Gives one of the numbers in `document.ROW` for each of the notes that are judged."""

Factor = Callable[[Column, datetime], Factors]


def importance(column: Column, now: datetime) -> Factors:  # noqa: ARG001 - all factors are called alike
    """1 at importance 5, higher for more important notes."""
    steps = column("importance").astype(np.float64) - IMPORTANCE_DEFAULT
    return 1 + IMPORTANCE_STEP * steps


def recency(column: Column, now: datetime) -> Factors:
    """From 1.03 for a note of this moment to 1 for an old one; 1 where no time is known."""
    created = column("created").astype(np.int64)
    age = np.maximum(microseconds(now) - created, 0).astype(np.float64) / _DAY
    gain = RECENCY_GAIN * np.exp2(-age / RECENCY_HALF_LIFE_DAYS)
    return np.where(created != 0, 1 + gain, 1.0)


FACTORS: Mapping[str, Factor] = MappingProxyType({"importance": importance, "recency": recency})
"""Every factor by the name under which `explain` shows it."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Factors of some notes; `bound` brings the product back into its bounds (mostly 1)."""

    factors: dict[str, Factors]
    bound: Factors
    product: Factors


def policy(column: Column, now: datetime) -> Policy:
    """All factors of some notes at this time."""
    factors = {name: np.round(factor(column, now), DIGITS) for name, factor in FACTORS.items()}
    product: Factors = np.prod(list(factors.values()), axis=0)
    bounded = np.clip(product, LOWEST, HIGHEST)
    return Policy(factors, bounded / product, bounded)
