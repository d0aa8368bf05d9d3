"""What several reports ask of the store: sessions, new memories, names of memories."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query
from mnemos_files.model.record import Record
from mnemos_files.model.session import Session, from_record
from mnemos_files.model.tally import SessionTrace
from mnemos_files.report.markdown import inline
from mnemos_files.report.moments import end_of, saved_at
from mnemos_files.store.session_files import session_of
from mnemos_files.store.store import Store

_FIRST = 1_000
_ALL = 10**9

TITLE_BYTES = 120
GONE = "(no longer in the vault)"


@dataclass(frozen=True, slots=True)
class Ran:
    """A session, when it began and ended exactly, and whether it left a file."""

    session: Session
    start: datetime
    end: datetime | None
    has_file: bool


@dataclass(frozen=True, slots=True)
class Named:
    """A memory by its title, fit for a model; `type` is "" for one that is gone."""

    id: str
    title: str
    type: str


def sessions(store: Store) -> list[Ran]:
    """Every session; where it has a file, that counts and not the journal."""
    store.refresh()
    traces = store.journal.tally().sessions
    query = Query(text="", now=store.now(), type="session", include_raw=True, include_stale=True)
    entries = store.index.select(query, order="created", limit=_ALL)
    # By id: a copy that a person made of a file is no other session.
    filed = {entry.record.id: entry.record for entry in reversed(entries)}
    found = [_filed(record, traces.get(name)) for name, record in filed.items()]
    unfiled = [session_of(trace) for name, trace in traces.items() if name not in filed]
    return found + [Ran(one, one.started, one.ended, has_file=False) for one in unfiled]


def _filed(record: Record, trace: SessionTrace | None) -> Ran:
    session = from_record(record)
    start = session.started if record.created is None else saved_at(record)
    return Ran(session, start, end_of(session, trace), has_file=True)


def saved_since(store: Store, start: datetime) -> list[Entry]:
    """Memories that were saved from this moment on, newest first; also raw and ended ones."""
    query = Query(text="", now=store.now(), include_raw=True, include_stale=True)
    second, size = start.replace(microsecond=0), _FIRST
    while True:  # only about as many as needed are decoded
        entries = store.select(query, order="created", limit=size)
        oldest = entries[-1].record.created if entries else None
        if len(entries) < size or oldest is None or oldest < second:
            return [e for e in entries if e.is_ours and saved_at(e.record) >= start]
        size *= 4


def named(store: Store, ids: Iterable[str]) -> dict[str, Named]:
    """The memories with these ids as the index knows them."""
    return {name: _named(store, name) for name in ids}


def _named(store: Store, name: str) -> Named:
    paths = store.index.by_id(name)
    entry = store.index.entry(paths[0]) if paths else store.index.entry(name)
    shown = inline(name, "import")
    if entry is None:
        return Named(shown, GONE, "")
    source = entry.record.source_kind if entry.is_ours else "import"
    title = inline(entry.record.title, source, TITLE_BYTES)
    return Named(shown, title, inline(entry.record.type, source))
