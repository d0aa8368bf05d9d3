"""The timeline of a page: what was learned and dropped, as a chart, a table and the last news."""

from collections.abc import Iterator
from datetime import datetime

from mnemos_files.report.learning import Gone, Learning, Period
from mnemos_files.report.moments import saved_at
from mnemos_files.report.page_lists import REASON_BYTES
from mnemos_files.report.page_scope import NAME_BYTES, TITLE_BYTES, Scope, day, heading
from mnemos_files.report.page_text import line
from mnemos_files.report.page_values import Bar, Cell, Listing, Mention, Timeline

NEWS_MAX = 12

_STEP = 10
"""Width of a period [units of the chart]."""
_HEIGHT = 160
_LEAST = 3
"""Least height of a bar [units]: one in a thousand is to be seen."""


def timeline(scope: Scope, told: Learning, since: datetime | None) -> Timeline:
    """What came and went, by the periods of `told`."""
    up = max((one.learned for one in told.periods), default=0)
    down = max((_dropped(one) for one in told.periods), default=0)
    zero = round(_HEIGHT * up / max(up + down, 1))
    full = [one for one in told.periods if one.learned or _dropped(one)]
    return Timeline(
        unit=told.unit,
        bars=tuple(_bars(told, max(up + down, 1))),
        width=len(told.periods) * _STEP,
        height=_HEIGHT,
        zero=zero,
        rows=tuple(
            (_label(told, one), one.learned, one.ended, one.deleted) for one in reversed(full)
        ),
        learned=sum(one.learned for one in told.periods),
        ended=sum(one.ended for one in told.periods),
        deleted=sum(one.deleted for one in told.periods),
        notes=tuple(_notes(told)),
        news=tuple(table for table in _news(scope, told, since) if table.rows),
    )


def _dropped(period: Period) -> int:
    return period.ended + period.deleted


def _bars(told: Learning, most: int) -> Iterator[Bar]:
    for number, one in enumerate(told.periods):
        up, down = (_length(count, most) for count in (one.learned, _dropped(one)))
        yield Bar(_label(told, one), number * _STEP, one.learned, _dropped(one), up, down)


def _length(count: int, most: int) -> int:
    return max(round(_HEIGHT * count / most), _LEAST) if count else 0


def _label(told: Learning, period: Period) -> str:
    if told.unit == "month":
        return f"{period.start:%Y-%m}"
    return day(period.start)


def _notes(told: Learning) -> Iterator[str]:
    if not told.is_from_git:
        yield "The vault has no git history: these are the dates in the files, without deletions."
    if told.uncommitted:
        yield f"Not committed yet, so not counted as learned: {told.uncommitted}."


def _news(scope: Scope, told: Learning, since: datetime | None) -> Iterator[Listing]:
    start = since or datetime.min.replace(tzinfo=scope.now.tzinfo)
    came = [p for p, e in scope.found.memories.items() if saved_at(e.record) >= start][::-1]
    yield _table(
        ("learned", "Learned last"),
        ("Memory", "Saved", "Project"),
        [_learned(scope, path) for path in came[:NEWS_MAX]],
        len(came),
    )
    ends = [path for path, one in scope.found.ended.items() if one.at >= start]
    ends.sort(key=lambda path: scope.found.ended[path].at, reverse=True)
    yield _table(
        ("dropped", "Dropped last"),
        ("Memory", "Day", "Why", "Instead"),
        [_ended(scope, path) for path in ends[:NEWS_MAX]],
        len(ends),
    )
    yield _table(
        ("deleted", "Deleted last; the git history has their texts"),
        ("Memory", f"In the {told.unit} of", "Project"),
        [_gone(told, one) for one in told.gone[:NEWS_MAX]],
        len(told.gone),
    )


def _table(
    name: tuple[str, str], columns: tuple[str, ...], rows: list[tuple[Cell, ...]], count: int
) -> Listing:
    return Listing(name[0], name[1], "", columns, tuple(rows), count - len(rows))


def _learned(scope: Scope, path: str) -> tuple[Cell, ...]:
    record = scope.record(path)
    return scope.mention(path), day(saved_at(record)), heading(record.project)


def _ended(scope: Scope, path: str) -> tuple[Cell, ...]:
    ended, reason = scope.found.ended[path], scope.record(path).invalidated_reason
    why = line(reason, REASON_BYTES) or ended.why
    return scope.mention(path), day(ended.at), why, scope.mention(ended.by) if ended.by else ""


def _gone(told: Learning, one: Gone) -> tuple[Cell, ...]:
    record = one.record
    title = line(record.title, TITLE_BYTES) or line(record.id, NAME_BYTES)
    return Mention(title), _label(told, one.period), heading(record.project)
