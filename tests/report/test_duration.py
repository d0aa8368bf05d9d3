"""Lengths of time: what is read, what is refused."""

from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.errors import InvalidQueryError
from mnemos_files.report.duration import start_of
from tests.conftest import NOON


@pytest.mark.parametrize(
    ("length", "back"),
    [
        ("24h", timedelta(days=1)),
        (" 90M ", timedelta(minutes=90)),
        ("45s", timedelta(seconds=45)),
        ("7d", timedelta(days=7)),
        ("2w", timedelta(days=14)),
        ("1d12h", timedelta(hours=36)),
        ("1.5h", timedelta(minutes=90)),
    ],
)
def test_a_length_is_counted_back_from_now(length: str, back: timedelta) -> None:
    assert start_of("since", length, NOON) == NOON - back


@pytest.mark.parametrize(
    "length",
    ["", " ", "24", "h", "-1h", "0h", "0s0m", "1y", "1h ago", "1 h", "1h-2h", "٣h", "1e3h", "nan"],
)
def test_what_is_no_length_above_zero_is_refused(length: str) -> None:
    with pytest.raises(InvalidQueryError, match="since"):
        start_of("since", length, NOON)


@pytest.mark.parametrize("length", ["999999999w", "750000d", "999999999w" * 50])
def test_a_length_beyond_the_calendar_is_refused(length: str) -> None:
    with pytest.raises(InvalidQueryError, match="longer than the calendar"):
        start_of("since", length, NOON)


@given(st.text(alphabet="0123456789.smhdw -", max_size=12))
def test_no_text_gives_anything_but_an_earlier_moment_or_an_error(text: str) -> None:
    with suppress(InvalidQueryError):
        assert start_of("since", text, NOON) < NOON
