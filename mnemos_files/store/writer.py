"""One writer at a time, many calls at once.

Calls that arrive while another one writes are taken together by the next: their files are made
durable in one round and their commits, one for each call, move the branch once. Every call is
planned on top of the ones before it, so a group gives what the calls would give one by one.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import TypeVar

from mnemos_files.errors import (
    ConflictError,
    MnemosError,
    RefusedError,
    UnavailableError,
)
from mnemos_files.history.repo import History
from mnemos_files.history.values import Change
from mnemos_files.store.draft import Draft, Message, Plan, Planned, Receipt
from mnemos_files.store.guard import Guard
from mnemos_files.store.intent import Debt, IntentFile, same
from mnemos_files.store.owed import (
    Owed,
    blob_or_none,
    changes,
    debt_of,
    final_files,
    unversioned,
)
from mnemos_files.vault.files import Vault, Write
from mnemos_files.vault.lock import VaultLock

__all__ = ["Draft", "Message", "Parts", "Plan", "Planned", "Receipt", "Writer"]

LOCK_SECONDS = 30.0
Done = TypeVar("Done")
GROUP_MAX = 64

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Ticket:
    plan: Plan
    planned: Planned | None = None
    receipt: Receipt | None = None
    error: MnemosError | None = None

    @property
    def is_done(self) -> bool:
        return self.receipt is not None or self.error is not None


@dataclass(frozen=True, slots=True)
class Parts:
    """What the writer works with.

    `prepare` opens the repository and looks for news; `found` makes a missing one, writes a new
    vault's settings and gives the commit that they owe. `journal` gives the journals to commit.
    """

    vault: Vault
    lock: VaultLock
    prepare: Callable[[], tuple[History | None, IntentFile | None]]
    found: Callable[[], tuple[History | None, IntentFile | None, Sequence[Change]]]
    written: Callable[[Sequence[str]], None]
    committed: Callable[[str, str], None]
    adopt: Callable[[PurePosixPath, bytes], Message]
    journal: Callable[[], Mapping[PurePosixPath, bytes]]
    guard: Guard
    clock: Callable[[], datetime]


@dataclass(slots=True)
class Writer:
    """Runs plans in groups. Thread-safe."""

    parts: Parts
    _queue: list[_Ticket] = field(default_factory=list)
    _queue_lock: threading.Lock = field(default_factory=threading.Lock)
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _owed: Owed = field(init=False)

    def __post_init__(self) -> None:
        self._owed = Owed(self.parts.vault)

    def run(self, plan: Plan) -> Receipt:
        """Write what the plan says, whole or not at all; returns when it is durable.

        Raises:
            MnemosError: the plan refused, the files moved meanwhile, or writing is not possible
                now; nothing of this call was written.
        """
        done = self.run_all([plan])[0]
        if isinstance(done, MnemosError):
            raise done
        return done

    def run_all(self, plans: Sequence[Plan]) -> list[Receipt | MnemosError]:
        """The same for many plans in this order, or why one was refused; the others are written."""
        tickets = [_Ticket(plan) for plan in plans]
        with self._queue_lock:
            self._queue += tickets
        with self._turn:
            while not all(ticket.is_done for ticket in tickets):
                self._lead()
        return [ticket.error or ticket.receipt or Receipt() for ticket in tickets]

    def alone(self, work: Callable[[History, IntentFile], Done]) -> Done:
        """The result of some work that needs the vault for itself; what is owed is paid first.

        Raises:
            RefusedError: there is no git history, or no commit may be made now (`git-state`).
            UnavailableError: somebody else writes for long.
        """
        with self._turn, self.parts.lock.hold(LOCK_SECONDS):
            history, intent = self.parts.prepare()
            if history is None or intent is None:
                raise RefusedError("no-history", "the vault has no git history")
            if why := history.blocked():
                raise RefusedError("git-state", why)
            owed = self._settled(history, intent)
            if owed:
                self._commit(owed, (), history, intent)
            return work(history, intent)

    def recover(self) -> int:
        """Commit what an earlier process left whole but uncommitted; the number of commits."""
        with self._turn, self.parts.lock.hold(LOCK_SECONDS):
            history, intent = self.parts.prepare()
            if history is None or intent is None or history.blocked():
                return 0
            owed = self._settled(history, intent)
            return len(self._commit(owed, (), history, intent)[0])

    def sweep(self) -> None:
        """Remove what killed writers left in the middle; nobody else writes meanwhile."""
        with self._turn, self.parts.lock.hold(LOCK_SECONDS):
            for problem in self.parts.vault.sweep_temporaries(self.parts.clock(), 0):
                _log.warning("%s", problem)

    def _lead(self) -> None:
        with self._queue_lock:
            group, self._queue[:] = self._queue[:GROUP_MAX], self._queue[GROUP_MAX:]
        error: MnemosError = UnavailableError("the write was cut short", remedy="Try again.")
        try:
            with self.parts.lock.hold(LOCK_SECONDS):
                self._write(group)
        except MnemosError as caught:
            error = caught
        finally:
            for ticket in group:
                if not ticket.is_done:
                    ticket.error = error

    def _write(self, group: Sequence[_Ticket]) -> None:
        history, intent = self.parts.prepare()
        if history is not None and (why := history.blocked()):
            raise RefusedError("git-state", why)
        try:
            self._write_group(group, history, intent)
        except ConflictError:
            if len(group) == 1:
                raise
            # Nothing was written: every call starts anew, so that one that lost costs no other.
            for ticket in group:
                ticket.planned = ticket.receipt = ticket.error = None
            for ticket in group:
                self._write_alone(ticket, history, intent)

    def _write_alone(
        self, ticket: _Ticket, history: History | None, intent: IntentFile | None
    ) -> None:
        try:
            self._write_group([ticket], history, intent)
        except MnemosError as error:
            ticket.error = error

    def _write_group(
        self, group: Sequence[_Ticket], history: History | None, intent: IntentFile | None
    ) -> None:
        owed = self._settled(history, intent)
        draft = Draft(self._owed.look)
        debts = [debt for ticket in group for debt in self._plan(ticket, draft, history)]
        first: Sequence[Change] = ()
        if draft.written:
            known = history
            history, intent, first = self.parts.found()
            if known is None and history is not None:
                debts = [*self._older(debts, draft, history), *debts]
            self._apply(draft, owed, debts, intent)
        commits, notices = self._commit([*owed, *debts], first, history, intent)
        told = self.parts.guard.notices(debt.files for debt in debts if debt.is_adopted)
        self._receipts(group, debts, commits, (*notices, *told))
        if draft.written:
            self.parts.written([str(path) for path in draft.written])

    def _apply(
        self,
        draft: Draft,
        owed: Sequence[Debt],
        debts: Sequence[Debt],
        intent: IntentFile | None,
    ) -> None:
        if intent is not None:
            intent.write([*owed, *debts])
        try:
            self.parts.vault.apply(_writes(draft))
        except MnemosError:
            if intent is not None:
                intent.write(owed)
            raise

    def _plan(self, ticket: _Ticket, draft: Draft, history: History | None) -> list[Debt]:
        if ticket.is_done:
            return []
        saved = dict(draft.saved)
        try:
            ticket.planned = ticket.plan(draft)
            if ticket.planned is None:
                ticket.receipt = Receipt()
                return []
            ticket.planned = self.parts.guard.checked(ticket.planned, draft)
            adopted = self._adopted(ticket.planned, draft, history)
        except MnemosError as error:
            ticket.error, ticket.planned, draft.saved = error, None, saved
            return []
        before = {path: blob_or_none(draft.look(path)) for path in ticket.planned.files}
        draft.written.update(ticket.planned.files)
        return [*adopted, debt_of(ticket.planned, before)]

    def _adopted(self, planned: Planned, draft: Draft, history: History | None) -> list[Debt]:
        """Commits in the person's name for uncommitted edits of files that this call changes."""
        if history is None:
            return []
        debts = []
        for path in planned.files:
            data = draft.look(path)
            if data is None or path in draft.written:
                continue
            if history.blob_id(path, data) != history.committed(path):
                debts += self.adoption(path, data, history)
        return debts

    def _older(self, debts: Sequence[Debt], draft: Draft, history: History) -> list[Debt]:
        """Commits of what lay in these files before there was a history."""
        paths = dict.fromkeys(path for debt in debts for path in debt.files)
        seen = {path: draft.seen.get(path) for path in paths}
        olds = [(path, data) for path, data in seen.items() if data is not None]
        return [debt for path, data in olds for debt in self.adoption(path, data, history)]

    def adoption(self, path: PurePosixPath, data: bytes, history: History) -> list[Debt]:
        """Commits in the person's name of an edit that is in no commit yet."""
        message = self.parts.adopt(path, data)
        staged = history.staged(path)
        versions = [data]
        if staged not in ("", history.committed(path), history.blob_id(path, data)):
            versions.insert(0, history.read_blob(staged))
        plans = [Planned({path: each}, message) for each in versions]
        return [replace(debt_of(planned, {}), is_adopted=True) for planned in plans]

    def _commit(
        self,
        debts: Sequence[Debt],
        first: Sequence[Change],
        history: History | None,
        intent: IntentFile | None,
    ) -> tuple[dict[int, str], tuple[str, ...]]:
        """Commits by identity of their debt, and notices; what cannot be committed stays owed.

        `first` goes before them; it owes nothing, since it is found anew at the next write.
        """
        if not debts:
            return {}, ()
        if history is None or intent is None:
            return {}, ("saved without history: git cannot be used here, stats tells why",)
        refused = unversioned(debts, history)
        notices = [f"{path} is not versioned: {reason}" for path, reason in refused.items()]
        due = [debt for debt in debts if refused.keys().isdisjoint(debt.files)]
        try:
            takes_journal = any(debt.with_journal for debt in due)
            journal = self.parts.journal() if takes_journal else {}
            result = history.commit([*first, *changes(due, journal)], self.parts.clock())
        except MnemosError as error:
            _log.warning("saved, not committed: %s", error)
            intent.write([replace(debt, is_applied=True) for debt in due if debt.files])
            return {}, (*notices, f"saved, not committed: {error.message}. {error.remedy}".strip())
        intent.write(())
        self.parts.committed(result.base, result.tip)
        commits = dict(zip(map(id, due), result.commits[len(first) :], strict=True))
        return commits, (*notices, *result.notices)

    def _receipts(
        self,
        group: Sequence[_Ticket],
        debts: Sequence[Debt],
        commits: Mapping[int, str],
        notices: tuple[str, ...],
    ) -> None:
        own = [debt for debt in debts if not debt.is_adopted]
        tickets = [ticket for ticket in group if ticket.planned is not None and not ticket.is_done]
        for ticket, debt in zip(tickets, own, strict=True):
            ticket.receipt = Receipt(commits.get(id(debt), ""), notices)

    def _settled(self, history: History | None, intent: IntentFile | None) -> list[Debt]:
        """Commits that earlier writes owe and that can be made now."""
        debts = intent.read() if history is not None and intent is not None else []
        if not debts or history is None:
            return []
        settled = self._owed.settle(debts, history)
        self.parts.written([str(path) for path in final_files(debts)])
        return settled


def _writes(draft: Draft) -> list[Write]:
    return [
        Write(path, data, blob_or_none(draft.seen.get(path)) or None)
        for path, data in draft.written.items()
        if not same(data, draft.seen.get(path))
    ]
