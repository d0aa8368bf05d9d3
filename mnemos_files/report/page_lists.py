"""The tables of a page: what needs a look, what is used and what never is."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath

from mnemos_files.model.candidate import TYPE, by_urgency, from_record
from mnemos_files.report.moments import saved_at
from mnemos_files.report.page_scope import NAME_BYTES, Scope, day, heading, section_anchor
from mnemos_files.report.page_text import line
from mnemos_files.report.page_values import Cell, Listing, Mention

ROWS_MAX = 25
REASON_BYTES = 240

Raw = tuple[str | PurePosixPath, ...]
"""A row before it is shown: texts that may be shown, and paths of memories to be named."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a table is called, its columns, and how its rows are found, the most pressing first."""

    anchor: str
    title: str
    intro: str
    columns: tuple[str, ...]
    rows: Callable[[Scope], Iterable[Raw]]


def listing(scope: Scope, table: Table) -> Listing:
    """The first rows of a table, and how many more there are."""
    rows = [*table.rows(scope)]
    shown = tuple(tuple(_cell(scope, cell) for cell in row) for row in rows[:ROWS_MAX])
    more = max(len(rows) - ROWS_MAX, 0)
    return Listing(table.anchor, table.title, table.intro, table.columns, shown, more)


def listings(scope: Scope, tables: Iterable[Table]) -> tuple[Listing, ...]:
    """The tables that have rows."""
    found = (listing(scope, table) for table in tables)
    return tuple(one for one in found if one.rows)


def _cell(scope: Scope, cell: str | PurePosixPath) -> Cell:
    return scope.mention(str(cell)) if isinstance(cell, PurePosixPath) else cell


def by_project(scope: Scope) -> Listing:
    """How many memories each project has, and what became of them."""
    shown = {scope.record(path).project for path in scope.anchors}
    counts: dict[str, Counter[str]] = {}
    for path, entry in scope.found.memories.items():
        count = counts.setdefault(entry.record.project, Counter())
        count["all"] += 1
        count["hold"] += scope.holds(path)
        count["raw"] += entry.record.trust_tier == "raw"
        count["read"] += bool(scope.use(path).accesses)
    names = sorted(counts, key=lambda name: (-counts[name]["all"], name))
    rows: list[tuple[Cell, ...]] = [
        (
            Mention(heading(name), section_anchor(name) if name in shown else ""),
            *(str(counts[name][each]) for each in ("all", "hold", "raw", "read")),
            str(counts[name]["all"] - counts[name]["read"]),
        )
        for name in islice(names, ROWS_MAX)
    ]
    columns = ("Project", "Memories", "Hold", "Raw", "Read", "Never read")
    more = max(len(names) - ROWS_MAX, 0)
    return Listing("projects", "By project", "", columns, tuple(rows), more)


def _doubts(scope: Scope) -> Iterator[Raw]:
    entries = scope.store.index.entries.values()
    found = [from_record(one.record) for one in entries if one.record.type == TYPE and one.is_ours]
    for one in by_urgency(each for each in found if each.is_pending):
        paths = scope.store.index.by_id(one.target) or scope.store.resolve(one.link)
        if paths and paths[0] in scope.found.memories:
            reason = line(one.reason, REASON_BYTES)
            yield PurePosixPath(paths[0]), one.severity, reason, day(one.since)


def _contradictions(scope: Scope) -> Iterator[Raw]:
    for one in scope.found.relations:
        both_hold = scope.holds(one.source) and scope.holds(one.target)
        if one.kind == "contradicts" and both_hold:
            saved = day(saved_at(scope.record(one.source)))
            yield PurePosixPath(one.source), PurePosixPath(one.target), saved


def _flagged(scope: Scope) -> Iterator[Raw]:
    for path in scope.found.memories:
        if path in scope.flagged and scope.holds(path):
            record = scope.record(path)
            yield PurePosixPath(path), record.source_kind, record.trust_tier


def _raw(scope: Scope) -> Iterator[Raw]:
    for path, entry in scope.found.memories.items():
        record = entry.record
        if record.trust_tier == "raw" and scope.holds(path):
            saved = saved_at(record) if record.created else None
            days = str((scope.now - saved).days) if saved else ""
            yield PurePosixPath(path), record.source_kind, day(saved), days


def _fading(scope: Scope) -> Iterator[Raw]:
    found = [path for path in scope.found.memories if scope.holds(path)]
    lost = {path: scope.record(path).importance - scope.left(path) for path in found}
    for path in sorted((path for path in found if lost[path] > 0), key=lambda p: -lost[p]):
        stated, last = scope.record(path).importance, scope.use(path).last
        yield PurePosixPath(path), str(stated), str(stated - lost[path]), day(last) or "never"


def _expired(scope: Scope) -> Iterator[Raw]:
    for path, ended in scope.found.ended.items():
        if ended.why == "expired":
            yield PurePosixPath(path), day(ended.at)


def _loose(scope: Scope) -> Iterator[Raw]:
    for path in scope.found.memories:
        for one in scope.found.loose.get(path, ()):
            if not one.path:
                kind = one.kind.replace("_", " ")
                fits = f"{one.fits} notes" if one.fits else "no note"
                yield PurePosixPath(path), kind, line(one.link, NAME_BYTES), fits


def _most_used(scope: Scope) -> Iterator[Raw]:
    used = {path: scope.use(path) for path in scope.found.memories}
    found = [path for path, use in used.items() if use.accesses]
    for path in sorted(found, key=lambda path: -used[path].accesses):
        yield PurePosixPath(path), str(used[path].accesses), day(used[path].last)


def _never_used(scope: Scope) -> Iterator[Raw]:
    for path, entry in scope.found.memories.items():
        is_open = scope.holds(path) and entry.record.trust_tier != "raw"
        if is_open and not scope.use(path).accesses and not scope.use(path).skill_uses:
            saved = day(saved_at(entry.record)) if entry.record.created else ""
            yield PurePosixPath(path), saved, str(entry.record.importance)


def _skills(scope: Scope) -> Iterator[Raw]:
    for path, entry in scope.found.memories.items():
        if entry.record.type == "skill":
            use = scope.use(path)
            counts = (str(use.skill_uses), str(use.skill_successes))
            yield PurePosixPath(path), *counts, day(use.last_use) or "never"


CONCERNS = (
    Table(
        "doubts",
        "Doubts that wait for a judgement",
        "Raised by a monitor at the last dream; mnemos-files ruminate-list judges them.",
        ("Memory", "Severity", "Why", "Since"),
        _doubts,
    ),
    Table(
        "contradictions",
        "Memories that contradict each other",
        "Both hold. Say which one replaces the other, or take the link away.",
        ("Memory", "Contradicts", "Saved"),
        _contradictions,
    ),
    Table(
        "flagged",
        "Flagged by the safety scan",
        "Their texts speak to an agent like an order, or hide something.",
        ("Memory", "Source", "Trust"),
        _flagged,
    ),
    Table(
        "raw",
        "Waiting for somebody to confirm them",
        "Quarantined (raw): no search and no context shows them until they are promoted.",
        ("Memory", "Source", "Saved", "Days"),
        _raw,
    ),
    Table(
        "fading",
        "Fading",
        "Nobody has read them for long, so they count for less than their writer said.",
        ("Memory", "Importance", "Counts now", "Last read"),
        _fading,
    ),
    Table(
        "expired",
        "Expired, still in the files",
        "No search shows them; mnemos-files prune deletes them.",
        ("Memory", "Expired"),
        _expired,
    ),
    Table(
        "loose",
        "Links that lead nowhere, or to several notes",
        "A note was renamed or deleted, or two have the same name.",
        ("Memory", "Kind", "Link", "Fits"),
        _loose,
    ),
)
"""What a person should look at, the most pressing first."""

USAGE = (
    Table(
        "most-used",
        "Most used",
        "How often each was read, or put before an agent unasked.",
        ("Memory", "Times", "Last"),
        _most_used,
    ),
    Table(
        "never-used",
        "Never used",
        "They hold, nothing stands against them, and nobody has read them yet; oldest first.",
        ("Memory", "Saved", "Importance"),
        _never_used,
    ),
    Table(
        "skills",
        "Skills",
        "Procedures, and how applying them went.",
        ("Skill", "Applied", "With success", "Last"),
        _skills,
    ),
)
"""What is used and what never is, as the journals of all machines have it."""
