"""Events and the lines of a journal. Pure.

One JSON object a line. What cannot be understood is passed over: a line that a crash cut, one of a
later version, one with a value of another type than it should have.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from mnemos_files.model.event import EVENTS, Accessed, Dreamed, Event, Surfaced
from mnemos_files.model.session import GOAL_MAX

LINE_BYTES_MAX = 131_072
"""Longest line [bytes] that is read; the longest goal, all escapes, still fits."""

IDS_MAX = 20
"""Records or keys [1] in one line; an event of more is written as several."""

TEXT_MAX = {"goal": GOAL_MAX, "note": 500, "path": 1_000, "reason": 1_000}
"""Longest texts [characters] that are written."""

_OTHER_TEXT_MAX = 500
_HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")
_NAMES = {kind: name for name, kind in EVENTS.items()}


def render(events: Iterable[Event]) -> list[bytes]:
    """Lines of these events, line ends included; texts are cut at their limits."""
    return [_line(part) for event in events for part in _parts(event)]


def month(event: Event) -> str:
    """Name of the journal that the event belongs into: year and month in UTC."""
    return month_name(event.at)


def month_name(moment: datetime) -> str:
    """Name of the journal of a moment: names of later months sort behind it."""
    at = moment.astimezone(UTC)
    return f"{at.year:04d}-{at.month:02d}.jsonl"


def numbered(line: bytes, number: int) -> bytes:
    """The same line, told apart from others with the same words by a number above 1."""
    return line[:-2] + b',"n":%d}\n' % number


def parse(lines: Iterable[bytes]) -> list[Event]:
    """The events of lines without their line ends, in order."""
    usable = [line for line in lines if 1 < len(line) <= LINE_BYTES_MAX]
    return [event for row in _rows(usable) if (event := _event(row)) is not None]


def _parts(event: Event) -> Iterator[Event]:
    if isinstance(event, Dreamed):
        for start in range(0, len(event.keys), IDS_MAX):
            yield replace(event, keys=event.keys[start : start + IDS_MAX])
    elif isinstance(event, Accessed | Surfaced):
        for start in range(0, len(event.ids), IDS_MAX):
            yield replace(event, ids=event.ids[start : start + IDS_MAX])
    else:
        yield event


def _line(event: Event) -> bytes:
    row: dict[str, object] = {
        "at": _written(event.at),
        "event": _NAMES[type(event)],
    }
    for name in _SHAPES[_NAMES[type(event)]].names:
        if value := getattr(event, name):
            row[name] = _clipped(name, value)
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def _clipped(name: str, value: object) -> object:
    if isinstance(value, str):
        return value[: TEXT_MAX.get(name, _OTHER_TEXT_MAX)]
    if isinstance(value, tuple):
        return [each[:_OTHER_TEXT_MAX] for each in value]
    return value


def _rows(lines: Sequence[bytes]) -> list[object]:
    """JSON values of lines; those that are none are left out."""
    joined = b"[" + b",".join(lines) + b"]"
    rows: list[object] = []
    # All at once takes two thirds of the time; one odd line and each is looked at by itself.
    if not _HALF_CHARACTER.search(joined):
        with suppress(ValueError, RecursionError):
            rows = json.loads(joined.decode("utf-8"))
    return rows if len(rows) == len(lines) else [row for line in lines for row in _row(line)]


def _row(line: bytes) -> list[object]:
    try:
        row = json.loads(line.decode("utf-8"))
        json.dumps(row, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return []
    return [row]


def _event(row: Any) -> Event | None:  # noqa: ANN401 - whatever JSON may hold
    """The event that a JSON value is, None when it is not one that we know."""
    try:
        shape = _SHAPES[row["event"]]
        at = datetime.fromisoformat(row["at"])
        if at.tzinfo is not UTC:
            at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        values = list(map(row.get, shape.names, shape.defaults))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return None
    # The first field is the one without which an event means nothing.
    if not values[0] or list(map(type, values)) != shape.types:
        return None
    if shape.types[0] is list:
        if {*map(type, values[0])} != {str}:
            return None
        values[0] = tuple(values[0])
    return shape.kind(at, *values)


@dataclass(frozen=True, slots=True)
class _Shape:
    """How an event lies in a line: keys, values of absent ones, types."""

    kind: Callable[..., Event]
    names: tuple[str, ...]
    defaults: tuple[Any, ...]
    types: list[type]


def _shape(kind: type[Event]) -> _Shape:
    names = tuple(each.name for each in fields(kind)[1:])
    empty: dict[object, Any] = {str: "", int: 0, tuple[str, ...]: []}
    defaults = tuple(empty[each.type] for each in fields(kind)[1:])
    return _Shape(kind, names, defaults, list(map(type, defaults)))


_SHAPES = {name: _shape(kind) for name, kind in EVENTS.items()}
