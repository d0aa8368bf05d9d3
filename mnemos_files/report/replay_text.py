"""A session and what came after it, as a page of markdown. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from mnemos_files.model.record import Record
from mnemos_files.model.session import Session
from mnemos_files.model.tokens import BYTES_PER_TOKEN
from mnemos_files.report.markdown import Page, inline, quoted, struck, within

SHARE = 8
"""Each text gets at most this part of the budget [1/n]."""

LISTED = 20
"""Most lines [1] of a list; the last one says how many more there are."""

WRITER = "agent_inference"
"""Where the texts of a session come from, for the scan."""

_TITLE_BYTES = 200
_SHORT_BYTES = 260
_MINUTES = 60


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory as a replay tells it: `source` for the scan, `replaced_by` the title of another."""

    record: Record
    source: str
    replaced_by: str = ""
    replaced_source: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """A session; `since` is the moment [UTC] after which something counts as new.

    `corrections` and `conventions` were recorded since, `skills` learned, `outdated` are memories
    of the session that ended since; `produced` is everything that was saved in it, oldest first.
    """

    session: Session
    now: datetime
    since: datetime
    corrections: Sequence[Remembered] = ()
    conventions: Sequence[Remembered] = ()
    outdated: Sequence[Remembered] = ()
    skills: Sequence[Remembered] = ()
    produced: Sequence[Remembered] = ()


def page(story: Story, max_tokens: int) -> Page:
    """The story in at most so many tokens."""
    return within([*_lines(story, max_tokens * BYTES_PER_TOKEN // SHARE)], max_tokens)


def _lines(story: Story, room: int) -> Iterator[str]:
    session = story.session
    goal = inline(session.goal, WRITER, _TITLE_BYTES) or inline(session.id, WRITER)
    yield f"# Replay · {goal}"
    yield ""
    yield " · ".join(_facts(session))
    for title, text in (("Summary", session.summary), ("Reflection", session.reflection)):
        yield from _section(title, quoted(text, WRITER, room))
    yield from _list("Corrections recorded since", [*map(_correction, story.corrections)])
    yield from _list("Conventions added since", [*map(_told, story.conventions)])
    yield from _list(
        "Facts from this session that are no longer true",
        [_outdated(one, story.now) for one in story.outdated],
    )
    yield from _list("Skills learned since", [*map(_told, story.skills)])
    yield from _produced(story, room)


def _facts(session: Session) -> Iterator[str]:
    yield f"started {_when(session.started)}"
    if session.ended is None:
        yield "still open"
    else:
        yield f"took {_span(session.ended - session.started)}"
        yield session.status or "ok"
    for name, text in (("project", session.project), ("agent", session.agent)):
        if shown := inline(text, WRITER, _TITLE_BYTES):
            yield f"{name} {shown}"
    yield inline(session.id, WRITER)


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"## {title}"
        yield ""
        yield from lines


def _list(title: str, lines: Sequence[str]) -> Iterator[str]:
    more = [f"- … and {len(lines) - LISTED} more"] if len(lines) > LISTED else []
    return _section(title, [*lines[:LISTED], *more])


def _correction(one: Remembered) -> str:
    record = one.record
    fix = inline(record.section("fix") or record.content, one.source, _SHORT_BYTES)
    return _line(one, fix)


def _told(one: Remembered) -> str:
    return _line(one, inline(one.record.content, one.source, _SHORT_BYTES))


def _line(one: Remembered, text: str) -> str:
    title = inline(one.record.title, one.source, _TITLE_BYTES)
    day = f"{one.record.created:%Y-%m-%d}: " if one.record.created else ""
    return f"- {day}{title}{_raw(one.record)}" + (f": {text}" if text else "")


def _outdated(one: Remembered, now: datetime) -> str:
    return f"- {struck(_label(one))}{_raw(one.record)}{_ending(one, now)}"


def _produced(story: Story, room: int) -> Iterator[str]:
    if not story.produced:
        yield from _section("What this session produced", ["Nothing was saved in it."])
        return
    yield ""
    yield "## What this session produced"
    for one in story.produced:
        record = one.record
        label = _label(one)
        is_live = record.is_live(story.now)
        yield ""
        yield f"### {label if is_live else struck(label)}{_raw(record)}"
        yield ""
        saved = f"{_when(record.created)} · " if record.created else ""
        yield f"{saved}{inline(record.id, one.source)}{'' if is_live else _ending(one, story.now)}"
        yield from _text(one, room)
        why = inline(record.section("rationale"), one.source)
        if why:
            yield ""
            yield f"Why: {why}"


def _text(one: Remembered, room: int) -> Iterator[str]:
    """The content and the parts of the kind, each part named."""
    record = one.record
    parts = [record.content] if record.content.strip() else []
    parts += [
        f"{section.heading}: {record.section(section.key).strip()}"
        for section in record.kind.sections
        if section.key != "rationale" and record.section(section.key).strip()
    ]
    lines = quoted("\n\n".join(parts), one.source, room)
    if lines:
        yield ""
        yield from lines


def _label(one: Remembered) -> str:
    kind = inline(one.record.type, one.source)
    return f"[{kind}] {inline(one.record.title, one.source, _TITLE_BYTES)}"


def _raw(record: Record) -> str:
    return " (raw: nobody has confirmed it)" if record.trust_tier == "raw" else ""


def _ending(one: Remembered, now: datetime) -> str:
    """Since when it does not hold, why, and what holds instead."""
    record = one.record
    ends = [
        (record.invalidated, "invalidated"),
        (record.valid_until, "held until"),
        (record.expires, "expired"),
    ]
    over = [(end, word) for end, word in ends if end is not None and end <= now]
    told = f", {over[0][1]} {over[0][0]:%Y-%m-%d}" if over else ""
    reason = inline(record.invalidated_reason, one.source)
    told += f" ({reason})" if reason else ""
    other = inline(one.replaced_by, one.replaced_source, _TITLE_BYTES)
    return told + (f", replaced by: {other}" if other else "")


def _when(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M}Z"


def _span(length: timedelta) -> str:
    minutes = max(int(length.total_seconds()) // _MINUTES, 0)
    hours, rest = divmod(minutes, _MINUTES)
    return f"{hours} h {rest} min" if hours else f"{rest} min"
