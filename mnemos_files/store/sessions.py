"""Working sessions: their start, their end, and finding them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemos_files.errors import InvalidRecordError, MnemosError, RefusedError, UnavailableError
from mnemos_files.format.record import parse
from mnemos_files.format.scalar import check_text
from mnemos_files.model.event import Event, SessionStarted
from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query
from mnemos_files.model.session import GOAL_MAX, Ending, Session, from_record
from mnemos_files.model.tally import SessionTrace
from mnemos_files.safety.mask import mask
from mnemos_files.store.ending import Ended, EndPlan
from mnemos_files.store.idle import Idle, Open, end_events
from mnemos_files.store.plans import AGENT_DEFAULT
from mnemos_files.store.session_files import SessionFiles, as_id, no_session, session_of
from mnemos_files.store.session_log import SessionLog
from mnemos_files.store.sources import Sources
from mnemos_files.store.writer import Plan, Receipt

_CLOSED_MAX = 20
"""Sessions [1] that a start closes one by one, where all at once cannot be written."""

UNRECORDED = "the session is not recorded, so its id will not be known later"
MASKED = "the goal held what looks like a secret; it is kept as [secret: ...]"


@dataclass(frozen=True, slots=True)
class SessionParts:
    """What sessions are made of: `refresh` looks at the disk, `run` carries out plans."""

    files: SessionFiles
    refresh: Callable[[], int]
    run: Callable[[Plan], Receipt]
    sources: Sources


@dataclass(frozen=True, slots=True)
class Started:
    """A session that began, those that were closed for it, and others that are open."""

    session: Session
    closed: tuple[Open, ...] = ()
    open: tuple[Open, ...] = ()
    notices: tuple[str, ...] = ()


class Sessions:
    """The sessions of one vault, as one agent uses them. Thread-safe."""

    def __init__(self, parts: SessionParts, agent: str = AGENT_DEFAULT) -> None:
        self._parts = parts
        self._agent = agent
        self._files, self._journal = parts.files, parts.files.journal
        self._clock = parts.sources.clock
        self._log = SessionLog(parts.files.index, parts.files)
        self._idle = Idle(self._log, self._journal, parts.sources.is_running)

    def acting_for(self, agent: str) -> "Sessions":
        """The same sessions, whose commits name this agent where a session names none."""
        return Sessions(self._parts, agent)

    def start(self, goal: str = "", project: str = "", agent: str = "") -> Started:
        """Begin a session: an event of the journal, no file and no commit.

        Open sessions of the same agent and project in which nobody works any more are closed.
        Secrets in the goal are masked: the journal is committed. Where the journal cannot be
        written the session is not recorded, which a notice tells: reading goes on.

        Raises:
            InvalidRecordError: a text that no file can hold, or a goal that is too long.
        """
        parts, now = self._parts, self._clock()
        wish = goal.strip()
        _check(wish, project, agent)
        session = Session(
            id=parts.sources.make_id(now),
            started=now,
            agent=agent,
            project=project,
            goal=mask(wish),
        )
        is_other = _of(agent, project, exactly=True)
        if self._idle.without_end(is_other):
            parts.refresh()  # a person may have ended them by hand
        traces = self._idle.without_end(is_other)
        others = [self._idle.judged(trace, now) for trace in traces]
        others.sort(key=lambda each: each.last, reverse=True)
        closed, notices = self._close([each for each in others if each.reason])
        start = SessionStarted(now, session.id, project, agent, session.goal, self._journal.process)
        notices += self._noted([*end_events(closed, now), start])
        notices += () if session.goal == wish else (MASKED,)
        return Started(session, closed, tuple(e for e in others if e not in closed), notices)

    def _noted(self, events: Sequence[Event]) -> tuple[str, ...]:
        try:
            self._journal.append(events)
        except (RefusedError, UnavailableError) as error:
            return (f"{UNRECORDED}: {error.message}",)
        return ()

    def end(self, name: str, ending: Ending) -> Ended:
        """End an open session, or one that was closed for its agent, in one commit with its file.

        Raises:
            NotFoundError: no session is called so, or it has ended already.
            AmbiguousNameError: several files are called so.
            CorruptError: its file cannot be changed safely.
            RefusedError, ConflictError, UnavailableError: writing is not possible now.
        """
        self._parts.refresh()
        parts, session_id = self._parts, self.identify(name)
        plan = EndPlan(self._log, self._journal, self._clock, self._agent, session_id, ending)
        try:
            receipt = parts.run(plan)
        except MnemosError:
            plan.take_back()
            raise
        return plan.done(receipt)

    def identify(self, name: str) -> str:
        """Id of the session that is called so, by id, stem or path; reads no file.

        Raises:
            NotFoundError: no session is called so.
            AmbiguousNameError: several are.
        """
        session_id = as_id(name)
        if not session_id:
            return self._files.named(name, self._files.look).record.id
        if session_id in self._files.traces() or self._files.entry(session_id):
            return session_id
        raise no_session(name)

    def find(self, session_id: str) -> Session | None:
        """The session with this id, from its file or else from the journal, None if none has it.

        Raises:
            AmbiguousNameError: several files have it.
        """
        self._parts.refresh()
        note = self._files.note(session_id, self._files.look)
        if note is not None:
            return from_record(note.record)
        trace = self._files.traces().get(session_id)
        return None if trace is None else session_of(trace)

    def recent(
        self, agent: str = "", project: str = "", limit: int = 20, *, statuses: tuple[str, ...] = ()
    ) -> list[Session]:
        """Sessions with a file, and open ones without, newest first; empty arguments do not filter.

        A project means exactly that one.
        """
        self._parts.refresh()
        open_ones = [] if statuses else self._idle.without_end(_of(agent, project))
        found: list[Session | Entry] = [*self._filed(agent, project, statuses, limit)]
        found += [
            session_of(trace)
            for trace in open_ones
            if self._files.entry(trace.started.session, trace) is None
        ]
        found.sort(key=_newest, reverse=True)
        return [self._read(each) for each in found[:limit]]

    def current(self) -> Session | None:
        """The newest open session, one of this process before all others."""
        open_ones = self._idle.without_end(lambda _: True)
        if not open_ones:
            return None
        newest = max(open_ones, key=lambda trace: (self._is_own(trace), trace.started.at))
        return self.find(newest.started.session)

    def _is_own(self, trace: SessionTrace) -> bool:
        journal = self._journal
        here = (trace.machine, trace.started.process) == (journal.machine, journal.process)
        return here and journal.process > 0

    def _close(self, gone: list[Open]) -> tuple[tuple[Open, ...], tuple[str, ...]]:
        """What is closed of these; facts to tell where a file cannot be written now."""
        written = [each for each in gone if not each.is_empty]
        error = self._write_ends(written)
        if error is None:
            return tuple(gone), ()
        # One by one, so that a file that cannot be written keeps no other session open.
        alone = written[:_CLOSED_MAX] if len(written) > 1 else []
        errors = {each.session.id: self._write_ends([each]) for each in alone}
        stay = [each for each in written if errors.get(each.session.id, error) is not None]
        if not stay:
            return tuple(gone), ()
        left = "1 session that nobody ended stays"
        if len(stay) > 1:
            left = f"{len(stay)} sessions that nobody ended stay"
        why = errors.get(stay[0].session.id) or error
        notice = f"{left} open: {why.message}"
        return tuple(each for each in gone if each not in stay), (notice,)

    def _write_ends(self, gone: list[Open]) -> MnemosError | None:
        """Close these sessions in their files, in one commit; the error when that cannot be."""
        try:
            if gone:
                self._parts.run(self._idle.closing(gone, self._agent))
        except MnemosError as error:
            return error
        return None

    def _filed(
        self, agent: str, project: str, statuses: tuple[str, ...], limit: int
    ) -> list[Entry]:
        """Entries of the newest sessions with a file; only about as many as needed are decoded."""
        query = Query(
            text="",
            now=self._clock(),
            type="session",
            agent=agent,
            project=project,
            include_raw=True,
            include_stale=True,
        )
        size = 2 * limit
        while True:
            entries = self._files.index.select(query, order="created", limit=size)
            fitting = {  # by id: a copy that a person made of a file is no other session
                entry.record.id: entry
                for entry in reversed(entries)
                if project in ("", entry.record.project)
                and (not statuses or from_record(entry.record).status in statuses)
            }
            if len(fitting) >= limit or len(entries) < size:
                return [*reversed(fitting.values())][:limit]
            size *= 4

    def _read(self, found: Session | Entry) -> Session:
        if isinstance(found, Session):
            return found
        data = self._files.look(found.path)
        return from_record(found.record if data is None else parse(found.path, data).record)


def _check(goal: str, project: str, agent: str) -> None:
    for name, text in (("goal", goal), ("project", project), ("agent", agent)):
        check_text(name, text)
    if len(goal) > GOAL_MAX:
        problem = f"{len(goal)} characters are too many, at most {GOAL_MAX} fit"
        raise InvalidRecordError("goal", problem, remedy="Say it in fewer words.")


def _of(agent: str, project: str, *, exactly: bool = False) -> Callable[[SessionTrace], bool]:
    """The test for sessions of an agent in a project; empty ones mean any, unless `exactly`."""

    def is_wanted(trace: SessionTrace) -> bool:
        start = trace.started
        if exactly:
            return (start.agent, start.project) == (agent, project)
        return agent in ("", start.agent) and project in ("", start.project)

    return is_wanted


def _newest(found: Session | Entry) -> tuple[datetime, str]:
    session = found if isinstance(found, Session) else from_record(found.record)
    return session.started.replace(microsecond=0), session.id
