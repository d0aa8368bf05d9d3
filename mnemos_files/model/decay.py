"""Importance that fades while nobody looks: derived when it is read, never written.

The files keep what their writer said. What a memory counts for is a function of that word, of the
last access and of the time, and of nothing that an earlier look has left behind: looking twice
gives the same (idempotent), waiting never raises it (monotone), and an access brings it back.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from mnemos_files.model.kind import KINDS
from mnemos_files.model.record import Record

FLOOR = 1
"""Lowest importance of the scale: nothing fades away."""

EXEMPT = frozenset(
    {"convention", "correction", *(kind.name for kind in KINDS.values() if not kind.is_saved)}
)
"""Types that do not fade: a rule holds and a mistake can be made again however long nobody asked.

Skills have their share of successes instead, sessions and ruminations their state.
"""

_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Decay:
    """After more than `days` without an access `step` down, and again for each `days` more.

    Step 0 = off. One month and one step, as in the tool set that this one is compatible with.
    """

    days: int = 30
    step: int = 1


NO_DECAY = Decay(step=0)


def decayed(kind: str, importance: int, seen: datetime | None, now: datetime, decay: Decay) -> int:
    """What a memory of this type and stated importance counts for [1 to 10].

    `seen` as `last_seen` gives it; None, and a time after now, take nothing away.
    """
    if seen is None or kind in EXEMPT:
        return importance
    periods = max(0, (now - seen - _TICK) // timedelta(days=decay.days))
    return max(FLOOR, importance - decay.step * periods)


def importance_left(record: Record, accessed: datetime | None, now: datetime, decay: Decay) -> int:
    """What a record counts for [1 to 10] that was accessed last at this time, None = never."""
    seen = last_seen(record.created, accessed)
    return decayed(record.type, record.importance, seen, now, decay)


def last_seen(created: datetime | None, accessed: datetime | None) -> datetime | None:
    """The later one of the times that are known: from then on a memory fades."""
    return max((time for time in (created, accessed) if time is not None), default=None)
