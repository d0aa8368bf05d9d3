"""What the operations on skills return."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class SkillSaveResult:
    """A skill that is saved; `version` counts its saves and the edits between them."""

    id: str
    name: str
    version: int
    path: str
    commit: str
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SkillMatch:
    """One skill that fits. `cut`: its texts do not fit into an answer; `get` gives all of them.

    `introduction` is what a person wrote above the procedure, `parts` are further parts by name.
    """

    id: str
    name: str
    description: str
    procedure: str
    pitfalls: str
    tags: list[str]
    use_count: int
    effectiveness: float
    version: int
    score: float
    agent_id: str
    path: str
    cut: bool = False
    introduction: str | None = None
    parts: dict[str, str] | None = None
    safety_risk: str | None = None
    problems: list[str] | None = None


@dataclass(frozen=True)
class SkillMatches:
    """Skills that fit, best first."""

    matches: list[SkillMatch]
    message: str | None = None
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SkillScoreResult:
    """How good a skill is; all figures but the counts lie in [0, 1].

    `adjusted_effectiveness` is drawn to 0.5 while there are few uses, `recency` falls to 0 in 90
    days without a save or use, `score` is the product of both.
    """

    skill_id: str
    name: str
    version: int
    use_count: int
    success_count: int
    effectiveness: float
    adjusted_effectiveness: float
    recency: float
    score: float
    updated_at: datetime | None = None


@dataclass(frozen=True)
class SkillUseResult:
    """A use that is noted, and the counts with it."""

    skill_id: str
    name: str
    outcome: str
    use_count: int
    success_count: int
    effectiveness: float
    message: str
    notices: list[str] = field(default_factory=list)
