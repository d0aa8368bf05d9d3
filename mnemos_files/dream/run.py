"""One dream: the passes one after the other, each with a commit of its own."""

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime

from mnemos_files.dream.fading import Fading, fading
from mnemos_files.dream.proposal import Deed, Outcome, Pass, Proposal, Scene
from mnemos_files.dream.table import PASSES
from mnemos_files.dream.turn import turn
from mnemos_files.errors import MnemosError, RefusedError
from mnemos_files.model.event import Dreamed
from mnemos_files.safety.mask import mask
from mnemos_files.store.edits import Work
from mnemos_files.store.rehearsal import rehearsal
from mnemos_files.store.store import Store

Copying = Callable[[Store, datetime], AbstractContextManager[Store]]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Report:
    """What became of every pass of a dream; `rehearsed`: nothing was written."""

    at: datetime
    outcomes: tuple[Outcome, ...]
    rehearsed: bool = False
    fading: Fading = field(default_factory=Fading)

    @property
    def changed(self) -> bool:
        """True when a pass did something."""
        return any(one.done for one in self.outcomes)


def dream(store: Store, now: datetime, passes: Sequence[Pass] = PASSES) -> Report:
    """Run the passes in order; each sees what the ones before it did.

    A pass that fails is told and stops no other. The journal remembers every deed by its key, and
    is committed at the end when there are new ones.

    Raises:
        RefusedError: no commit may be made now.
        UnavailableError: the vault cannot be read, or another dream goes on in it.
    """
    if store.history is not None and (why := store.history.blocked()):
        raise RefusedError("git-state", why)
    with turn(store.place.vault.root):
        return _dreamt(store, now, passes)


def _dreamt(store: Store, now: datetime, passes: Sequence[Pass]) -> Report:
    if store.refresh():
        store.finish()
    outcomes: list[Outcome] = []
    for each in passes:
        scene = Scene(store, now, store.journal.tally().deeds, tuple(outcomes))
        outcomes.append(_outcome(each, scene))
    if any(one.done for one in outcomes):
        outcomes[-1] = _with_journal(store, outcomes[-1])
    return Report(now, tuple(outcomes), fading=fading(store, now))


def rehearse(
    store: Store,
    now: datetime,
    passes: Sequence[Pass] = PASSES,
    *,
    copying: Copying = rehearsal,
) -> Report:
    """What `dream` would do now, with the exact changes of files; nothing is written.

    `copying` makes a private copy of the vault.

    Raises:
        RefusedError: no commit could be made now.
        UnavailableError: there is no room for a copy of the vault.
    """
    with copying(store, now) as copy:
        report = dream(copy, now, passes)
        outcomes = tuple(_with_diff(copy, one) for one in report.outcomes)
    return replace(report, outcomes=outcomes, rehearsed=True)


def _outcome(each: Pass, scene: Scene) -> Outcome:
    try:
        return _carried_out(each, _told(each.propose(scene)), scene)
    except Exception as error:  # noqa: BLE001 - one pass must not stop the others
        _log.warning("the pass %s failed", each.step, exc_info=True)
        told = f"{error.message}. {error.remedy}" if isinstance(error, MnemosError) else repr(error)
        return Outcome(each.step, error=told.strip())


def _told(proposal: Proposal) -> Proposal:
    """The proposal without secrets in its lines, which become part of commits and of the record."""
    return replace(
        proposal,
        deeds=tuple(replace(deed, line=mask(deed.line)) for deed in proposal.deeds),
        held=tuple(map(mask, proposal.held)),
        undone=tuple(map(mask, proposal.undone)),
        faults=tuple(map(mask, proposal.faults)),
    )


def _carried_out(each: Pass, proposal: Proposal, scene: Scene) -> Outcome:
    """Do what can be done in one commit; a deed that cannot be done is told and left out."""
    sound, faults = _sorted_out(proposal, scene.store)
    outcome = Outcome(
        each.step,
        held=proposal.held,
        undone=proposal.undone,
        faults=(*proposal.faults, *faults),
    )
    if not sound:
        return outcome
    lines = tuple(deed.line for deed in sound)
    edits = [edit for deed in sound for edit in deed.edits]
    body = "\n".join(f"- {line}" for line in lines)
    receipt = scene.store.edits.commit(Work(each.op, proposal.subject, edits, body))
    keys = tuple(deed.key for deed in sound)
    scene.store.journal.note([Dreamed(scene.now, keys, each.step, proposal.subject)])
    return replace(outcome, done=lines, commit=receipt.commit, notices=receipt.notices)


def _sorted_out(proposal: Proposal, store: Store) -> tuple[list[Deed], list[str]]:
    """The deeds that can be done, and why the others cannot."""
    sound, faults = [], []
    for deed in proposal.deeds:
        fault = next((told for edit in deed.edits if (told := store.edits.fault(edit))), "")
        if fault:
            faults.append(f"{deed.line}: {fault}")
        else:
            sound.append(deed)
    return sound, faults


def _with_journal(store: Store, last: Outcome) -> Outcome:
    """The outcome with what is to be told of the journal's commit."""
    try:
        told = store.commit_journal().notices
    except MnemosError as error:
        told = (f"the journal is not committed yet: {error.message}",)
    return replace(last, notices=(*last.notices, *told))


def _with_diff(store: Store, outcome: Outcome) -> Outcome:
    if not outcome.commit or store.history is None:
        return outcome
    return replace(outcome, diff=store.history.patch(outcome.commit))
