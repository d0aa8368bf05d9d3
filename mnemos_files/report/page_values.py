"""What a page shows: plain values, every text of them fit to be escaped and shown."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from mnemos_files.report.graph import Drawings
from mnemos_files.report.learning import Unit


@dataclass(frozen=True, slots=True)
class Mention:
    """A memory where it is named: `anchor` is that of its card, "" when the page has none.

    `marks` say what a reader must know: that nobody has confirmed it, that it does not hold.
    """

    title: str
    anchor: str = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a memory: what it means, and where it leads or what stands there."""

    kind: str
    to: Mention


@dataclass(frozen=True, slots=True)
class Version:
    """One memory of a supersession, with its day."""

    day: str
    memory: Mention
    is_self: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a memory's text; the first one has no heading."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A memory in full: `states` are the words by which the filter finds it."""

    anchor: str
    title: str
    states: tuple[str, ...]
    marks: tuple[str, ...]
    facts: tuple[str, ...]
    parts: tuple[Part, ...]
    links: tuple[Link, ...]
    chain: tuple[Version, ...]
    warnings: tuple[str, ...]
    path: str


@dataclass(frozen=True, slots=True)
class Section:
    """The memories of a project, newest first; `left_out` of them have no card."""

    anchor: str
    name: str
    cards: tuple[Card, ...]
    left_out: int


Cell = str | Mention


@dataclass(frozen=True, slots=True)
class Listing:
    """A table: the first cell of each row names it; `more` rows are left out."""

    anchor: str
    title: str
    intro: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Bar:
    """A period in the chart [units of the drawing]: what came above the line, what went below."""

    label: str
    x: int
    learned: int
    dropped: int
    up: int
    down: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """The chart and the news: periods by `unit`, totals, and what came and went last."""

    unit: Unit
    bars: tuple[Bar, ...]
    width: int
    height: int
    zero: int
    rows: tuple[tuple[str, int, int, int], ...]
    learned: int
    ended: int
    deleted: int
    notes: tuple[str, ...]
    news: tuple[Listing, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A memory in a drawing."""

    memory: Mention
    note: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The words that go with a drawing: its rows, and its links as a table."""

    anchor: str
    name: str
    rows: tuple[Row, ...]
    links: Listing


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything that a page shows. `total` counts the memories in scope, `shown` the cards."""

    vault: str
    project: str
    made: datetime
    since: datetime | None
    totals: tuple[tuple[str, str], ...]
    timeline: Timeline
    drawings: Drawings
    pictures: tuple[Picture, ...]
    kinds: tuple[str, ...]
    concerns: tuple[Listing, ...]
    usage: tuple[Listing, ...]
    sections: tuple[Section, ...]
    notices: tuple[str, ...]
    total: int
    shown: int
    states: Sequence[tuple[str, str]] = field(default=())
