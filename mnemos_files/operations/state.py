"""Counts and state of the vault."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mnemos_files.model.candidate import TYPE, from_record
from mnemos_files.model.decay import Decay, importance_left
from mnemos_files.model.record import Record
from mnemos_files.model.session import Session
from mnemos_files.model.tally import Uses
from mnemos_files.operations.results import (
    EmbeddingStats,
    IndexStats,
    RecentSession,
    StatsResult,
    TagCount,
)
from mnemos_files.operations.rumination import counts
from mnemos_files.operations.shown import Screen, clip, shown_name

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

TOP_TAGS = 10
TOP_PROJECTS = 20
RECENT = 5
NO_USE = Uses()


def stats(store: "Store") -> StatsResult:
    """Counts, top tags and the state of files, index and history."""
    pending = store.refresh()
    entries = list(store.index.entries.values())
    types = Counter(entry.record.type for entry in entries if entry.is_ours)
    ours = [e.record for e in entries if e.is_ours and e.record.kind.is_saved]
    now = store.now()
    tags = Counter(tag for entry in entries for tag in entry.record.tags)
    projects = Counter(record.project or "(global)" for record in ours)
    candidates = (from_record(e.record) for e in entries if e.is_ours and e.record.type == TYPE)
    screen = Screen("tool")
    return StatsResult(
        observations=len(ours),
        live_observations=sum(record.is_live(now) for record in ours),
        notes=len(entries),
        sessions=types["session"],
        skills=types["skill"],
        top_tags=[TagCount(screen.text(tag), count) for tag, count in tags.most_common(TOP_TAGS)],
        recent_sessions=[_recent(each) for each in store.sessions.recent(limit=RECENT)],
        embedding=EmbeddingStats(bool(store.index.model), store.index.model, store.index.vectors()),
        storage_bytes=sum(entry.stamp.size for entry in entries),
        index=_index(store, pending),
        vault=str(store.place.vault.root),
        history=_history(store),
        problems=sum(len(entry.problems) for entry in entries),
        decayed=_decayed(store, ours),
        by_type=dict(types.most_common()),
        rumination=counts(candidates) if store.settings.rumination else None,
        by_project={screen.text(name): count for name, count in projects.most_common(TOP_PROJECTS)},
        notices=list(store.notices()),
    )


def _decayed(store: "Store", records: Sequence[Record]) -> int:
    """How many live ones count for less than their writer said."""
    now, uses, decay = store.now(), store.journal.tally().uses, Decay(*store.settings.decay)
    return sum(
        importance_left(one, uses.get(one.id, NO_USE).last, now, decay) < one.importance
        for one in records
        if one.is_live(now)
    )


def _recent(session: Session) -> RecentSession:
    screen = Screen("tool")
    return RecentSession(
        id=shown_name(session.id),
        goal=clip(screen.text(session.goal or session.title)),
        started_at=session.started,
        status=session.status or "open",
        project=screen.text(session.project) or None,
        ended_at=session.ended,
    )


def _index(store: "Store", pending: int) -> IndexStats:
    watcher = store.place.watcher
    is_watching = watcher is not None and not watcher.problem
    return IndexStats(
        state="catching_up" if pending else "ready",
        on_disk=len(store.place.vault.listing().notes),
        indexed=len(store.index.entries),
        pending=pending,
        unflushed=store.index.pending,
        watching="events" if is_watching else "comparing files",
    )


def _history(store: "Store") -> str:
    history = store.history
    if history is None:
        return "off"
    return history.blocked() or f"on, at {history.head()[:10] or 'no commit yet'}"
