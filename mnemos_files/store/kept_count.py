"""The count of old months, kept beside the index: derived, can be deleted at any time."""

import hashlib
import json
import logging
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

from mnemos_files.model.event import SessionEnded, SessionStarted
from mnemos_files.model.note import Stamp
from mnemos_files.model.tally import Count, Trace

FORMAT = 1
"""Raised whenever the same lines would be counted otherwise."""

_REST = timedelta(days=7)
_log = logging.getLogger(__name__)
Stamps = Mapping[PurePosixPath, Stamp]


@dataclass(frozen=True, slots=True)
class KeptCount:
    """The file, and the clock that tells which months are old."""

    file: Path
    clock: Callable[[], datetime]

    def old(self, stamps: Stamps) -> dict[PurePosixPath, Stamp]:
        """Those files that hardly change any more: of months that ended a week ago or earlier."""
        first = f"{self.clock().astimezone(UTC) - _REST:%Y-%m}"
        return {path: stamp for path, stamp in stamps.items() if path.name < first}

    def load(self, old: Stamps) -> tuple[Count, dict[PurePosixPath, Stamp]]:
        """What is kept and of which files; nothing if one of them has changed since."""
        try:
            head, _, body = self.file.read_bytes().partition(b"\n")
            if head != _head(body):
                return Count(), {}
            row = json.loads(body)
            files = {PurePosixPath(path): Stamp(*stamp) for path, stamp in row["files"].items()}
            if files.items() <= old.items():
                return _count(row), files
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            _log.debug("no kept count: %s", error)
        return Count(), {}

    def save(self, count: Count, files: Stamps) -> None:
        """Keep a count of these files; where that cannot be done nothing is kept."""
        row = _row(count) | {
            "files": {
                str(path): [stamp.size, stamp.mtime_ns, stamp.inode]
                for path, stamp in files.items()
            }
        }
        body = json.dumps(row, separators=(",", ":")).encode("utf-8")
        draft = self.file.with_name(f"{self.file.name}-{os.getpid()}-{threading.get_ident()}.tmp")
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(_head(body) + b"\n" + body)
            draft.replace(self.file)
        except OSError as error:
            _log.debug("the count of old journals is not kept: %s", error)
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def _head(body: bytes) -> bytes:
    return b"%d %s" % (FORMAT, hashlib.sha256(body).hexdigest().encode("ascii"))


def _row(count: Count) -> dict[str, Any]:
    return {
        "uses": {
            name: [each[0], _text(each[1]), each[2], each[3], _text(each[4])]
            for name, each in count.uses.items()
        },
        "touches": [[*key, number, _text(at)] for key, (number, at) in count.touches.items()],
        "traces": {name: _trace_row(trace) for name, trace in count.traces.items()},
    }


def _count(row: Mapping[str, Any]) -> Count:
    count = Count()
    count.restore(
        {
            name: [each[0], _time(each[1]), each[2], each[3], _time(each[4])]
            for name, each in row["uses"].items()
        },
        {name: _trace(name, each) for name, each in row["traces"].items()},
        {
            (project, path, agent): (number, datetime.fromisoformat(at))
            for project, path, agent, number, at in row["touches"]
        },
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
    ]


def _trace(name: str, row: list[Any]) -> Trace:
    start, machine, resumed, end, last, touched = row
    begun = datetime.fromisoformat(start[0] if start else last)
    return Trace(
        SessionStarted(begun, name, *start[1:]) if start else None,
        machine,
        datetime.fromisoformat(resumed),
        SessionEnded(datetime.fromisoformat(end[0]), name, *end[1:]) if end else None,
        datetime.fromisoformat(last),
        dict.fromkeys(touched, begun),
    )


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
