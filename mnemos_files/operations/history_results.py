"""What the operations that look back return."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class VersionRow:
    """What one commit made of a note; `version` is None where it deleted the note.

    `what` is uncommitted, added, restored, edited, renamed, merged or deleted. `by` is agent or
    person. `added` and `removed` count lines.
    """

    what: str
    path: str
    when: datetime
    by: str
    added: int = 0
    removed: int = 0
    version: str | None = None
    commit: str | None = None
    author: str | None = None
    committer: str | None = None
    subject: str | None = None
    why: str | None = None
    op: str | None = None
    session: str | None = None
    source_kind: str | None = None
    renamed_from: str | None = None
    diff: str | None = None
    diff_cut: bool | None = None


@dataclass(frozen=True)
class HistoryResult:
    """A page of versions of a note, the newest first."""

    id: str
    title: str
    path: str
    deleted: bool
    total: int
    versions: list[VersionRow]
    next_offset: int | None = None
    risk: str | None = None
    rules: list[str] | None = None
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SourceRow:
    """A memory in the graph of what is derived from what; `derived_from` are ids or dead links.

    `depth` counts steps from the memory that was asked for. `state` is "deleted" or "missing" for
    what is not in the vault.
    """

    id: str
    depth: int
    title: str = ""
    type: str | None = None
    trust_tier: str | None = None
    source_kind: str | None = None
    path: str | None = None
    state: str | None = None
    derived_from: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LinkRow:
    """A link: its type, what stands in it, and the note at its other end if there is one."""

    type: str
    link: str
    id: str | None = None
    title: str | None = None
    path: str | None = None


@dataclass(frozen=True)
class CommitRow:
    """A commit that made or changed a memory."""

    what: str
    commit: str
    when: datetime
    author: str
    by: str
    subject: str
    why: str | None = None
    session: str | None = None


@dataclass(frozen=True)
class TierRow:
    """A change of the trust tier and its reason."""

    from_tier: str
    to_tier: str
    when: datetime
    author: str
    by: str
    why: str


@dataclass(frozen=True)
class LinesRow:
    """Neighbouring lines that one commit brought; without `commit` they are not committed."""

    first: int
    last: int
    text: str
    by: str
    author: str | None = None
    when: datetime | None = None
    commit: str | None = None


@dataclass(frozen=True)
class ProvenanceResult:
    """Where a memory came from, and what came from it."""

    id: str
    title: str
    type: str
    path: str
    deleted: bool
    trust_tier: str
    source_kind: str
    agent_id: str
    commits: int
    sources: list[SourceRow]
    derived: list[SourceRow]
    links: list[LinkRow]
    backlinks: list[LinkRow]
    made: CommitRow | None = None
    changes: list[CommitRow] = field(default_factory=list)
    tiers: list[TierRow] = field(default_factory=list)
    session: str | None = None
    session_title: str | None = None
    source: str | None = None
    source_offset: str | None = None
    source_time: str | None = None
    created_at: datetime | None = None
    promoted_reason: str | None = None
    blame: list[LinesRow] = field(default_factory=list)
    next_offset: int | None = None
    risk: str | None = None
    rules: list[str] | None = None
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class NewsRow:
    """What became of a memory in the time asked for: in sum (`what`), by whom and why."""

    id: str
    title: str
    type: str
    path: str
    what: list[str]
    when: datetime
    authors: list[str]
    commits: int
    commit: str
    raw: bool = False
    project: str | None = None
    renamed_from: str | None = None
    superseded_by: str | None = None
    why: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class UncommittedRow:
    """A note that differs from the last commit: edited, added or deleted by hand."""

    path: str
    what: str
    id: str | None = None
    title: str | None = None


@dataclass(frozen=True)
class ChangesResult:
    """A page of news, the newest first; `commit` is the next `since`.

    `counts` tells of how many memories each thing is true, `uncommitted` lists at most the first of
    `uncommitted_total`.
    """

    changes: list[NewsRow]
    total: int
    counts: dict[str, int]
    commit: str
    uncommitted: list[UncommittedRow] = field(default_factory=list)
    uncommitted_total: int = 0
    next_offset: int | None = None
    message: str | None = None
    risk: str | None = None
    rules: list[str] | None = None
    notices: list[str] = field(default_factory=list)
