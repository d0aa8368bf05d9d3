"""Memories that wait for a second thought, as a section and as a mark beside a skill."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from mnemos_files.context.compose import Item, Make, Section
from mnemos_files.context.request import Request
from mnemos_files.context.wording import RULE_BYTES, SHORT_BYTES, item, part, skill_line
from mnemos_files.model.candidate import TYPE, Candidate, by_urgency, from_record
from mnemos_files.model.query import Query
from mnemos_files.model.record import Record

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

SHOWN = 3
"""Most candidates of a section, as in the tool set that this one is compatible with."""

COUNTED = 1_000
"""Candidates, newest first, among which the pending ones are looked for."""

SOURCE = "tool"
"""Where texts of a candidate come from, for the scan: they quote others."""

HOW = "judge one: mnemos_ruminate_pack, then mnemos_ruminate_resolve or mnemos_ruminate_dismiss"


def pending_reviews(store: "Store", request: Request) -> Section:
    """The candidates that wait, of all projects, the severest first, and how to judge one."""
    found = _pending(store, request.now)
    makers: list[Make] = [partial(_line, one) for one in found[:SHOWN]]
    makers += [partial(Item, HOW)] * bool(found)
    return Section("pending reviews", makers, len(found) + bool(found), "mnemos_ruminate_list")


def skill_line_with_mark(store: "Store", now: datetime) -> Callable[[Record], str]:
    """Words the line of a skill, with the candidate that doubts it where there is one."""
    marks = {one.target: one.id for one in reversed(_pending(store, now))}

    def line(record: Record) -> str:
        said = skill_line(record)
        if record.id not in marks:
            return said
        return f"{said} [rumination pending: {part(marks[record.id], SHORT_BYTES)}]"

    return line


def _line(one: Candidate) -> Item:
    reason = part(one.reason, RULE_BYTES)
    monitor, name = part(one.monitor, SHORT_BYTES), part(one.id, SHORT_BYTES)
    return item(f"[{one.severity}] {monitor} · {reason} ({name})", SOURCE)


def _pending(store: "Store", now: datetime) -> list[Candidate]:
    """Candidates that wait, the severest first; none when rumination is switched off."""
    if not store.settings.rumination:
        return []
    query = Query(text="", now=now, type=TYPE, include_raw=True, include_stale=True)
    entries = store.index.select(query, order="created", limit=COUNTED)
    found = {one.record.id: from_record(one.record) for one in entries if one.is_ours}
    return by_urgency(one for one in found.values() if one.is_pending)
