"""Counts of journals, kept beside the index: derived, can be deleted at any time."""

import hashlib
import json
import logging
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

from mnemos_files.model.event import SessionEnded, SessionStarted
from mnemos_files.model.note import Stamp
from mnemos_files.model.tally import Count, Trace

FORMAT = 3
"""Raised whenever the same lines would be counted otherwise."""

_REST = timedelta(days=7)
_OLD = "journal-old.json"
_ALL = "journal.json"
_log = logging.getLogger(__name__)
Stamps = Mapping[PurePosixPath, Stamp]


@dataclass(slots=True)
class Part:
    """How far a file was counted: up to `end` [bytes]; the bytes before that and at the beginning.

    `seen` has the digests of its lines: a merge may bring a line twice. Without a `tail` nothing
    can be added to what was counted.
    """

    stamp: Stamp
    end: int = 0
    head: bytes = b""
    tail: bytes = b""
    seen: set[int] = field(default_factory=set)

    def close(self) -> None:
        """Spare the memory for a file that is not expected to grow; if it does, all is counted."""
        self.head = self.tail = b""
        self.seen = set()


Parts = dict[PurePosixPath, Part]


@dataclass(frozen=True, slots=True)
class KeptCount:
    """Two files: the count of months that hardly change any more, and that of all as last seen.

    `clock` tells which months are old.
    """

    folder: Path
    clock: Callable[[], datetime]

    def old(self, stamps: Stamps) -> dict[PurePosixPath, Stamp]:
        """Those files that hardly change any more: of months that ended a week ago or earlier."""
        first = f"{self.clock().astimezone(UTC) - _REST:%Y-%m}"
        return {path: stamp for path, stamp in stamps.items() if path.name < first}

    def load_all(self) -> tuple[Count, Parts]:
        """What was counted when it was last kept."""
        return _load(self.folder / _ALL)

    def load_old(self, old: Stamps) -> tuple[Count, Parts]:
        """What is kept of old months; nothing if one of them has changed since."""
        count, parts = _load(self.folder / _OLD)
        stamps = {path: part.stamp for path, part in parts.items()}
        return (count, parts) if stamps.items() <= old.items() else (Count(), {})

    def save_all(self, count: Count, parts: Parts) -> None:
        """Keep what is counted now; where that cannot be done nothing is kept."""
        _save(self.folder / _ALL, count, parts)

    def save_old(self, count: Count, parts: Parts) -> None:
        """Keep the count of old months."""
        _save(self.folder / _OLD, count, parts)


def _load(file: Path) -> tuple[Count, Parts]:
    try:
        head, _, body = file.read_bytes().partition(b"\n")
        if head == _head(body):
            row = json.loads(body)
            return _count(row), {PurePosixPath(p): _part(each) for p, each in row["parts"].items()}
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        _log.debug("no kept count: %s", error)
    return Count(), {}


def _save(file: Path, count: Count, parts: Parts) -> None:
    row = _row(count) | {"parts": {str(path): _part_row(part) for path, part in parts.items()}}
    body = json.dumps(row, separators=(",", ":")).encode("utf-8")
    draft = file.with_name(f"{file.name}-{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(_head(body) + b"\n" + body)
        draft.replace(file)
    except OSError as error:
        _log.debug("the count of journals is not kept: %s", error)
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _part_row(part: Part) -> list[Any]:
    stamp = part.stamp
    return [stamp.size, stamp.mtime_ns, stamp.inode, part.end, part.head.hex(), part.tail.hex()]


def _part(row: list[Any]) -> Part:
    size, mtime_ns, inode, end, head, tail = row
    return Part(Stamp(size, mtime_ns, inode), end, bytes.fromhex(head), bytes.fromhex(tail))


def _head(body: bytes) -> bytes:
    return b"%d %s" % (FORMAT, hashlib.sha256(body).hexdigest().encode("ascii"))


def _row(count: Count) -> dict[str, Any]:
    return {
        "uses": {
            name: [each[0], _text(each[1]), each[2], each[3], _text(each[4]), _text(each[5])]
            for name, each in count.uses.items()
        },
        "deeds": {key: _text(at) for key, at in count.deeds.items()},
        "touches": [[*key, number, _text(at)] for key, (number, at) in count.touches.items()],
        "traces": {name: _trace_row(trace) for name, trace in count.traces.items()},
    }


def _count(row: Mapping[str, Any]) -> Count:
    count = Count()
    count.restore(
        {
            name: [each[0], _time(each[1]), each[2], each[3], _time(each[4]), _time(each[5])]
            for name, each in row["uses"].items()
        },
        {name: _trace(name, each) for name, each in row["traces"].items()},
        {
            (project, path, agent): (number, datetime.fromisoformat(at))
            for project, path, agent, number, at in row["touches"]
        },
        {key: datetime.fromisoformat(at) for key, at in row["deeds"].items()},
    )
    return count


def _trace_row(trace: Trace) -> list[Any]:
    start, end = trace.started, trace.ended
    return [
        start and [_text(start.at), start.project, start.agent, start.goal, start.process],
        trace.machine,
        _text(trace.resumed),
        end and [_text(end.at), end.status, end.reason],
        _text(trace.last),
        # Their order is enough: whatever is touched later comes behind them.
        sorted(trace.touched, key=trace.touched.__getitem__),
        sorted(trace.skills),
    ]


def _trace(name: str, row: list[Any]) -> Trace:
    start, machine, resumed, end, last, touched, skills = row
    begun = datetime.fromisoformat(start[0] if start else last)
    return Trace(
        SessionStarted(begun, name, *start[1:]) if start else None,
        machine,
        datetime.fromisoformat(resumed),
        SessionEnded(datetime.fromisoformat(end[0]), name, *end[1:]) if end else None,
        datetime.fromisoformat(last),
        dict.fromkeys(touched, begun),
        set(skills),
    )


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
