"""Documents that clients read as resources: one memory, the open session."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mnemos_files.operations.shown import Screen, source_of
from mnemos_files.operations.skills import skill_index
from mnemos_files.safety.frame import frame
from mnemos_files.safety.mask import beginning
from mnemos_files.safety.present import present

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.model.record import Record
    from mnemos_files.store.store import Store
    from mnemos_files.store.values import Opened

MEMORY_MAX = 16_000
"""Characters of a note's text that its document holds; the tool `get` pages through all of it."""

EXCERPT_MAX = 2_000
TITLE_MAX = 300
TAGS_MAX = 20
COMMIT_DIGITS = 10
SKILLS_MAX = 200


def memory(store: "Store", name: str, *, most: int = MEMORY_MAX) -> str:
    """One note as markdown inside the frame of recalled text: head line, title, facts, text.

    Every text of the note is sanitised. Of a long one at most `most` characters are given, and
    the last line, outside of the frame, tells how to read the rest.

    Raises:
        NotFoundError, AmbiguousNameError: the name is not exactly one note.
        RefusedError: the name leads out of the vault, or to a hidden file.
    """
    opened = store.get(name)
    record = opened.note.record
    body = opened.note.body.strip()
    lines = [
        _head(store, opened),
        f"# {beginning(_one_line(record.title), TITLE_MAX)}",
        _facts(opened.standing, store.now()),
        "",
        beginning(body, most),
    ]
    source = source_of(record, is_ours=opened.note.is_ours)
    framed = frame(present("\n".join(lines), source=source).text)
    return framed + _rest(len(body), most)


def current_session(store: "Store") -> dict[str, object]:
    """The newest open session, one of this server's before all others; else a null session."""
    session = store.sessions.current()
    if session is None:
        return {"session": None}
    screen = Screen("tool")
    return {
        "id": screen.text(session.id),
        "agent_id": screen.text(session.agent),
        "project": screen.text(session.project),
        "goal": screen.text(beginning(session.goal, EXCERPT_MAX)),
        "summary": screen.text(beginning(session.summary, EXCERPT_MAX)),
        "reflection": screen.text(beginning(session.reflection, EXCERPT_MAX)),
        "status": session.status,
        "outcome_tags": screen.texts(session.outcome_tags[:TAGS_MAX]),
        "started_at": session.started,
        "ended_at": session.ended,
    }


def skills_index(store: "Store") -> dict[str, object]:
    """Skills in short, the one saved or used last first; `total` counts those left out too."""
    skills = skill_index(store)
    return {"skills": skills[:SKILLS_MAX], "total": len(skills)}


def _head(store: "Store", opened: "Opened") -> str:
    """Where the note lies, how far to trust it, and who wrote what it says."""
    record = opened.note.record
    facts = [
        f"path: {_one_line(str(opened.note.path))}",
        f"id: {_one_line(record.id)}",
        f"trust: {record.trust_tier}",
        f"source: {record.source_kind}",
        _author(store, opened),
    ]
    return " | ".join(facts)


def _author(store: "Store", opened: "Opened") -> str:
    path = opened.note.path
    mark = store.last_change(path)
    if mark is None or store.history is None:
        return "last author: unknown, not committed"
    text = f"last author: {_one_line(mark.author)} | commit: {mark.commit[:COMMIT_DIGITS]}"
    is_same = store.history.committed(path) == opened.version
    return text if is_same else f"{text}, and the file differs from it"


def _facts(record: "Record", now: datetime) -> str:
    facts = [f"type: {_one_line(record.type)}", f"importance: {record.importance}"]
    named = {
        "project": record.project,
        "tags": ", ".join(record.tags[:TAGS_MAX]),
        "created": _day(record.created),
        "ended": _day(record.invalidated or record.valid_until or record.expires),
    }
    facts += [f"{key}: {_one_line(text)}" for key, text in named.items() if text]
    if not record.is_live(now):
        facts.append("no longer holds")
    return " | ".join(facts)


def _rest(length: int, most: int) -> str:
    if length <= most:
        return ""
    return f"\n{most} of {length} characters are shown; mnemos_get reads the rest in pages."


def _day(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(UTC).date().isoformat()


def _one_line(text: str) -> str:
    return " ".join(text.split())
