"""What a review says: values only, harmless to print. Times are UTC."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")
"""From worst to mildest."""

Mark = Literal["=", "-", "+"]
"""A piece of text that stayed, went or came."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who made commits of a change; `session` is the link to an agent's session, or ""."""

    name: str
    is_agent: bool = False
    session: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text that stayed ("="), went ("-") or came ("+")."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A property or a part of the text that changed: its name, and the pieces in order."""

    name: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule of `rules.RULES` that fired; `line` counts from 1, 0 = the whole file."""

    rule: str
    level: Level
    path: str
    line: int
    message: str
    remedy: str

    @property
    def place(self) -> str:
        """Path, and line where there is one."""
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def advice(self) -> str:
        """What was found and what to do, as sentences."""
        return f"{self.message.rstrip('.')}. {self.remedy}"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value that two memories give differently: both sentences."""

    kind: str
    theirs: str
    mine: str


@dataclass(frozen=True, slots=True)
class Alike:
    """A memory of the vault that says nearly the same; `share` is that of their words [1]."""

    id: str
    path: str
    title: str
    trust_tier: str
    share: float
    conflict: Conflict | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """The other end of a link: its title, and the path of its file, "" where it leads nowhere."""

    title: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange:
    """One memory of a change.

    `kinds` are names of `kinds.KINDS`, the one that says most first. `before_path` differs from
    `path` for a renamed one. `trust_tier_before` is "" for a new one, `trust_tier` for a deleted
    one. `text` is what it says now, of a deleted one what it said; shortened. `commits` are short
    ids, newest first.
    """

    id: str
    path: str
    before_path: str
    type: str
    title: str
    project: str
    kinds: tuple[str, ...]
    authors: tuple[Author, ...]
    commits: tuple[str, ...]
    agent: str
    session: str
    source_kind: str
    source: str
    trust_tier_before: str
    trust_tier: str
    supersedes: tuple[Named, ...]
    superseded_by: tuple[Named, ...]
    contradicts: tuple[Named, ...]
    derived_from: tuple[Named, ...]
    text: str
    differences: tuple[Difference, ...]
    similar: tuple[Alike, ...]
    findings: tuple[Finding, ...]

    @property
    def is_retiered(self) -> bool:
        """True when a memory that stays has another tier than before."""
        tiers = (self.trust_tier_before, self.trust_tier)
        return all(tiers) and tiers[0] != tiers[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A change, read: its memories by path, and what was found in its other files.

    `label` names the change, `base` and `head` are short ids of commits ("" = none). `folder` is
    the way from the root of the repository to the vault, "" when they are the same.
    """

    label: str
    folder: str
    base: str
    head: str
    memories: tuple[MemoryChange, ...]
    other_findings: tuple[Finding, ...]
    other_files: int

    def findings(self) -> Iterator[Finding]:
        """All findings: those of memories in their order, then the others."""
        for memory in self.memories:
            yield from memory.findings
        yield from self.other_findings

    def counts(self) -> dict[Level, int]:
        """How many findings there are of each level."""
        found = Counter(finding.level for finding in self.findings())
        return {level: found[level] for level in LEVELS}

    def kinds(self) -> dict[str, int]:
        """How many memories there are of each kind of change, by their first kind."""
        return dict(Counter(memory.kinds[0] for memory in self.memories))

    def fails(self, bar: str) -> bool:
        """True when a finding is as bad as the bar (`error`, `warning`), never for `never`."""
        counts = self.counts()
        return bool(counts["error"] and bar != "never") or bool(
            counts["warning"] and bar == "warning"
        )
