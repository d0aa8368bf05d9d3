"""What besides the words moves a note up or down: a table of bounded factors.

A new factor is one function and one row in `FACTORS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.row import Column, microseconds, name_key
from mnemos_files.index.usage import UNUSED, Counted, Keys
from mnemos_files.model.record import IMPORTANCE_DEFAULT
from mnemos_files.model.skill import PRIOR, TRUSTED_USES

LOWEST, HIGHEST = 0.5, 1.5
"""Bounds of the product of all factors: policy orders what fits, it does not replace fitting."""

IMPORTANCE_STEP = 0.005
"""Per step of importance from the default of 5: 0.98 to 1.025 (docs/ranking.md, "Policy")."""

RECENCY_GAIN = 0.02
RECENCY_HALF_LIFE_DAYS = 90.0
_DAY = 86_400e6  # microseconds

ACCESS_GAIN = 0.005
ACCESS_MAX = 1.03
"""1 + gain * ln(1 + accesses), at most the maximum: what is often seen shall not bury what fits."""

CORRECTION = 1.03
"""A correction is a mistake that was made: it shall not be missed."""

FAILED_SESSION = 1.02
"""Of a note that a session saved which reached nothing: what was learnt there was dearly paid."""

SKILL_GAIN = 0.5
"""Per point of adjusted effectiveness (`model.skill.adjusted`) from that of an unused skill on."""

DIGITS = 6

Factors = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the factors are made from: columns of the notes that are judged, the time, the uses.

    `failed` are the origins (`row.origin_key`) of the sessions that reached nothing, rising.
    """

    column: Column
    now: datetime
    used: Counted = UNUSED
    failed: Keys = field(default_factory=lambda: np.empty(0, np.uint64))


Factor = Callable[[Facts], Factors | None]
"""Gives a number for each of the notes, or None when all of them are 1."""


def importance(facts: Facts) -> Factors:
    """1 at importance 5, higher for more important notes."""
    steps = facts.column("importance").astype(np.float64) - IMPORTANCE_DEFAULT
    return 1 + IMPORTANCE_STEP * steps


def recency(facts: Facts) -> Factors:
    """From 1.02 for a note of this moment to 1 for an old one; 1 where no time is known."""
    created = facts.column("created").astype(np.int64)
    age = np.maximum(microseconds(facts.now) - created, 0).astype(np.float64) / _DAY
    gain = RECENCY_GAIN * np.exp2(-age / RECENCY_HALF_LIFE_DAYS)
    return np.where(created != 0, 1 + gain, 1.0)


def access(facts: Facts) -> Factors | None:
    """1 for what nobody has seen, slowly more with each time."""
    used = facts.used
    if not used.log_accesses.any():
        return None
    logs = used.look_up(facts.column("key"), used.log_accesses)
    return np.minimum(1 + ACCESS_GAIN * logs, ACCESS_MAX)


def correction(facts: Facts) -> Factors | None:
    """A little above 1 for corrections."""
    are_corrections = facts.column("type") == _CORRECTION
    return np.where(are_corrections, CORRECTION, 1.0) if are_corrections.any() else None


def failed_session(facts: Facts) -> Factors | None:
    """A little above 1 for notes whose session ended failed or blocked."""
    if not len(facts.failed):
        return None
    at = np.searchsorted(facts.failed[:-1], facts.column("origin"))
    return np.where(facts.failed[at] == facts.column("origin"), FAILED_SESSION, 1.0)


def effectiveness(facts: Facts) -> Factors | None:
    """0.75 to 1.25 for skills by their share of successes, 1 for one that is not used yet."""
    used = facts.used
    if not used.skill_uses.any():
        return None
    keys = facts.column("key")
    uses = used.look_up(keys, used.skill_uses)
    share = used.look_up(keys, used.skill_successes) / np.maximum(uses, 1)
    gain = SKILL_GAIN * (share - PRIOR) * np.minimum(uses / TRUSTED_USES, 1)
    return np.where(facts.column("type") == _SKILL, 1 + gain, 1.0)


_CORRECTION, _SKILL = np.uint64(name_key("correction")), np.uint64(name_key("skill"))

FACTORS: Mapping[str, Factor] = MappingProxyType(
    {
        "importance": importance,
        "recency": recency,
        "access": access,
        "correction": correction,
        "failed_session": failed_session,
        "effectiveness": effectiveness,
    }
)
"""Every factor by the name under which `explain` shows it."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Factors of some notes, None where all are 1; `bound` brings the product into its bounds."""

    factors: dict[str, Factors | None]
    bound: Factors
    product: Factors


def policy(facts: Facts) -> Policy:
    """All factors of some notes at this time."""
    found = ((name, factor(facts)) for name, factor in FACTORS.items())
    factors = {n: None if values is None else np.round(values, DIGITS) for n, values in found}
    several = [values for values in factors.values() if values is not None]
    product: Factors = reduce(np.multiply, several)
    bounded = np.clip(product, LOWEST, HIGHEST)
    return Policy(factors, bounded / product, bounded)
