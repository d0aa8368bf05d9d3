"""The sections of a block that tell of working sessions: one function each."""

from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from mnemos_files.context.compose import Item, Section
from mnemos_files.context.overlap import content_words
from mnemos_files.context.request import Request, may_show
from mnemos_files.context.wording import (
    COUNTED,
    RULE_BYTES,
    failure_line,
    get_hint,
    item,
    label_line,
    part,
    search_hint,
    session_line,
)
from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query
from mnemos_files.model.session import Session

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

RECENT = 3
SAVED = 8
FAILED = 3
"""Most items of a section, as in the tool set that this one is compatible with."""

LOOKED_AT = 100
"""Sessions, newest first, among which similar ones are looked for."""

FAILURES = ("failed", "blocked", "abandoned")
WRITER = "agent_inference"
"""Where texts of a session come from, for the scan."""


def recent_sessions(store: "Store", request: Request) -> Section:
    """The newest sessions of exactly this project, the current one left out."""
    limit = RECENT + 1 if request.project else LOOKED_AT
    found = store.sessions.recent(request.agent, request.project, limit)
    others = [one for one in found if one.project == request.project and one.id != request.session]
    makers = [lambda one=one: item(session_line(one), WRITER) for one in others[:RECENT]]
    total = max(len(others), _count(store, request))
    return Section("recent sessions", makers, total, search_hint("session", request.project))


def current_session(store: "Store", request: Request) -> Section:
    """Since when the session runs, and its goal."""
    session = store.sessions.find(request.session) if request.session else None
    if session is None:
        return Section("current session", (), 0)
    lines = [_age_line(session, request.now)]
    lines += [f"goal: {part(session.goal, RULE_BYTES)}"] * bool(session.goal.strip())
    makers = [lambda line=line: item(line, WRITER) for line in lines]
    return Section("current session", makers, len(makers))


def session_observations(store: "Store", request: Request) -> Section:
    """What was saved in the session and holds, the most important and newest first."""
    paths = store.index.by_id(request.session) if request.session else ()
    path = PurePosixPath(paths[0]) if paths else None
    saved = store.saved_in(request.session, path) if request.session else []
    saved = [one for one in saved if may_show(one.record, request.now)]
    saved.reverse()  # newest first
    saved.sort(key=lambda entry: -entry.record.importance)
    makers = [lambda one=one: _label_item(one) for one in saved[:SAVED]]
    return Section("session observations", makers, len(saved), get_hint(request.session))


def failed_sessions(store: "Store", request: Request) -> Section:
    """Sessions that did not reach their goal and share words with the plan, most shared first.

    Only words that say something count: with "the" and "with" in it, every session would match.
    """
    asked = content_words(request.text)
    scored: list[tuple[int, Session]] = []
    for session in store.sessions.recent(request.agent, "", LOOKED_AT, statuses=FAILURES):
        if session.project == request.project or not (session.project and request.project):
            shared = asked & content_words(f"{session.goal} {session.summary}")
            scored += [(len(shared), session)] if shared else []
    scored.sort(key=lambda pair: -pair[0])  # stable: the newest of equals first
    makers = [lambda one=one: item(failure_line(one), WRITER) for _, one in scored[:FAILED]]
    hint = search_hint("session", request.project)
    return Section("similar sessions that failed", makers, len(scored), hint)


def _count(store: "Store", request: Request) -> int:
    """Sessions of exactly this project that have a file, the current one left out."""
    query = Query(
        text="", now=request.now, type="session", agent=request.agent, project=request.project
    )
    found = store.index.select(query, order="created", limit=COUNTED)
    records = [entry.record for entry in found]
    return sum(one.project == request.project and one.id != request.session for one in records)


def _label_item(entry: Entry) -> Item:
    record = entry.record
    return item(label_line(record), record.source_kind, record.id)


def _age_line(session: Session, now: datetime) -> str:
    minutes = max(int((now - session.started).total_seconds()) // 60, 0)
    hours, rest = divmod(minutes, 60)
    age = f"{hours}h {rest:02}m" if hours else f"{rest}m"
    place = part(session.project, RULE_BYTES)
    ended = "" if session.is_open else f", ended ({session.status})"
    return f"started {age} ago" + (f" in {place}" if place else "") + ended
