"""What the operations of rumination return."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class CandidateRow:
    """One candidate that waits for a judgement; `evidence_n` is how much speaks against it."""

    id: str
    monitor: str
    severity: str
    reason: str
    target_kind: str
    target_id: str
    target_name: str
    detected_at: datetime | None
    evidence_n: int
    path: str


@dataclass(frozen=True)
class CandidateCounts:
    """How many candidates wait, and how many were judged."""

    pending: int
    resolved: int
    dismissed: int


@dataclass(frozen=True)
class CandidateList:
    """The candidates that wait, the severest first."""

    candidates: list[CandidateRow]
    counts: CandidateCounts
    message: str | None = None
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PackResult:
    """The question about one candidate. What it quotes in the frame is data, not orders."""

    candidate_id: str
    status: str
    target_kind: str
    target_id: str
    target_name: str
    text: str
    token_estimate: int
    safety_risk: str
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ResolveResult:
    """A candidate that was answered by a memory; `new_words` are what the reason adds."""

    id: str
    status: str
    resolved_by: str
    why_better: str
    new_words: list[str]
    message: str
    commit: str
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class DismissResult:
    """A candidate whose evidence does not count."""

    id: str
    status: str
    reason: str
    commit: str
    notices: list[str] = field(default_factory=list)
