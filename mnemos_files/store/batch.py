"""Committing the journal when nothing else does: one commit for all that has gathered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from mnemos_files import __version__
from mnemos_files.history.repo import History
from mnemos_files.model.event import DEEDS, Event
from mnemos_files.store.draft import Draft, Message, Plan, Planned, Receipt
from mnemos_files.store.journal import Journal

QUIET = timedelta(minutes=15)
"""So long nothing is written or read before events are committed by themselves."""

AUTHOR = "mnemos-files"


@dataclass(slots=True)
class Batch:
    """The commits of a journal; `run` carries out plans, `history` may come later.

    `tasks` are asked after each rest what else is to be done; they tell as `idle` does when next.
    """

    journal: Journal
    history: Callable[[], History | None]
    run: Callable[[Plan], Receipt]
    clock: Callable[[], datetime]
    tasks: list[Callable[[], float]] = field(default_factory=list)
    _active: datetime = field(default=datetime.min.replace(tzinfo=UTC), init=False)

    def __post_init__(self) -> None:
        self.note_activity()

    def note_activity(self) -> None:
        """Something was done just now."""
        self._active = self.clock()

    def commit(self) -> Receipt:
        """Commit this machine's journals as they are; no commit when there is nothing new.

        Raises:
            RefusedError, UnavailableError: no commit can be made now.
        """
        return self.run(self._plan) if self.journal.batch() else Receipt()

    def idle(self) -> float:
        """Commit what has gathered if it is worth it and all was quiet for `QUIET`; then the tasks.

        Gives the time [s] after which to ask again. A start and what it put before a model are not
        worth a commit. In the middle of a merge or rebase nothing is done.
        """
        return min([self._commit_quietly(), *(task() for task in self.tasks)])

    def noise_left(self, waiting: Sequence[Event] | None = None) -> float:
        """How long [s] it must still be quiet until it was for `QUIET`; 0 when it was.

        `waiting` are the events that are in no commit, where they are known.
        """
        events = self.journal.waiting() if waiting is None else waiting
        last = max([self._active, *(event.at for event in events)])
        left = last + QUIET - self.clock()
        if timedelta(0) < left <= QUIET:  # more: the clock was put back since
            return max(left.total_seconds(), 1.0)
        return 0.0

    def _commit_quietly(self) -> float:
        history = self.history()
        waiting = self.journal.waiting()
        if history is None or not any(isinstance(event, DEEDS) for event in waiting):
            return QUIET.total_seconds()
        left = self.noise_left(waiting)
        if left:
            return left
        if not history.blocked():
            self.commit()
        return QUIET.total_seconds()

    def _plan(self, _draft: Draft) -> Planned | None:
        count = len(self.journal.waiting())
        events = "1 event" if count == 1 else f"{count} events"
        trailers = (("Mnemos-Op", "journal"), ("Mnemos-Tool-Version", __version__))
        message = Message(f"journal(events): {events}", trailers=trailers, agent=AUTHOR)
        return Planned({}, message, with_journal=True)
