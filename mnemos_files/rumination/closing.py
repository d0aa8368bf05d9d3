"""Candidates that end without a judgement: answered by a tag, or their reason is gone."""

from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.model.candidate import REVISED_TAG, Candidate, from_record, with_judgement
from mnemos_files.model.note import Entry, Note
from mnemos_files.model.query import Query
from mnemos_files.model.record import Record
from mnemos_files.model.tally import NEVER
from mnemos_files.rumination.queue import Filed, filed
from mnemos_files.store.edits import Change
from mnemos_files.store.names import link_name
from mnemos_files.store.store import Store

LIMIT = 1_000
"""Memories [1] with the same tag among which the last one is looked for."""

ANSWERING = ("", "skill")
"""Types that a tag may stand in: all that are saved, and skills."""


def auto_resolved(store: Store) -> tuple[Change, ...]:
    """Ends of the pending candidates that a memory answers by its tag `ruminated-from:<id>`.

    The memory must hold and not be quarantined. One that was answered before and raised again
    needs a memory that was saved after that.
    """
    if store.refresh():
        store.finish()
    now = store.now()
    pending = [one for one in filed(store) if one.candidate.is_pending]
    found = [(one, answer(store, one.candidate, now)) for one in pending]
    return tuple(
        _resolution(one, link_name(str(entry.path), store.index), now)
        for one, entry in found
        if entry is not None
    )


def answer(store: Store, candidate: Candidate, now: datetime) -> Entry | None:
    """The memory that answers a candidate by its tag, the one saved last; None when none does."""
    tags = (f"{REVISED_TAG}{candidate.id}",)
    queries = [Query(text="", now=now, type=kind, tags=tags) for kind in ANSWERING]
    found = [
        entry
        for query in queries
        for entry in store.index.select(query, order="created", limit=LIMIT)
        if candidate.raised is None or _saved(entry.record) > candidate.raised
    ]
    found.sort(key=lambda entry: str(entry.path))
    return max(found, key=lambda entry: _saved(entry.record), default=None)


def lost_target(store: Store, candidate: Candidate, now: datetime) -> str:
    """Why there is nothing left to judge, "" while the target holds."""
    paths = store.index.by_id(candidate.target)
    entries = [store.index.entry(path) for path in paths or (candidate.target,)]
    records = [entry.record for entry in entries if entry is not None]
    if not records:
        return "the target was deleted"
    if any(record.is_live(now) for record in records):
        return ""
    by = next((record.invalidated_by for record in records if record.invalidated_by), "")
    return f"the target was replaced by [[{by}]]" if by else "the target does not hold any more"


def closed(path: PurePosixPath, reason: str, now: datetime) -> Change:
    """The end of a candidate for a reason outside of it; any evidence will raise it again."""

    def to(note: Note) -> Record:
        if not from_record(note.record).is_pending:
            return note.record
        return with_judgement(note.record, "dismissed", reason, now=now, judged_evidence=0)

    return Change(str(path), to)


def _resolution(one: Filed, link: str, now: datetime) -> Change:
    def to(note: Note) -> Record:
        candidate = from_record(note.record)
        if not candidate.is_pending:
            return note.record
        return with_judgement(
            note.record,
            "resolved",
            f"it has the tag {REVISED_TAG}{candidate.id}",
            now=now,
            resolved_by=link,
            judged_evidence=candidate.count,
        )

    return Change(str(one.path), to)


def _saved(record: Record) -> datetime:
    return record.updated or record.created or NEVER
