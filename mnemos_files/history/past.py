"""Looking back: what commits did to notes, kept from one question to the next."""

import contextlib
import hashlib
import os
import tempfile
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pygit2

from mnemos_files.errors import NotFoundError, UnavailableError
from mnemos_files.history.layout import Layout
from mnemos_files.history.message import parse_message
from mnemos_files.history.refs import head_commit
from mnemos_files.history.trail import Step, Trail
from mnemos_files.history.trees import find_blob
from mnemos_files.history.walking import between, net_change, only_in

KEPT_NAME = "trail"
KEEP_AFTER = 50
"""Commits [1] that are read anew in each process before the kept trail is written again."""

ORIGINS_MAX = 2_000
"""Commits [1] whose messages stay in memory."""

_FORMAT = "mnemos-trail 1"
_AGENTS = "@mnemos.invalid"


@dataclass(frozen=True, slots=True)
class Origin:
    """Who made a commit, when [UTC], and what it says. Texts are as git has them: anybody's.

    `when` is the committer's time; an author's may be older, as after a rebase.
    """

    commit: str
    author: str
    author_email: str
    committer: str
    when: datetime
    authored: datetime
    subject: str
    body: str
    trailers: tuple[tuple[str, str], ...]
    is_merge: bool

    @property
    def is_agent(self) -> bool:
        """True when the author has the address that agents of ours have."""
        return self.author_email.endswith(_AGENTS)

    def trailer(self, key: str) -> str:
        """Value of the first trailer with this key, "" when there is none."""
        return next((value for name, value in self.trailers if name == key), "")


class Past:
    """The commits of one vault, for questions about what was. Thread-safe.

    What has been read is kept in memory, and as a file in `folder` when that is set: derived from
    the commits alone, so that it can be deleted at any time.
    """

    def __init__(self, layout: Layout) -> None:
        self.folder: Path | None = None
        self._layout = layout
        self._repo = pygit2.Repository(str(layout.git_dir))
        self._lock = threading.RLock()
        self._trail = Trail()
        self._depth = ""
        self._unkept = 0
        self._origins: dict[str, Origin] = {}

    def trail(self) -> Trail:
        """What every commit of the current branch did to notes.

        The first time, all commits are read; later ones add what is new. A branch that was
        rewritten or switched loses the commits that it has no more.

        Raises:
            UnavailableError: the history is damaged, or too long to be read.
        """
        with self._lock, _undamaged():
            head, depth = head_commit(self._repo), _depth(self._layout)
            if (head, depth) != (self._trail.head, self._depth):
                self._turn_to(head, depth)
            return self._trail

    def origin(self, commit: str) -> Origin:
        """Who made a commit and why.

        Raises:
            NotFoundError: there is no such commit.
        """
        with self._lock:
            if commit not in self._origins:
                if len(self._origins) >= ORIGINS_MAX:
                    self._origins.clear()
                self._origins[commit] = self._read_origin(commit)
            return self._origins[commit]

    def _read_origin(self, commit: str) -> Origin:
        try:
            return _origin(self._repo[commit].peel(pygit2.Commit))
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise NotFoundError(commit) from error

    def comes_from(self, commit: str, earlier: str) -> bool:
        """True when the earlier commit is an ancestor of the commit, or the commit itself."""
        with self._lock, _undamaged():
            return commit == earlier or self._repo.descendant_of(commit, earlier)

    def since(self, base: str, head: str = "") -> list[list[Step]]:
        """What each commit did that `head` has and `base` ("" = none) has not.

        The commits that were read last come first; those that did nothing to notes are left out.
        Without a `head`, the current commit is meant.
        """
        trail = self.trail()
        head = head or trail.head
        if not head:
            return []
        with self._lock, _undamaged():
            wanted = only_in(self._repo, head, base) if base or head != trail.head else None
        return list(trail.only(wanted))

    def net(self, base: str, head: str) -> dict[str, tuple[str, str]]:
        """Notes that differ between two commits ("" = nothing): blob ids before and after."""
        with self._lock, _undamaged():
            return net_change(self._repo, self._layout.prefix, base, head)

    def sides(self, commit: str, path: str) -> list[str]:
        """The blob that a path of the vault has in each parent of a commit, or ""."""
        inside = f"{self._layout.prefix}/{path}" if self._layout.prefix else path
        with self._lock, _undamaged():
            parents = self._repo[commit].peel(pygit2.Commit).parents
            found = [find_blob(parent.tree, inside) for parent in parents]
        return ["" if blob is None else str(blob.id) for blob in found]

    @property
    def is_shallow(self) -> bool:
        """True when older commits exist that are not in this clone."""
        return (self._layout.common_dir / "shallow").exists()

    def forget(self) -> None:
        """Drop what is kept, in memory and on disk: after a purge it would name what is gone."""
        with self._lock:
            self._trail, self._depth = Trail(), ""
            self._origins.clear()
            if self.folder is not None:
                (self.folder / KEPT_NAME).unlink(missing_ok=True)

    def _turn_to(self, head: str, depth: str) -> None:
        if depth != self._depth:
            # libgit2 remembers where a shallow clone ends.
            self._repo = pygit2.Repository(str(self._layout.git_dir))
            self._trail = Trail()
        if not self._trail.head and self.folder is not None:
            self._trail = _load(self.folder / KEPT_NAME, self._layout.prefix, depth)
        rewritten = self._move(head)
        self._depth = depth
        if self.folder is not None and (rewritten or self._unkept >= KEEP_AFTER):
            _save(self.folder / KEPT_NAME, self._trail, self._layout.prefix, depth)
            self._unkept = 0

    def _move(self, head: str) -> bool:
        """Bring the trail to this commit; True when it lost some."""
        trail = self._trail
        if trail.head == head:
            return False
        base = trail.head if head and trail.head and trail.head in self._repo else ""
        gone = only_in(self._repo, base, head) if base else set()
        start = trail.without(gone) if gone else trail if base else Trail()
        made = between(self._repo, self._layout, head, base) if head else []
        if base:  # where clocks were wrong, git gives some that the base has too
            made = [one for one in made if start.time(one.commit.decode("ascii")) is None]
        self._trail = start.extended(head, made)
        self._unkept += len(made)
        return bool(gone)


def _origin(commit: pygit2.Commit) -> Origin:
    encoding = commit.message_encoding
    subject, body, trailers = parse_message(_text(commit.raw_message, encoding))
    author, committer = commit.author, commit.committer
    return Origin(
        commit=str(commit.id),
        author=_text(author.raw_name, encoding),
        author_email=_text(author.raw_email, encoding),
        committer=_text(committer.raw_name, encoding),
        when=datetime.fromtimestamp(commit.commit_time, UTC),
        authored=datetime.fromtimestamp(author.time, UTC),
        subject=subject,
        body=body,
        trailers=trailers,
        is_merge=len(commit.parent_ids) > 1,
    )


def _text(raw: bytes, encoding: str | None) -> str:
    with contextlib.suppress(LookupError):
        return raw.decode(encoding or "utf-8", "replace")
    return raw.decode("utf-8", "replace")


def _depth(layout: Layout) -> str:
    """Where a shallow clone ends, "" for a whole one."""
    try:
        return hashlib.sha256((layout.common_dir / "shallow").read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""


def _load(file: Path, prefix: str, depth: str) -> Trail:
    """The kept trail, an empty one when there is none that is whole and of this vault."""
    try:
        first, _, body = file.read_bytes().partition(b"\n")
    except OSError:
        return Trail()
    head, _, rest = first.partition(b"\t")
    if rest != _mark(prefix, depth, body):
        return Trail()
    return Trail(head.decode("ascii"), body)


def _save(file: Path, trail: Trail, prefix: str, depth: str) -> None:
    """Replace the kept trail; where that cannot be done nothing is kept."""
    data = trail.head.encode("ascii") + b"\t" + _mark(prefix, depth, trail.body)
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, draft = tempfile.mkstemp(prefix=f"{KEPT_NAME}-", dir=file.parent)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data + b"\n" + trail.body)
            Path(draft).replace(file)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise


def _mark(prefix: str, depth: str, body: bytes) -> bytes:
    where = hashlib.sha256(os.fsencode(prefix)).hexdigest()
    return f"{_FORMAT}\t{where}\t{depth}\t{len(body)}\t{zlib.crc32(body)}".encode("ascii")


@contextmanager
def _undamaged() -> Iterator[None]:
    try:
        yield
    except (pygit2.GitError, KeyError, ValueError) as error:
        raise UnavailableError(
            f"the git history is damaged: {error}",
            remedy="Run `git fsck`; fetch or restore what is missing.",
        ) from error
