"""The end of a session: one commit with its file, and its events in the journal."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from mnemos_files.model.event import Event, SessionEnded, SkillUsed
from mnemos_files.model.session import AUTO_CLOSED, Ending, Session
from mnemos_files.store.journal import Journal
from mnemos_files.store.message import message
from mnemos_files.store.plans import AGENT_DEFAULT
from mnemos_files.store.session_files import no_session
from mnemos_files.store.session_log import Known, SessionLog
from mnemos_files.store.writer import Draft, Planned, Receipt


@dataclass(frozen=True, slots=True)
class Ended:
    """A session with its end, and its file; `notices` are facts that the caller should know."""

    session: Session
    path: PurePosixPath
    receipt: Receipt
    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class EndPlan:
    """Plans the end of one session; a group of writes may ask for the plan more than once."""

    log: SessionLog
    journal: Journal
    clock: Callable[[], datetime]
    agent: str
    session_id: str
    ending: Ending
    _told: list[Event] = field(default_factory=list)
    _done: list[Ended] = field(default_factory=list)

    def __call__(self, draft: Draft) -> Planned:
        """The session's file with its end.

        Raises:
            NotFoundError: no session has this id, or it has ended already.
            CorruptError: its file cannot be changed safely.
        """
        known = self.log.known(self.session_id, draft)
        before = known.session
        if known.note is not None and not (before.is_open or before.is_auto_closed):
            raise no_session(self.session_id, has_ended=True)
        after, notices = self._after(known)
        page = self.log.page(known, after, draft)
        self._tell(after)
        self._done.append(Ended(after, page.path, Receipt(), notices))
        commit = message(
            "end",
            [replace(page.record, session=self.session_id)],
            agent=self.agent if before.agent in ("", AGENT_DEFAULT) else before.agent,
            body=self.ending.summary,
        )
        return Planned({page.path: page.data}, commit, with_journal=True)

    def done(self, receipt: Receipt) -> Ended:
        """What became of it, once the plan was carried out."""
        ended = self._done[-1]
        return replace(ended, receipt=receipt, notices=(*ended.notices, *receipt.notices))

    def take_back(self) -> None:
        """Tell the journal that the session goes on, when the file could not be written."""
        trace = self.log.files.traces().get(self.session_id)
        if self._told and trace is not None:
            later = self._told[-1].at + timedelta(microseconds=1)
            self.journal.note([replace(trace.started, at=max(self.clock(), later))])

    def _after(self, known: Known) -> tuple[Session, tuple[str, ...]]:
        """The session with its end. A status that a person wrote into its file stays."""
        before, ending = known.session, self.ending
        tags = [tag for tag in before.outcome_tags if not tag.startswith(AUTO_CLOSED)]
        by_hand = before.status if known.note is not None and before.is_open else ""
        notices: tuple[str, ...] = ()
        if by_hand and by_hand != ending.status:
            notices = (f"the file says status {by_hand}, which was written by hand: it is kept",)
        after = replace(
            before,
            ended=self.clock(),
            status=by_hand or ending.status,
            outcome_tags=tuple(dict.fromkeys([*tags, *ending.outcome_tags])),
            summary=ending.summary.strip(),
            reflection=ending.reflection.strip(),
        )
        return after, notices

    def _tell(self, after: Session) -> None:
        """Write the events once, before the commit that takes the journal along."""
        if self._told:
            return
        now = self.clock()
        uses = [
            SkillUsed(now, skill, outcome, after.agent, after.id)
            for skill, outcome in self.ending.skills
        ]
        events: list[Event] = [*uses, SessionEnded(now, after.id, after.status)]
        self.journal.append(events)
        self._told = events
