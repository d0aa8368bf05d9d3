"""A vault as the values of a page."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from mnemos_files.report.graph import Drawing, Drawings, draw, legend
from mnemos_files.report.learning import Learning, learning
from mnemos_files.report.page_cards import cards, chosen, sections
from mnemos_files.report.page_lists import (
    CONCERNS,
    USAGE,
    by_project,
    listings,
)
from mnemos_files.report.page_scope import NAME_BYTES, Scope, day, heading, scope
from mnemos_files.report.page_text import line
from mnemos_files.report.page_time import timeline
from mnemos_files.report.page_values import Listing, Page, Picture, Row, Timeline
from mnemos_files.report.relations import relate
from mnemos_files.store.store import Store

STATES = (
    ("holds", "that hold"),
    ("ended", "that do not hold any more"),
    ("raw", "that nobody has confirmed"),
    ("flagged", "that the scan has flagged"),
    ("unused", "that nobody has read"),
    ("fading", "that fade"),
)
"""What the filter can choose: the word on the card, and how it is called."""


@dataclass(frozen=True, slots=True)
class _Named:
    """The parts of a page that name memories."""

    timeline: Timeline
    concerns: tuple[Listing, ...]
    usage: tuple[Listing, ...]
    pictures: tuple[Picture, ...]


def facts(store: Store, *, project: str = "", since: datetime | None = None) -> Page:
    """What the page of a vault shows now; `since` is where its timeline begins.

    `project` leaves the memories of other projects out, but not those of all projects.

    Raises:
        UnavailableError: the vault, its journal or its history cannot be read.
    """
    store.refresh()
    where = scope(store, relate(store), project)
    told = learning(store, where.found, since, project)
    projects = {path: entry.record.project for path, entry in where.found.memories.items()}
    drawings = draw(projects, where.found.relations)
    _named(where, told, drawings, since)  # tells which memories need a card
    made = cards(where, chosen(where, where.named))
    named = _named(where, told, drawings, since)
    return Page(
        vault=line(store.place.vault.root.name, NAME_BYTES) or "vault",
        project=line(project, NAME_BYTES),
        made=store.now().replace(microsecond=0),
        since=since,
        totals=tuple(_totals(where)),
        timeline=named.timeline,
        drawings=drawings,
        pictures=named.pictures,
        kinds=tuple(legend(drawings.drawings)),
        concerns=named.concerns,
        usage=named.usage,
        sections=sections(where, made),
        notices=tuple(line(notice, 400) for notice in store.urgent_notices()),
        total=len(where.found.memories),
        shown=len(made),
        states=STATES,
    )


def _named(where: Scope, told: Learning, drawings: Drawings, since: datetime | None) -> _Named:
    return _Named(
        timeline=timeline(where, told, since),
        concerns=listings(where, CONCERNS),
        usage=(by_project(where), *listings(where, USAGE)),
        pictures=tuple(
            _picture(where, one, number) for number, one in enumerate(drawings.drawings, start=1)
        ),
    )


def _picture(where: Scope, drawing: Drawing, number: int) -> Picture:
    rows = [Row(where.mention(dot.path), _note(where, dot.path, drawing)) for dot in drawing.dots]
    links = [
        (where.mention(one.source), one.kind.replace("_", " "), where.mention(one.target))
        for one in drawing.relations
    ]
    name = heading(drawing.project)
    table = Listing(
        f"g{number}-links", f"Links of {name}", "", ("Memory", "Link", "To"), tuple(links)
    )
    return Picture(f"g{number}", name, tuple(rows), table)


def _note(where: Scope, path: str, drawing: Drawing) -> str:
    """The day of a row, and its project where it is another one."""
    record = where.record(path)
    other = "" if record.project == drawing.project else f", {heading(record.project)}"
    return f"{day(record.created)}{other}"


def _totals(where: Scope) -> Iterator[tuple[str, str]]:
    memories = where.found.memories
    tiers = Counter(entry.record.trust_tier for entry in memories.values())
    types = Counter(entry.record.type for entry in where.store.index.entries.values())
    read = sum(bool(where.use(path).accesses) for path in memories)
    yield "memories", _number(len(memories))
    yield "hold now", _number(len(memories) - len(where.found.ended))
    yield "replaced or ended", _number(len(where.found.ended))
    yield "waiting for confirmation", _number(tiers["raw"])
    yield "read at least once", _number(read)
    yield "skills", _number(sum(one.record.type == "skill" for one in memories.values()))
    yield "links", _number(len(where.found.relations))
    yield "sessions in the vault", _number(types["session"])


def _number(count: int) -> str:
    return f"{count:,}"
