"""What changed in the memory since a time or a commit."""

import re
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

from mnemos_files.errors import InvalidQueryError
from mnemos_files.operations import commit_texts
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.history_results import ChangesResult, NewsRow, UncommittedRow
from mnemos_files.operations.scope import Project
from mnemos_files.operations.shown import Screen, clip, shown_id, shown_name, source_of
from mnemos_files.operations.size import ANSWER_MAX, cost, fitting
from mnemos_files.operations.times import read_time
from mnemos_files.safety.verdict import Risk, worst

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.model.record import Record
    from mnemos_files.store.store import Store
    from mnemos_files.store.versions import NoteNews, Origin

LIMIT = 20
MOMENT_MAX = 200
UNCOMMITTED_MAX = 20
UNCOMMITTED_ROOM = 4_000
"""Room [characters] that notes without a commit may take."""

AUTHORS_MAX = 5
REASONS_MAX = 2
_AGO = re.compile(r"(\d{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_MANUAL = "Give a time (2026-12-01T10:00:00Z), a time ago (24h, 7d), or a commit."

Moment = datetime | str
"""A time, or the id of a commit."""


def changes(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    since: Annotated[
        str, Param("time (ISO 8601), time ago (24h, 7d), or commit", max_length=MOMENT_MAX)
    ],
    until: Annotated[str, Param("the same; empty = now", max_length=MOMENT_MAX)] = "",
    project: Project = "",
    limit: Annotated[int, Param("memories on a page", low=0, high=100)] = LIMIT,
    offset: Annotated[int, Param("where the page begins; next_offset tells", low=0)] = 0,
) -> ChangesResult:
    """What became of each memory since a time or commit, newest first."""
    end = _commit(store, "until", until) if until.strip() else store.versions.past.trail().head
    base = _commit(store, "since", since)
    news = [one for one in store.versions.news(base, end) if _is_in(one, project.strip())]
    counts = Counter(kind for one in news for kind in one.kinds)
    whole = ChangesResult(
        changes=[],
        total=len(news),
        counts={kind: counts[kind] for kind in sorted(counts)},
        commit=end,
        message=None if news else "No commit changed a memory in that time.",
        notices=commit_texts.notices(store),
    )
    if not until.strip():
        whole = _with_uncommitted(store, whole)
    rows = _Rows(store)
    told = [rows.row(one) for one in news[offset : offset + (limit or LIMIT)]]
    page = fitting(told, ANSWER_MAX - cost(whole), least=1)
    last = offset + len(page)
    return replace(
        whole,
        changes=page,
        next_offset=last if page and last < len(news) else None,
        risk=None if rows.risk == "none" else rows.risk,
        rules=list(rows.rules) or None,
    )


def _commit(store: "Store", name: str, text: str) -> str:
    """The commit that a moment means, "" for one before the first commit.

    Raises:
        InvalidQueryError: it is no time and no commit of the current branch.
    """
    moment = _moment(name, text.strip(), store.now())
    if isinstance(moment, datetime):
        return store.versions.commit_at(moment)
    commit = store.versions.commit(moment)
    if not commit:
        raise InvalidQueryError(
            name,
            f"{moment!r} is no time, and no commit that the current branch comes from",
            remedy=f"It may have been rebased or reset away, or lie before the begin of a shallow "
            f"clone. {_MANUAL}",
        )
    return commit


def _moment(name: str, text: str, now: datetime) -> Moment:
    if not text:
        raise InvalidQueryError(name, "is required", remedy=_MANUAL)
    if ago := _AGO.fullmatch(text.lower()):
        try:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        except OverflowError as error:
            raise InvalidQueryError(name, f"{text!r} is too long ago", remedy=_MANUAL) from error
    try:
        return read_time(name, text) or text
    except InvalidQueryError:
        return text


def _is_in(news: "NoteNews", project: str) -> bool:
    """True for news of a project or of all projects; without a project for all."""
    notes = (news.note, news.before) if news.before else (news.note,)
    return not project or any(note.record.project in ("", project) for note in notes)


def _with_uncommitted(store: "Store", whole: ChangesResult) -> ChangesResult:
    found = store.versions.uncommitted()
    rows = []
    for one in found[:UNCOMMITTED_MAX]:
        entry = store.index.entry(str(one.path))
        screen = Screen("import")
        row = UncommittedRow(screen.text(str(one.path)), one.what)
        if entry is not None:
            title = screen.text(clip(entry.record.title))
            row = replace(row, id=shown_id(entry.record.id, one.path), title=title)
        rows.append(row)
    told = fitting(rows, UNCOMMITTED_ROOM)
    return replace(whole, uncommitted=told, uncommitted_total=len(found))


class _Rows:
    """Tells news, and remembers the worst that was in their texts."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self.risk: Risk = "none"
        self.rules: dict[str, None] = {}

    def row(self, news: "NoteNews") -> NewsRow:
        """One memory's row."""
        commits = list(dict.fromkeys(step.commit for step in news.steps))
        origins = [self._store.versions.past.origin(commit) for commit in commits]
        record = news.note.record
        commit_screen = Screen("import")
        screen = Screen(source_of(record, is_ours=news.note.is_ours))
        moved = news.before is not None and str(news.before.path) != news.path
        row = NewsRow(
            id=shown_id(record.id, news.note.path),
            title=screen.text(clip(record.title)),
            type=record.type,
            path=commit_screen.text(news.path),
            what=list(news.kinds),
            when=origins[0].when,
            authors=_authors(commit_screen, origins),
            commits=len(commits),
            commit=commits[0],
            raw=record.trust_tier == "raw",
            project=shown_name(record.project) or None,
            renamed_from=commit_screen.text(str(news.before.path))
            if moved and news.before
            else None,
            superseded_by=shown_name(record.invalidated_by) or None,
            why=_reasons(commit_screen, origins, record),
        )
        self.risk = worst((self.risk, screen.risk, commit_screen.risk))
        self.rules |= dict.fromkeys([*screen.rules, *commit_screen.rules])
        return row


def _authors(screen: Screen, origins: "list[Origin]") -> list[str]:
    """Who made the commits, the last first, each once."""
    names = [
        f"{commit_texts.named(screen, origin.author)} ({commit_texts.by(origin)})"
        for origin in origins
    ]
    return list(dict.fromkeys(names))[:AUTHORS_MAX]


def _reasons(screen: Screen, origins: "list[Origin]", record: "Record") -> list[str]:
    """Why, as commits say it, the last first; else as the memory says it."""
    told = [commit_texts.told(screen, origin.body) for origin in origins]
    if not any(told):
        told = [commit_texts.told(screen, record.invalidated_reason)]
    return list(dict.fromkeys(filter(None, told)))[:REASONS_MAX]
