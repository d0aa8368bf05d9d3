"""Stored texts -> lines that a model may see."""

import re

from mnemos_files.context.budget import clip, one_line
from mnemos_files.context.compose import Item
from mnemos_files.model.record import Record
from mnemos_files.model.session import Session
from mnemos_files.safety.present import masked, present

LOOKED_AT = 2_000
"""Characters of a text that are read for a line of it; the longest part of a line is a fifth."""

COUNTED = 200
"""Records of a kind that are counted, so that a line can say how many are left out."""

TITLE_BYTES = 100
RULE_BYTES = 260
REASON_BYTES = 120
SHORT_BYTES = 80

_PLAIN = re.compile(r"[\w.@/+-]{1,60}")


def item(text: str, source: str, record_id: str = "") -> Item:
    """A line as it may be shown: judged as a whole, so that no part hides behind another."""
    shown = present(one_line(text), source=source)
    return Item(one_line(shown.text), shown.risk, record_id)


def part(text: str, room: int) -> str:
    """The beginning of a text in one line of at most `room` bytes.

    Secrets and what cannot be seen go first: a cut must not leave half of them.
    """
    return clip(one_line(masked(text[:LOOKED_AT])), room)


def convention_line(record: Record) -> str:
    """The rule itself, then why."""
    why = part(record.section("rationale"), REASON_BYTES)
    return _titled(record, part(record.content, RULE_BYTES), [f"why: {why}"] if why else [])


def correction_line(record: Record) -> str:
    """What to do instead, then in short what was tried and why it was wrong."""
    return _correction(record, REASON_BYTES, SHORT_BYTES)


def attempt_line(record: Record) -> str:
    """The same with more of each part."""
    return _correction(record, RULE_BYTES, RULE_BYTES)


def skill_line(record: Record) -> str:
    """The name and what the skill is for."""
    return _titled(record, part(record.content, RULE_BYTES), [])


def label_line(record: Record) -> str:
    """The type and the title."""
    return f"[{record.type}] {part(record.title, RULE_BYTES)}"


def session_line(session: Session) -> str:
    """The day, the goal, how it ended unless it was well, and what came out."""
    goal = part(session.goal, REASON_BYTES) or "(no goal)"
    status = session.status or "open"
    ending = "" if status == "ok" else f" ({status})"
    summary = part(session.summary, RULE_BYTES)
    return f"{session.started:%Y-%m-%d} · {goal}{ending}" + (f" → {summary}" if summary else "")


def failure_line(session: Session) -> str:
    """The same with what was thought about it afterwards."""
    lesson = part(session.reflection, RULE_BYTES)
    return session_line(session) + (f" · afterwards: {lesson}" if lesson else "")


def search_hint(kind: str, project: str = "") -> str:
    """How to get more of a kind; a project that needs care in writing is left to the reader."""
    scope = f" project={project}" if _PLAIN.fullmatch(project) else ""
    return f"mnemos_search type={kind}{scope}"


def get_hint(name: str) -> str:
    """How to read one note; "" for a name that is none."""
    return f"mnemos_get id={name}" if _PLAIN.fullmatch(name) else ""


def _correction(record: Record, fix_bytes: int, other_bytes: int) -> str:
    fix = part(record.section("fix"), fix_bytes)
    tried = part(record.section("tried"), other_bytes)
    wrong = part(record.section("wrong_because"), other_bytes)
    said = fix or ("" if tried or wrong else part(record.content, fix_bytes))
    asides = [f"tried: {tried}"] * bool(tried) + [f"wrong because: {wrong}"] * bool(wrong)
    return _titled(record, said, asides)


def _titled(record: Record, text: str, asides: list[str]) -> str:
    title = part(record.title, TITLE_BYTES)
    said = f"{title}: {text}" if title and text else title or text
    return f"{said} ({'; '.join(asides)})" if asides else said
