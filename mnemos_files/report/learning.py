"""What a vault learned and what it dropped, time by time, from its git history."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from mnemos_files.model.note import Entry, Note
from mnemos_files.model.record import Record
from mnemos_files.report.moments import saved_at
from mnemos_files.report.relations import Relations, is_memory
from mnemos_files.store.arrivals import beginning, steps, uncommitted
from mnemos_files.store.store import Store

Unit = Literal["day", "week", "month"]

DAYS_MAX = 45
"""Longest time [days] that is told by days; a longer one by weeks, then by months."""
WEEKS_MAX = 60
MONTHS_MAX = 120
"""Months [1] before now at which a timeline begins at the latest."""

_DAY = timedelta(days=1)
_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Period:
    """Memories that came, that ended and whose files went away, from `start` to `end` [UTC]."""

    start: datetime
    end: datetime
    learned: int = 0
    ended: int = 0
    deleted: int = 0


@dataclass(frozen=True, slots=True)
class Gone:
    """A memory whose file was deleted in a period; its record as the history has it."""

    record: Record
    period: Period


@dataclass(frozen=True, slots=True)
class Learning:
    """The periods without a gap, oldest first; `gone` are the deleted memories, last ones first.

    Without a history (`is_from_git` is false) the files' own dates are told, and no deletions.
    `uncommitted` counts the memories that no commit has yet.
    """

    unit: Unit
    periods: tuple[Period, ...]
    gone: tuple[Gone, ...] = ()
    is_from_git: bool = True
    uncommitted: int = 0


def learning(store: Store, found: Relations, since: datetime | None, project: str) -> Learning:
    """What came and went from a moment on, by default from the first memory on.

    `found` has the memories that count; `project` chooses among deleted ones, "" takes all.

    Raises:
        UnavailableError: the git history is damaged.
    """
    now = store.now()
    if store.history is None:
        first = min((saved_at(one.record) for one in found.memories.values()), default=now)
        unit, periods = spans(since or first, now)
        came = Counter(_place(periods, saved_at(one.record)) for one in found.memories.values())
        told = [replace(one, learned=came[at]) for at, one in enumerate(periods)]
        return Learning(unit, _with_ends(told, found), is_from_git=False)
    unit, periods = spans(since or beginning(store), now)
    moments = [*(one.start for one in periods), now]
    told, gone = [], list[Gone]()
    for period, step in zip(periods, steps(store, moments), strict=True):
        went = _memories(step.went, project)
        learned, deleted = len(_memories(step.came, project)), len(went)
        told.append(replace(period, learned=learned, deleted=deleted))
        gone += [Gone(record, period) for record in went]
    left = uncommitted(store, [*found.memories])
    return Learning(unit, _with_ends(told, found), tuple(reversed(gone)), uncommitted=left)


def _memories(notes: Iterable[Entry | Note], project: str) -> list[Record]:
    """The memories that count among some notes."""
    wanted = ("", project)
    return [
        note.record
        for note in notes
        if is_memory(note) and (not project or note.record.project in wanted)
    ]


def spans(start: datetime, now: datetime) -> tuple[Unit, list[Period]]:
    """The days, weeks (from Monday on) or months from that of `start` to that of `now`."""
    start = min(start, now)
    length = now - start
    if length <= DAYS_MAX * _DAY:
        unit: Unit = "day"
    else:
        unit = "week" if length <= WEEKS_MAX * 7 * _DAY else "month"
    first, last = _floor(start, unit), _floor(now, unit)
    found = [Period(last, _next(last, unit))]
    while found[-1].start > first and len(found) < MONTHS_MAX:
        end = found[-1].start
        found.append(Period(_floor(end - _INSTANT, unit), end))
    return unit, found[::-1]


def _floor(moment: datetime, unit: Unit) -> datetime:
    day = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "week":
        return day - day.weekday() * _DAY
    return day.replace(day=1) if unit == "month" else day


def _next(start: datetime, unit: Unit) -> datetime:
    days = {"day": 1, "week": 7, "month": 31}[unit]
    return _floor(start + days * _DAY, unit)


def _place(periods: list[Period], moment: datetime) -> int:
    """Number of the period that a moment lies in, -1 when it lies in none."""
    inside = (at for at, one in enumerate(periods) if one.start <= moment < one.end)
    return next(inside, -1)


def _with_ends(periods: list[Period], found: Relations) -> tuple[Period, ...]:
    """The periods with what ended in each, from the first on in which anything happened."""
    ends = Counter(_place(periods, one.at) for one in found.ended.values())
    told = [replace(one, ended=ends[at]) for at, one in enumerate(periods)]
    happened = (at for at, one in enumerate(told) if one.learned or one.ended or one.deleted)
    return tuple(told[next(happened, len(told) - 1) :])
