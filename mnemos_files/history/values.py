"""What goes into the history and what comes out of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class Change:
    """One call's commit.

    `files` maps paths in the vault to their new bytes, None = deleted. `trailers` go to the end of
    the message. `agent` is the author; without one the person is the author. `merges` are commits
    of another branch that this one takes in: further parents.
    """

    files: Mapping[PurePosixPath, bytes | None]
    subject: str
    body: str = ""
    trailers: tuple[tuple[str, str], ...] = ()
    agent: str | None = None
    merges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """The way of a branch from one commit to another that is there already.

    `files` maps the paths in the vault in which they differ to the bytes that lie on disk.
    """

    base: str
    tip: str
    files: Mapping[PurePosixPath, bytes | None]
    message: str


@dataclass(frozen=True, slots=True)
class CommitResult:
    """One commit id for each change, "" where the branch held these very bytes already.

    `base` is what the branch named before, `tip` what it names now.
    """

    commits: tuple[str, ...]
    notices: tuple[str, ...] = ()
    base: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit, as `git log` shows it. `paths` are those in the vault, `when` is UTC."""

    commit: str
    author_name: str
    author_email: str
    when: datetime
    subject: str
    body: str
    trailers: tuple[tuple[str, str], ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Who gave a file its present text: commit id, author's name, time [UTC]."""

    commit: str
    author: str
    when: datetime


@dataclass(frozen=True, slots=True)
class NoHistory:
    """There is no repository (`exists` is False), or it cannot be opened: `reason` tells why."""

    reason: str = ""
    exists: bool = False
