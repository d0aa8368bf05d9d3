"""What the vault knows of one session and of the time after it."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError
from mnemos_files.format.record import parse
from mnemos_files.model.note import Entry, Note
from mnemos_files.model.query import LIMIT_MAX, Query
from mnemos_files.model.record import Record
from mnemos_files.model.session import Session
from mnemos_files.report.moments import end_of, saved_at
from mnemos_files.report.replay_text import Remembered, Story
from mnemos_files.store.session_files import no_session
from mnemos_files.store.store import Store

_INSTANT = timedelta(microseconds=1)
CONVENTIONS = 500
"""Conventions [1], newest first, among which new ones are looked for."""


def story(store: Store, name: str, project: str = "") -> Story:
    """The session of this id, file name or path, with what is new since; quarantined texts too.

    `project` is where corrections and conventions are looked for, by default the session's.

    Raises:
        NotFoundError: no session is called so.
        AmbiguousNameError: several are.
    """
    store.refresh()
    session_id = store.sessions.identify(name)
    session = store.sessions.find(session_id)
    if session is None:  # a file of it went away in this moment
        raise no_session(name)
    end = end_of(session, store.journal.tally().sessions.get(session_id))
    since, where = end or session.started, project or session.project
    own = store.saved_in(session_id, _path(store, session_id))
    own = [entry for entry in own if entry.record.type != "session"]
    others = {entry.path for entry in own}

    def new(entries: Iterable[Entry]) -> list[Remembered]:
        fresh = [e for e in entries if saved_at(e.record) > since and e.path not in others]
        return read_all(store, sorted(fresh, key=lambda entry: saved_at(entry.record)))

    produced, now = read_all(store, own), store.now()
    return Story(
        session=session,
        now=now,
        since=since,
        corrections=new(_corrections(store, session, where)),
        conventions=new(_conventions(store, where)),
        outdated=[one for one in produced if _ended_since(one.record, since, now)],
        skills=new(_skills(store, session)),
        produced=produced,
    )


def read_all(store: Store, entries: Sequence[Entry]) -> list[Remembered]:
    """The memories as their files say now; what cannot be read any more is left out."""
    found = []
    for entry in entries:
        try:
            data, _ = store.place.vault.read(entry.path)
        except MnemosError:
            continue
        found.append(_remembered(store, parse(entry.path, data)))
    return found


def _ended_since(record: Record, since: datetime, now: datetime) -> bool:
    """True for a record that held at `since`, to the second that files keep, and no longer does."""
    return record.is_live(since.replace(microsecond=0) - _INSTANT) and not record.is_live(now)


def _remembered(store: Store, note: Note) -> Remembered:
    record = note.record
    source = record.source_kind if note.is_ours else "import"
    paths = store.resolve(record.invalidated_by) if record.invalidated_by else ()
    other = store.index.entry(paths[0]) if len(paths) == 1 else None
    if other is None:
        return Remembered(record, source, record.invalidated_by, "import")
    return Remembered(record, source, other.record.title, other.record.source_kind)


def _path(store: Store, session_id: str) -> PurePosixPath | None:
    paths = store.index.by_id(session_id)
    return PurePosixPath(paths[0]) if paths else None


def _corrections(store: Store, session: Session, project: str) -> list[Entry]:
    """Those that fit the session's goal; without a goal the newest."""
    query = Query(
        text=session.goal,
        now=store.now(),
        type="correction",
        agent=session.agent,
        project=project,
        include_raw=True,
        limit=LIMIT_MAX,
    )
    if session.goal.strip():
        found = [each.hit.entry for each in store.search(query).found]
    else:
        found = store.select(query, order="created", limit=LIMIT_MAX)
    return _in_scope(found, project)


def _conventions(store: Store, project: str) -> list[Entry]:
    query = Query(text="", now=store.now(), type="convention", project=project, include_raw=True)
    return _in_scope(store.select(query, order="created", limit=CONVENTIONS), project)


def _in_scope(entries: Sequence[Entry], project: str) -> list[Entry]:
    """Those of the project and those of all; without a project only the latter."""
    return [entry for entry in entries if entry.record.project in ("", project)]


def _skills(store: Store, session: Session) -> list[Entry]:
    now = store.now()
    return [
        entry
        for entry in store.skills.all()
        if entry.record.agent == session.agent and entry.record.is_live(now)
    ]
