"""What besides the words moves a note up or down: a table of bounded factors.

A new factor is one function and one row in `FACTORS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.fading import periods, remaining
from mnemos_files.index.row import microseconds, name_key
from mnemos_files.index.snapshot import Places, Snapshot
from mnemos_files.index.usage import UNUSED, Counted
from mnemos_files.model.decay import NO_DECAY, Decay
from mnemos_files.model.query import Query
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
class Rules:
    """What notes are judged by besides the question: the settings, and how they were used."""

    floor: float
    decay: Decay = NO_DECAY
    used: Counted = UNUSED


@dataclass(frozen=True)
class Facts:
    """What the factors are made from: the notes that are judged, by place, and the question."""

    view: Snapshot
    places: Places
    query: Query
    rules: Rules

    def column(self, name: str) -> NDArray[Any]:
        """A field of `ROW` for each of the notes."""
        return self.view.column(name)[self.places]

    @cached_property
    def used(self) -> Places:
        """Where each of the notes stands in the counts of `rules.used`."""
        return self.rules.used.find(self.column("key"))


Factor = Callable[[Facts], Factors | None]
"""Gives a number for each of the notes, or None when all of them are 1."""


def importance(facts: Facts) -> Factors:
    """1 at importance 5, higher for more important notes."""
    return _weight(facts.column("importance"))


def decay(facts: Facts) -> Factors | None:
    """Takes `importance` down to what is left of it since the note was seen last."""
    rule, used = facts.rules.decay, facts.rules.used
    if not rule.step:
        return None
    seen = facts.view.fades_from[facts.places]
    if len(used.keys) > 1:
        np.maximum(seen, used.last[facts.used], out=seen)
    lost = periods(seen, facts.query.past or facts.query.now, rule.days)
    return None if lost is None else _shares(rule.step)[facts.column("importance"), lost]


@lru_cache(maxsize=16)
def _shares(step: int) -> Factors:
    left = remaining(step)
    return _weight(left) / _weight(left[:, :1])


def _weight(steps: NDArray[np.integer[Any]]) -> Factors:
    return 1 + IMPORTANCE_STEP * (steps.astype(np.float64) - IMPORTANCE_DEFAULT)


def recency(facts: Facts) -> Factors:
    """From 1.02 for a note of this moment to 1 for an old one; 1 where no time is known."""
    created = facts.column("created").astype(np.int64)
    age = np.maximum(microseconds(facts.query.now) - created, 0).astype(np.float64) / _DAY
    gain = RECENCY_GAIN * np.exp2(-age / RECENCY_HALF_LIFE_DAYS)
    return np.where(created != 0, 1 + gain, 1.0)


def access(facts: Facts) -> Factors | None:
    """1 for what nobody has seen, slowly more with each time."""
    logs = facts.rules.used.log_accesses
    if not logs.any():
        return None
    logs = logs[facts.used]
    return np.minimum(1 + ACCESS_GAIN * logs, ACCESS_MAX)


def correction(facts: Facts) -> Factors | None:
    """A little above 1 for corrections."""
    are_corrections = facts.column("type") == _CORRECTION
    return np.where(are_corrections, CORRECTION, 1.0) if are_corrections.any() else None


def failed_session(facts: Facts) -> Factors | None:
    """A little above 1 for notes whose session ended failed or blocked."""
    failed = facts.view.failed
    if not len(failed):
        return None
    at = np.searchsorted(failed[:-1], facts.column("origin"))
    return np.where(failed[at] == facts.column("origin"), FAILED_SESSION, 1.0)


def effectiveness(facts: Facts) -> Factors | None:
    """0.75 to 1.25 for skills by their share of successes, 1 for one that is not used yet."""
    used = facts.rules.used
    if not used.skill_uses.any():
        return None
    uses = used.skill_uses[facts.used]
    share = used.skill_successes[facts.used] / np.maximum(uses, 1)
    gain = SKILL_GAIN * (share - PRIOR) * np.minimum(uses / TRUSTED_USES, 1)
    return np.where(facts.column("type") == _SKILL, 1 + gain, 1.0)


_CORRECTION, _SKILL = np.uint64(name_key("correction")), np.uint64(name_key("skill"))

FACTORS: Mapping[str, Factor] = MappingProxyType(
    {
        "importance": importance,
        "decay": decay,
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
