"""When something was saved, ended or expired, to the millisecond where an id tells it."""

from datetime import datetime, timedelta

from mnemos_files.model.note import Entry
from mnemos_files.model.record import Record
from mnemos_files.model.session import Session
from mnemos_files.model.tally import NEVER, SessionTrace
from mnemos_files.model.ulid import is_ulid, ulid_time

_SECOND = timedelta(seconds=1)


def saved_at(record: Record) -> datetime:
    """When the record was made [UTC]: files keep seconds, our ids milliseconds."""
    created = record.created
    if created is None:
        return NEVER
    exact = ulid_time(record.id) if is_ulid(record.id) else created
    return exact if timedelta(0) <= exact - created < _SECOND else created


def expired_at(entry: Entry, now: datetime) -> datetime | None:
    """When the record expired; None for one that did not, and for a person's own note."""
    expires = entry.record.expires
    return expires if entry.is_ours and expires is not None and expires <= now else None


def end_of(session: Session, trace: SessionTrace | None) -> datetime | None:
    """When a session ended [UTC], None while it is open; its file keeps seconds."""
    if session.ended is None or trace is None or trace.ended is None:
        return session.ended
    exact = trace.ended.at
    return exact if timedelta(0) <= exact - session.ended < _SECOND else session.ended
