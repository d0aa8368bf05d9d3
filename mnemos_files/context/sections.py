"""The sections of a block from notes and files: one function each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mnemos_files.context.compose import Item, Section
from mnemos_files.context.request import NO_PROJECT, Request, note_item, ranked
from mnemos_files.context.reviews import skill_line_with_mark
from mnemos_files.context.wording import (
    COUNTED,
    RULE_BYTES,
    attempt_line,
    convention_line,
    correction_line,
    item,
    part,
    search_hint,
)
from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query
from mnemos_files.model.tally import Heat

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

CONVENTIONS = 10
SKILLS = 3
CORRECTIONS = 3
ATTEMPTS = 6
HOT_FILES = 5
"""Most items of a section, as in the tool set that this one is compatible with."""


def conventions(store: "Store", request: Request) -> Section:
    """Rules of the project, then those for all projects; the most important and newest first."""
    query = Query(
        text="", now=request.now, type="convention", project=request.project or NO_PROJECT
    )
    found = store.index.select(query, order="importance", limit=COUNTED)
    found.sort(key=lambda entry: entry.record.project != request.project)  # stable
    makers = [note_item(store, request, one, convention_line) for one in found[:CONVENTIONS]]
    return Section("conventions", makers, len(found), search_hint("convention", request.project))


def applicable_skills(store: "Store", request: Request) -> Section:
    """Skills for the goal or plan."""
    found, total = _matching(store, request, "skill", SKILLS)
    line = skill_line_with_mark(store, request.now)
    makers = [note_item(store, request, one, line) for one in found]
    return Section("applicable skills", makers, total, "mnemos_skill_match")


def relevant_corrections(store: "Store", request: Request) -> Section:
    """Corrections for the goal; without one those that name the project, or else its own."""
    found, total = _matching(store, request, "correction", CORRECTIONS)
    if not found and not request.text and request.project:
        query = Query(text="", now=request.now, type="correction", project=request.project)
        everything = store.index.select(query, order="importance", limit=COUNTED)
        found, total = everything[:CORRECTIONS], len(everything)
    makers = [note_item(store, request, one, correction_line) for one in found]
    hint = search_hint("correction", request.project)
    return Section("relevant corrections", makers, total, hint)


def failed_attempts(store: "Store", request: Request) -> Section:
    """Corrections for the plan, with all their parts."""
    found, total = _matching(store, request, "correction", ATTEMPTS)
    makers = [note_item(store, request, one, attempt_line) for one in found]
    hint = search_hint("correction", request.project)
    return Section("how similar attempts failed", makers, total, hint)


def hot_files(store: "Store", request: Request) -> Section:
    """Files of the project that are worked on most."""
    heat = store.journal.tally().heat(request.project) if request.project else []
    makers = [lambda each=each: _heat_item(each) for each in heat[:HOT_FILES]]
    return Section("hot files", makers, len(heat))


def _heat_item(heat: Heat) -> Item:
    touches = "1 touch" if heat.touches == 1 else f"{heat.touches} touches"
    return item(f"{part(heat.path, RULE_BYTES)} ({touches})", "tool")


def _matching(
    store: "Store", request: Request, kind: str, limit: int
) -> tuple[Sequence[Entry], int]:
    """The best notes of a kind for the goal (or the project's name), and how many fit."""
    text = request.text or (request.project if kind == "correction" else "")
    if not text:
        return (), 0
    project = "" if kind == "skill" else request.project
    query = Query(
        text=text, now=request.now, type=kind, project=project, agent=request.agent, limit=limit
    )
    ranking = ranked(store, query)
    return [hit.entry for hit in ranking.hits], ranking.total
