"""What the operations that change a note return."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class EditResult:
    """A note after an edit; `version` goes into the next one. `changed` false: it said so already.

    `risk` and `rules` tell what the safety scan found in the new texts.
    """

    id: str
    title: str
    type: str
    path: str
    changed: bool
    version: str
    commit: str
    message: str
    risk: str | None = None
    rules: list[str] | None = None
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class InvalidateResult:
    """A memory that no longer holds; `changed` is false when that was said before."""

    id: str
    title: str
    path: str
    changed: bool
    invalidated_at: datetime
    reason: str
    commit: str
    message: str
    valid_until: datetime | None = None
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class RestoreResult:
    """A note as it was; `restored_from` is the commit whose text it has, "" when none was needed.

    `superseded_by` are memories that still supersede it, so that searches leave it out.
    """

    id: str
    title: str
    type: str
    path: str
    changed: bool
    live: bool
    version: str
    restored_from: str
    commit: str
    message: str
    superseded_by: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
