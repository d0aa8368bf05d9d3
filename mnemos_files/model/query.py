"""A question to the vault, and what comes back."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from mnemos_files.model.note import Entry

Order = Literal["importance", "created"]
"""Orders of a selection: the highest importance first, or the newest; then newest, then by id."""

LIMIT_DEFAULT = 20
LIMIT_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to look for, and in which records.

    Empty fields do not filter, but without a `type` the kinds that have tools of their own
    (`Kind.is_saved` is false) are left out. `project` means that project and the global records.
    `known_at` asks for the vault as it was at that instant, texts included; `valid_at` for what
    held in the world then. `as_of` is both at once. `now` is the caller's clock.
    """

    text: str
    now: datetime
    type: str = ""
    tags: tuple[str, ...] = ()
    min_importance: int = 0
    agent: str = ""
    project: str = ""
    include_stale: bool = False
    include_raw: bool = False
    as_of: datetime | None = None
    known_at: datetime | None = None
    valid_at: datetime | None = None
    limit: int = LIMIT_DEFAULT
    offset: int = 0

    @property
    def past(self) -> datetime | None:
        """The instant whose vault is asked, None for the vault of now."""
        return self.as_of or self.known_at


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked note: `score` = relevance [0, 1] times the policy factors, `parts` explain it."""

    entry: Entry
    score: float
    parts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The hits of one page, best first.

    `total` counts all hits before paging. `mode` is "hybrid" when vectors took part, else "fts".
    `best_below_floor` is the best relevance when nothing reached the floor, else None.
    """

    hits: tuple[Hit, ...]
    total: int
    mode: str
    best_below_floor: float | None = None
