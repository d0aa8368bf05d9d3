"""What has faded: told in the report, never written. The files keep what their writer said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from mnemos_files.model.decay import Decay
from mnemos_files.store.store import Store

TOLD_MAX = 20
"""Memories [1] that are named one by one."""


@dataclass(frozen=True, slots=True)
class Spent:
    """A memory that could as well expire."""

    id: str
    title: str
    path: str


@dataclass(frozen=True, slots=True)
class Fading:
    """How many memories count for less than stated, and for how much: importance -> how many.

    `spent` are proposed for an end: of low importance or quarantined, never seen, at the lowest
    importance by now; oldest first, `more` of them are not named.
    """

    count: int = 0
    left: Mapping[int, int] = field(default_factory=dict)
    spent: tuple[Spent, ...] = ()
    more: int = 0


def fading(store: Store, now: datetime) -> Fading:
    """What has faded by now.

    Raises:
        UnavailableError: the journal cannot be read.
    """
    uses = store.journal.tally().uses
    found = store.index.faded(now, uses, Decay(*store.settings.decay))
    told = [
        Spent(entry.record.id, entry.record.title, str(entry.path))
        for entry in found.spent[:TOLD_MAX]
    ]
    return Fading(found.count, found.left, tuple(told), len(found.spent) - len(told))
