"""Sessions that have no end: which are still worked in, and which nobody will end any more."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError
from mnemos_files.model.event import Event, SessionEnded
from mnemos_files.model.session import AUTO_CLOSED, Session, from_record
from mnemos_files.model.tally import SessionTrace
from mnemos_files.model.ulid import is_ulid
from mnemos_files.store.journal import Journal
from mnemos_files.store.message import message
from mnemos_files.store.session_files import first_path, session_of
from mnemos_files.store.session_log import Page, SessionLog
from mnemos_files.store.writer import Draft, Plan, Planned

QUIET_SECONDS = 600.0
"""How long a session whose server is gone waits for its client to come back [s]."""

STALE_SECONDS = 86_400.0
"""Nobody comes back to a session in which nothing happened for a day [s]."""

REASONS = {
    "server-gone": "its server is gone and nothing happened for 10 minutes",
    "stale": "nothing happened for 24 hours",
}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Open:
    """A session without end: `last` is when something happened in it last.

    `reason` is a key of `REASONS`, "" while somebody may still work in it; `is_empty` when nothing
    was saved or touched.
    """

    session: Session
    last: datetime
    reason: str = ""
    is_empty: bool = True


@dataclass(frozen=True, slots=True)
class Idle:
    """Judges the sessions without end by journal, files and the processes of this machine."""

    log: SessionLog
    journal: Journal
    is_running: Callable[[int], bool]

    def without_end(self, wanted: Callable[[SessionTrace], bool]) -> list[SessionTrace]:
        """Sessions that have no end in the journal, nor in their file where they have one."""
        traces = self.journal.tally().sessions
        return [
            trace
            for session_id, trace in traces.items()
            if trace.ended is None
            and is_ulid(session_id)
            and wanted(trace)
            and not self._has_ended_in_file(trace)
        ]

    def judged(self, trace: SessionTrace, now: datetime) -> Open:
        """What happened in a session, and whether somebody may still work in it."""
        session, first = session_of(trace), first_path(trace)
        entry = self.log.files.entry(session.id, trace)
        saved = self.log.records(session.id, first if entry is None else entry.path, first)
        times = [record.created for _, record in saved if record.created is not None]
        last = max(trace.last, *times) if times else trace.last
        is_empty = not (saved or trace.touched or entry)
        return Open(session, last, self._reason(trace, now - last), is_empty)

    def closing(self, gone: Sequence[Open], agent: str) -> Plan:
        """The plan of one commit that closes these sessions in their files."""

        def plan(draft: Draft) -> Planned | None:
            pages = [page for each in gone if (page := self._page(each, draft)) is not None]
            if not pages:
                return None
            files: dict[PurePosixPath, bytes | None] = {page.path: page.data for page in pages}
            body = "\n".join(f"{each.session.id}: {REASONS[each.reason]}" for each in gone)
            commit = message("close", [page.record for page in pages], agent=agent, body=body)
            return Planned(files, commit)

        return plan

    def _page(self, gone: Open, draft: Draft) -> Page | None:
        """The file of a closed session; None when it ended meanwhile or cannot be changed."""
        try:
            known = self.log.known(gone.session.id, draft)
            if not known.session.is_open:
                return None
            return self.log.page(known, _closed(known.session, gone), draft)
        except MnemosError as error:
            _log.warning("session %s stays open: %s", gone.session.id, error)
            return None

    def _reason(self, trace: SessionTrace, quiet: timedelta) -> str:
        if quiet >= timedelta(seconds=STALE_SECONDS):
            return "stale"
        process = trace.started.process if trace.machine == self.journal.machine else 0
        if process <= 0 or quiet < timedelta(seconds=QUIET_SECONDS):
            return ""
        return "" if self.is_running(process) else "server-gone"

    def _has_ended_in_file(self, trace: SessionTrace) -> bool:
        entry = self.log.files.entry(trace.started.session, trace)
        return entry is not None and not from_record(entry.record).is_open


def _closed(before: Session, gone: Open) -> Session:
    """The session with the end that it gets for its agent; a status by hand stays."""
    tags = (*before.outcome_tags, f"{AUTO_CLOSED}{gone.reason}")
    status = before.status or "abandoned"
    return replace(before, ended=gone.last, status=status, outcome_tags=tags)


def end_events(gone: Sequence[Open], now: datetime) -> list[Event]:
    """The ends of these sessions for the journal."""
    return [SessionEnded(now, each.session.id, "abandoned", each.reason) for each in gone]
