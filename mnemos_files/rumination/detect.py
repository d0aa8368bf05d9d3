"""Runs the monitors and tells how the files of candidates must change. Writes nothing."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemos_files.errors import MnemosError
from mnemos_files.model.candidate import (
    Candidate,
    Evidence,
    from_record,
    raised_again,
    to_record,
    with_facts,
)
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.rumination.closing import answer, closed, lost_target
from mnemos_files.rumination.facts import Facts, Finding
from mnemos_files.rumination.gather import gather
from mnemos_files.rumination.monitors.table import MONITORS, Monitor
from mnemos_files.rumination.queue import Filed, filed
from mnemos_files.safety.present import masked
from mnemos_files.store.edits import Add, Change
from mnemos_files.store.names import link_name
from mnemos_files.store.store import Store

LAPSED = "there is nothing left to judge, says"
CONTENT_MAX = 240
"""Longest evidence and name [characters] that a file of a candidate quotes."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failure:
    """A monitor that could not do its work, and why."""

    monitor: str
    message: str


@dataclass(frozen=True, slots=True)
class Detection:
    """What `store.edits` must do so that the files say what the monitors found.

    `raised` and `closed` count the changes that put a candidate back or end one; the others of
    `changes` bring evidence up to date.
    """

    adds: tuple[Add, ...] = ()
    changes: tuple[Change, ...] = ()
    failed: tuple[Failure, ...] = ()
    raised: int = 0
    closed: int = 0


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A candidate as its monitor sees it now, and the time from which the evidence counts."""

    candidate: Candidate
    since: datetime | None


@dataclass(frozen=True, slots=True)
class _Run:
    """What a monitor wants raised, by id of the candidate; `fault` says why it failed."""

    monitor: Monitor
    found: dict[str, _Wanted]
    fault: str = ""


Known = dict[str, Filed]
"""The candidates that have files, by id."""

Undone = Callable[[Candidate], bool]
"""True for a candidate that was raised with just this evidence, and taken back by a person."""


def detect(
    store: Store, monitors: Sequence[Monitor] = MONITORS, was_undone: Undone = lambda _: False
) -> Detection:
    """New and changed candidates; nothing when the files say already what the monitors find.

    A monitor that fails is told in `failed`; what it found before stays as it is. New candidates
    for which `was_undone` are given too, beside those for which there is room.

    Raises:
        UnavailableError: the vault or its journal cannot be read.
    """
    if store.refresh():
        store.finish()
    facts, known = gather(store), {one.candidate.id: one for one in filed(store)}
    runs = [_run(store, monitor, facts) for monitor in monitors]
    ends = _ends(store, runs, known, facts.now)
    both = [(known[name], one) for run in runs for name, one in run.found.items() if name in known]
    news = [(old, one) for old, one in both if _is_news(old.candidate, one)]
    stale = [(old, one) for old, one in both if _is_stale(old.candidate, one)]
    waiting = [one.candidate for name, one in known.items() if name not in ends]
    waiting = [one for one in waiting if one.is_pending] + [old.candidate for old, _ in news]
    return Detection(
        adds=tuple(
            Add(to_record(each)) for run in runs for each in _new(run, known, waiting, was_undone)
        ),
        changes=(*ends.values(), *(_change(old, one, facts.now) for old, one in (*news, *stale))),
        failed=tuple(Failure(run.monitor.name, run.fault) for run in runs if run.fault),
        raised=len(news),
        closed=len(ends),
    )


def _run(store: Store, monitor: Monitor, facts: Facts) -> _Run:
    """What one monitor finds, or why it does not."""
    try:
        return _Run(monitor, {one.candidate.id: one for one in _wanted(store, monitor, facts)})
    except Exception as error:  # noqa: BLE001 - one monitor must not stop the others
        _log.warning("the monitor %s failed", monitor.name, exc_info=True)
        told = error.message if isinstance(error, MnemosError) else ""
        return _Run(monitor, {}, told or type(error).__name__)


def _new(
    run: _Run, known: Known, waiting: Sequence[Candidate], was_undone: Undone
) -> list[Candidate]:
    """New candidates, as many as may wait beside those that do; the undone ones take no room."""
    room = run.monitor.pending_max - sum(one.monitor == run.monitor.name for one in waiting)
    new = [one.candidate for name, one in run.found.items() if name not in known]
    fresh = [one for one in new if not was_undone(one)]
    return [*fresh[: max(room, 0)], *filter(was_undone, new)]


def _ends(store: Store, runs: Sequence[_Run], known: Known, now: datetime) -> dict[str, Change]:
    """Ends of pending candidates whose target or reason is gone; answered ones are left."""
    found = {name for run in runs for name in run.found}
    sure = {run.monitor.name for run in runs if run.monitor.finds_all and not run.fault}
    ends: dict[str, Change] = {}
    for name, one in known.items():
        if not one.candidate.is_pending or name in found:
            continue
        lapsed = f"{LAPSED} {one.candidate.monitor}" if one.candidate.monitor in sure else ""
        reason = lost_target(store, one.candidate, now) or lapsed
        if reason and answer(store, one.candidate, now) is None:
            ends[name] = closed(one.path, reason, now)
    return ends


def _wanted(store: Store, monitor: Monitor, facts: Facts) -> Iterator[_Wanted]:
    """Candidates of one monitor, as a person may read them: one line each, secrets masked."""
    for found in monitor.find(facts):
        record = found.target.record
        candidate = Candidate(
            monitor=monitor.name,
            target=record.id,
            target_kind=found.target_kind,
            severity=found.severity,
            reason=_short(found.reason),
            evidence=tuple(_linked(store, found)),
            count=found.count,
            detected=facts.now.replace(microsecond=0),
            name=_short(record.title) or record.id,
            link=link_name(str(found.target.path), store.index),
            project=record.project,
        )
        yield _Wanted(candidate, found.since)


def _linked(store: Store, found: Finding) -> Iterable[Evidence]:
    for each in found.evidence:
        source = link_name(each.source, store.index) if each.source else ""
        yield Evidence(each.label, _short(each.content), source)


def _short(text: str) -> str:
    line = " ".join(masked(text).split())
    return line if len(line) <= CONTENT_MAX else f"{line[: CONTENT_MAX - 1].rstrip()}…"


def _is_news(old: Candidate, wanted: _Wanted) -> bool:
    """True for a judged candidate with more evidence than was judged, or with evidence anew."""
    if old.is_pending:
        return False
    begun, raised = wanted.since, old.since
    is_anew = begun is not None and raised is not None and begun > raised
    return is_anew or wanted.candidate.count > old.judged_evidence


def _is_stale(old: Candidate, wanted: _Wanted) -> bool:
    """True for a pending candidate whose file has other facts."""
    return old.is_pending and old.digest != wanted.candidate.facts


def _change(one: Filed, wanted: _Wanted, now: datetime) -> Change:
    """Brings a file up to date as it is by then: a person may have judged it meanwhile."""
    candidate = wanted.candidate

    def to(note: Note) -> Record:
        old = from_record(note.record)
        if _is_news(old, wanted):
            return raised_again(note.record, candidate, _news(old, candidate), now=now)
        return with_facts(note.record, candidate) if _is_stale(old, wanted) else note.record

    return Change(str(one.path), to)


def _news(old: Candidate, candidate: Candidate) -> str:
    more = candidate.count - old.judged_evidence
    if more > 0:
        return f"{candidate.reason}; evidence {candidate.count}, judged were {old.judged_evidence}"
    return f"{candidate.reason}, which began after it was judged"
