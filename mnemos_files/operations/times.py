"""Times as callers write them."""

from datetime import UTC, datetime

from mnemos_files.errors import InvalidQueryError


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
