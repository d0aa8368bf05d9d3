"""Counts and state of the vault."""

from collections import Counter
from typing import TYPE_CHECKING

from mnemos_files.operations.results import EmbeddingStats, IndexStats, StatsResult, TagCount

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

TOP_TAGS = 10


def stats(store: "Store") -> StatsResult:
    """Counts, top tags and the state of files, index and history."""
    pending = store.refresh()
    entries = list(store.index.entries.values())
    ours = [entry.record for entry in entries if entry.is_ours]
    now = store.now()
    tags = Counter(tag for entry in entries for tag in entry.record.tags)
    return StatsResult(
        observations=len(ours),
        live_observations=sum(record.is_live(now) for record in ours),
        notes=len(entries),
        sessions=0,
        skills=0,
        top_tags=[TagCount(tag, count) for tag, count in tags.most_common(TOP_TAGS)],
        recent_sessions=[],
        embedding=EmbeddingStats(bool(store.index.model), store.index.model, store.index.vectors()),
        storage_bytes=sum(entry.stamp.size for entry in entries),
        index=_index(store, pending),
        vault=str(store.place.vault.root),
        history=_history(store),
        problems=sum(len(entry.problems) for entry in entries),
        by_type=dict(Counter(record.type for record in ours).most_common()),
        by_project=dict(Counter(record.project or "(global)" for record in ours).most_common(20)),
        notices=list(store.notices()),
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
