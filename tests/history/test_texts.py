"""Lines that differ, and lines that stayed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.history.texts import count_lines, counts, sources, unified


def test_a_difference_is_told_in_hunks_without_names_of_files():
    assert unified("a\nb\nc\n", "a\nB\nc\n") == "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
    assert unified("", "a\n") == "@@ -0,0 +1 @@\n+a\n"
    assert unified("a\n", "") == "@@ -1 +0,0 @@\n-a\n"
    assert unified("a", "a\nb") == "@@ -1 +1,2 @@\n-a\n+a\n+b\n"
    assert unified("a\n", "a\n") == ""
    assert unified("a\0b\n", "a\0c\n") == "@@ -1 +1 @@\n-a\0b\n+a\0c\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"", b"", []),
        (b"", b"a\nb\n", [None, None]),
        (b"a\nb\n", b"", []),
        (b"a\nb\nc\n", b"b\nc\na\n", [1, 2, None]),
        (b"a\nb\n", b"x\na\ny\nb\nz", [None, 0, None, 1, None]),
        (b"a\r\nb\r\n", b"a\nb\n", [0, 1]),
        (b"a\nb", b"a\nb\n", [0, None]),
        (b"\xff\n\0\n", b"\xff\n\0\n\xfe", [0, 1, None]),
    ],
)
def test_lines_that_stayed_are_told_by_their_old_number(old, new, expected):
    assert sources(old, new) == expected


def test_lines_are_counted_without_their_ends():
    assert counts(b"a\nb\n", b"a\r\nB\r\nc\r\n") == (2, 1)
    assert [count_lines(text) for text in (b"", b"a", b"a\n", b"\n\n", b"a\nb")] == [0, 1, 1, 2, 2]


LINES = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=12).map("\n".join)


@given(LINES, LINES)
def test_a_line_that_stayed_has_the_same_text_and_order(old, new):
    found = sources(old.encode(), new.encode())

    old_lines, new_lines = old.split("\n"), new.split("\n")
    assert len(found) == count_lines(new.encode())
    kept = [(number, place) for number, place in enumerate(found) if place is not None]
    assert all(new_lines[number] == old_lines[place] for number, place in kept)
    assert [place for _, place in kept] == sorted({place for _, place in kept})
    assert counts(old.encode(), new.encode())[0] == found.count(None)


@given(LINES, LINES)
def test_no_difference_is_told_for_equal_texts_only(old, new):
    assert (unified(old, new) == "") == (old == new)
