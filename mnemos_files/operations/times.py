"""Times as callers write them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from mnemos_files.errors import InvalidQueryError
from mnemos_files.model.record import Record
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.texts import TIME_MAX

AsOf = Annotated[str, Param("what the vault said then (ISO 8601)", max_length=TIME_MAX)]
KnownAt = Annotated[str, Param("texts of then, judged by now", max_length=TIME_MAX)]
ValidAt = Annotated[str, Param("what held then, as known now", max_length=TIME_MAX)]


@dataclass(frozen=True, slots=True)
class Times:
    """The two axes of a question about the past; `as_of` is both at once."""

    as_of: datetime | None
    known_at: datetime | None
    valid_at: datetime | None

    @property
    def past(self) -> datetime | None:
        """The instant whose vault is asked, None for that of now."""
        return self.as_of or self.known_at

    def is_live(self, record: Record, now: datetime) -> bool:
        """True when a record of that vault holds at the time asked for."""
        if self.valid_at is not None:
            return record.held(self.valid_at, self.past or now)
        return record.is_live(self.as_of or now)


def read_times(as_of: str, known_at: str, valid_at: str) -> Times:
    """The times of a question.

    Raises:
        InvalidQueryError: one is no time, or `as_of` stands beside one of the others.
    """
    times = Times(
        read_time("as_of", as_of), read_time("known_at", known_at), read_time("valid_at", valid_at)
    )
    if times.as_of and (times.known_at or times.valid_at):
        problem = "is known_at and valid_at at once"
        raise InvalidQueryError("as_of", problem, remedy="Give as_of alone, or the other two.")
    return times


def read_time(name: str, text: str) -> datetime | None:
    """A time in UTC from RFC 3339 or an ISO 8601 date or time; no zone means UTC; "" is None.

    Raises:
        InvalidQueryError: the text is no time; the error names the argument.
    """
    if not text.strip():
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:  # year 0 or 10000 once it is in UTC
        raise InvalidQueryError(
            name, f"{text!r} is not a time", remedy="Write it like 2026-12-01T10:04:11Z."
        ) from error
