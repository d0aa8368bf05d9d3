"""What operations return. Plain dataclasses; every door shows them as they are."""

from dataclasses import dataclass, field
from datetime import datetime

from mnemos_files.operations.rumination_results import CandidateCounts


@dataclass(frozen=True)
class SaveResult:
    """A saved memory; `deduped` means that a live one said the same already and was kept."""

    id: str
    title: str
    type: str
    source_kind: str
    trust_tier: str
    derived_from: list[str]
    created_at: datetime | None
    deduped: bool
    path: str
    commit: str
    trust_clamped: bool = False
    superseded: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LessonResult:
    """A saved correction or convention; `deduped` as in a save."""

    id: str
    title: str
    type: str
    deduped: bool
    path: str
    commit: str
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PromoteResult:
    """A memory in its new tier."""

    id: str
    to_tier: str
    why_better: str
    from_tier: str
    path: str
    commit: str
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SearchHit:
    """One memory that answers, best first; `why` holds the parts of the score when asked for."""

    id: str
    title: str
    type: str
    tags: list[str]
    importance: int
    score: float
    snippet: str
    created_at: datetime | None
    source_kind: str
    trust_tier: str
    derived_from: list[str]
    path: str
    project: str | None = None
    invalidated_at: datetime | None = None
    invalidated_by: str | None = None
    risk: str | None = None
    rules: list[str] | None = None
    problems: list[str] | None = None
    why: dict[str, float] | None = None


@dataclass(frozen=True)
class SearchResult:
    """A page of hits. `index` is "ready", or "catching_up" with `pending` files still unread."""

    results: list[SearchHit]
    retrieval_mode: str
    total: int
    index: str
    pending: int
    next_offset: int | None = None
    best_below_floor: float | None = None
    message: str | None = None
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LinkedNote:
    """One end of a link: `type` of the link, `id` and `path` when it leads to a note."""

    type: str
    link: str
    id: str | None = None
    path: str | None = None


@dataclass(frozen=True)
class GetResult:
    """One memory in full; a long `content` comes in pages of whole characters.

    `decayed_importance` is what it had counted for until this read, when less than `importance`.
    `at_commit` is the commit of another time in which it is read; all else is of then, too.
    """

    id: str
    title: str
    type: str
    content: str
    total_chars: int
    offset: int
    path: str
    version: str
    tags: list[str]
    importance: int
    agent_id: str
    source_kind: str
    trust_tier: str
    live: bool
    last_author: str | None = None
    last_commit: str | None = None
    risk: str | None = None
    rules: list[str] = field(default_factory=list)
    decayed_importance: int | None = None
    at_commit: str | None = None
    access_count: int = 0
    promoted_reason: str | None = None
    personal: list[str] = field(default_factory=list)
    next_offset: int | None = None
    sections: dict[str, str] = field(default_factory=dict)
    project: str | None = None
    session: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    invalidated_at: datetime | None = None
    invalidated_by: str | None = None
    expires_at: datetime | None = None
    derived_from: list[str] = field(default_factory=list)
    links: list[LinkedNote] = field(default_factory=list)
    backlinks: list[LinkedNote] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class DeleteResult:
    """A deleted memory; its text stays in the git history until that is purged."""

    id: str
    title: str
    path: str
    commit: str
    message: str
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LinkResult:
    """A stored link; `created` is false when it was there before."""

    source_id: str
    target_id: str
    link_type: str
    created: bool
    commit: str
    message: str
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TagCount:
    """How many memories carry a tag."""

    tag: str
    count: int


@dataclass(frozen=True)
class RecentSession:
    """One session; `ended_at` is None while it is open."""

    id: str
    goal: str
    started_at: datetime
    status: str
    project: str | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True)
class EmbeddingStats:
    """The embedding model, and how many notes have a vector."""

    enabled: bool
    model: str
    vectors: int


@dataclass(frozen=True)
class IndexStats:
    """The search index beside the files: the counts add up to what lies on disk."""

    state: str
    on_disk: int
    indexed: int
    pending: int
    unflushed: int
    watching: str


@dataclass(frozen=True)
class StatsResult:
    """Counts and state of a vault; `decayed` live memories count for less than their importance."""

    observations: int
    live_observations: int
    notes: int
    sessions: int
    skills: int
    top_tags: list[TagCount]
    recent_sessions: list[RecentSession]
    embedding: EmbeddingStats
    storage_bytes: int
    index: IndexStats
    vault: str
    history: str
    problems: int
    decayed: int = 0
    by_type: dict[str, int] = field(default_factory=dict)
    by_project: dict[str, int] = field(default_factory=dict)
    rumination: CandidateCounts | None = None
    notices: list[str] = field(default_factory=list)
