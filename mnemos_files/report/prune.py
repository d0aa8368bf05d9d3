"""Memories whose time is over, and their end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from mnemos_files.report.markdown import inline
from mnemos_files.report.moments import expired_at
from mnemos_files.store.edits import Drop, Work
from mnemos_files.store.store import Store

TITLE_BYTES = 120


@dataclass(frozen=True)
class Expired:
    """A memory that expired."""

    id: str
    type: str
    title: str
    path: str
    expired_at: datetime


@dataclass(frozen=True)
class Pruned:
    """Expired memories, oldest end first; `commit` is "" when none was deleted."""

    dry_run: bool
    expired: list[Expired]
    commit: str
    message: str
    notices: list[str] = field(default_factory=list)


def prune(store: Store, *, dry_run: bool = False) -> Pruned:
    """Delete all records of ours that expired, in one commit; `dry_run` only lists them.

    Raises:
        RefusedError, ConflictError, UnavailableError: writing is not possible now; nothing is
            deleted.
    """
    store.refresh()
    found = [*_expired(store)]
    if not found or dry_run:
        return Pruned(dry_run, found, "", _said(store, found, dry_run=dry_run))
    noun = "memory" if len(found) == 1 else "memories"
    receipt = store.edits.commit(
        Work(
            op="prune",
            subject=f"prune(memory): {len(found)} expired {noun}",
            edits=[Drop(one.path) for one in found],
            body="\n".join(_line(one) for one in found),
            agent=store.agent,
        )
    )
    said = _said(store, found, dry_run=False)
    return Pruned(dry_run, found, receipt.commit, said, list(receipt.notices))


def lines(pruned: Pruned) -> Iterator[str]:
    """The result for people."""
    yield from map(_line, pruned.expired)
    commit = f" (commit {pruned.commit[:10]})" if pruned.commit else ""
    yield pruned.message + commit
    yield from (f"note: {notice}" for notice in pruned.notices)


def _expired(store: Store) -> Iterator[Expired]:
    now = store.now()
    ended = [(end, entry) for entry in store.index.ended(now) if (end := expired_at(entry, now))]
    for end, entry in sorted(ended, key=lambda pair: (pair[0], pair[1].path)):
        source = entry.record.source_kind
        yield Expired(
            id=inline(entry.record.id, source),
            type=inline(entry.record.type, source),
            title=inline(entry.record.title, source, TITLE_BYTES),
            path=str(entry.path),
            expired_at=end,
        )


def _line(one: Expired) -> str:
    return f"expired {one.expired_at:%Y-%m-%d}  [{one.type}] {one.title}  {one.id}  {one.path}"


def _said(store: Store, found: Sequence[Expired], *, dry_run: bool) -> str:
    if not found:
        return "nothing has expired"
    said = f"{len(found)} would be deleted" if dry_run else f"{len(found)} deleted"
    kept = "" if store.history is None else "; the git history keeps their texts"
    return said + kept
