"""How good a skill is, which version of it this is, and the names of its properties."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from mnemos_files.model.record import Record

DESCRIPTION_MAX = 1_024
"""Longest description [characters] (Agent Skills specification)."""

VERSION_KEY = "mnemos-version"
SESSIONS_KEY = "mnemos-source-sessions"
TEXT_KEY = "mnemos-text"

TEXT_DIGITS = 16
"""Digits of the text's digest that the file keeps: enough to see that it was edited."""

TRUSTED_USES = 10
"""Uses from which the share of successes is taken as it is."""

PRIOR = 0.5
"""Effectiveness [0, 1] of a skill that nobody has tried."""

FRESH_DAYS = 90
"""Days after which a skill that was neither saved nor used counts as out of date."""


def effectiveness(uses: int, successes: int) -> float:
    """Share of successful uses [0, 1], 0 without uses."""
    return successes / uses if uses > 0 else 0.0


def confidence(uses: int) -> float:
    """How far the share of successes can be trusted [0, 1]: in full from `TRUSTED_USES` on."""
    return min(uses / TRUSTED_USES, 1.0)


def adjusted(uses: int, successes: int) -> float:
    """Effectiveness [0, 1] drawn to `PRIOR` while there are few uses.

    The mean of both, weighted by the confidence: shrinkage of a proportion to a prior.
    """
    weight = confidence(uses)
    return effectiveness(uses, successes) * weight + PRIOR * (1 - weight)


def recency(moved: datetime | None, now: datetime) -> float:
    """How fresh a skill is [0, 1]: 1 when it is saved or used, 0 after `FRESH_DAYS`; linear."""
    if moved is None:
        return 0.0
    return min(1.0, max(0.0, 1 - (now - moved) / timedelta(days=FRESH_DAYS)))


@dataclass(frozen=True, slots=True)
class SkillScore:
    """What is known of a skill: its uses, and the time of its last save or use."""

    uses: int
    successes: int
    moved: datetime | None

    @property
    def effectiveness(self) -> float:
        """Share of successful uses [0, 1]."""
        return effectiveness(self.uses, self.successes)

    @property
    def adjusted(self) -> float:
        """Effectiveness [0, 1] that few uses cannot push far."""
        return adjusted(self.uses, self.successes)

    def at(self, now: datetime) -> float:
        """Adjusted effectiveness times recency [0, 1]."""
        return self.adjusted * recency(self.moved, now)


def version(record: Record, digest: str) -> int:
    """Version [from 1] of the text that a file holds; `digest` is the one of its content.

    A text that somebody edited since it was saved is one version on.
    """
    properties: Mapping[str, object] = dict(record.properties)
    number, text = properties.get(VERSION_KEY), properties.get(TEXT_KEY)
    saved = int(number) if isinstance(number, str) and _is_count(number) else 1
    is_edited = isinstance(text, str) and text != "" and not digest.startswith(text)
    return saved + is_edited


def source_sessions(record: Record) -> tuple[str, ...]:
    """Sessions that the skill was learned in, as its writer named them."""
    value = dict(record.properties).get(SESSIONS_KEY, ())
    return value if isinstance(value, tuple) else (value,)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9 and int(text) > 0  # noqa: PLR2004 - no skill has a billion versions
