from datetime import UTC, datetime

import pytest

from mnemos_files.errors import InvalidQueryError
from mnemos_files.operations.times import read_time


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-12-01", datetime(2026, 12, 1, tzinfo=UTC)),
        (" 2026-12-01T10:04:11+02:00 ", datetime(2026, 12, 1, 8, 4, 11, tzinfo=UTC)),
        ("0001-01-01", datetime(1, 1, 1, tzinfo=UTC)),
        ("", None),
    ],
)
def test_a_time_is_read_in_utc(text: str, expected: datetime | None) -> None:
    assert read_time("as_of", text) == expected


@pytest.mark.parametrize(
    "text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "yesterday", "10:00", "\0"]
)
def test_what_is_no_time_in_utc_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidQueryError, match=r"^as_of: .* is not a time$"):
        read_time("as_of", text)
