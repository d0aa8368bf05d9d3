"""What monitors judge: values only, so that years can be played in a test."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.config import Settings
from mnemos_files.model.candidate import Evidence
from mnemos_files.model.likeness import Likeness
from mnemos_files.model.record import Record
from mnemos_files.model.skill import SkillScore

TEXT = "text"
"""Stands for a link in the text or in a property that is none of ours."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A record without its texts, and where it lies."""

    record: Record
    path: PurePosixPath


@dataclass(frozen=True, slots=True)
class Skill(Memory):
    """A skill with its counted uses; `score.moved` is the time of its last save or use."""

    score: SkillScore


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A link `contradicts` from one memory to another."""

    source: Memory
    target: Memory


@dataclass(frozen=True, slots=True)
class Alike:
    """Two memories that say nearly the same, and how.

    `links` are the types of `LINK_TYPES`, `derived_from` or `TEXT` by which one leads to the other.
    `digest` names both texts.
    """

    older: Memory
    newer: Memory
    likeness: Likeness
    links: frozenset[str]
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything of a vault that monitors look at; all of it holds at `now`.

    `skills` and `corrections` are not quarantined, `raw` are memories that are, oldest first;
    `contradictions` are those between records that hold, newest first. `alike` seeks pairs that
    say nearly the same, the likest first: asked for by the monitor that needs them.
    """

    now: datetime
    settings: Settings = field(default_factory=Settings)
    skills: tuple[Skill, ...] = ()
    corrections: tuple[Memory, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    raw: tuple[Memory, ...] = ()
    alike: Callable[[], Sequence[Alike]] = tuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A target that a monitor doubts, `target_kind` of `TARGET_KINDS`.

    The source of each evidence is the path of a file, or "". `count` is how much evidence there
    is: it grows when things get worse. `since` is the time from which the evidence counts, where
    evidence begins anew when the target is mended.
    """

    target: Memory
    target_kind: str
    severity: str
    reason: str
    evidence: tuple[Evidence, ...]
    count: int
    since: datetime | None = None


def step(value: float, medium: float, high: float) -> str:
    """The severity of a value that is the worse the higher it is."""
    if value >= high:
        return "high"
    return "medium" if value >= medium else "low"


def day(moment: datetime | None) -> str:
    """The day of a time, as evidence names it."""
    return "an unknown day" if moment is None else f"{moment:%Y-%m-%d}"
