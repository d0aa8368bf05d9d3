"""Differences, word by word."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.review.values import Piece
from mnemos_files.review.words import SHOWN_MAX, pieces, shortened

WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=8).map(" ".join)


def test_a_word_that_changed_stands_between_those_that_stayed():
    found = pieces("the limit is 30 seconds", "the limit is 60 seconds")

    assert found == (
        Piece("=", "the limit is"),
        Piece("-", " 30"),
        Piece("+", " 60"),
        Piece("=", " seconds"),
    )


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", ()),
        ("same words", "same words", ()),
        ("", "new text", (Piece("+", "new text"),)),
        ("old text", "", (Piece("-", "old text"),)),
        ("one two", "two", (Piece("-", "one"), Piece("-", " two"), Piece("+", "two"))),
    ],
)
def test_texts_at_the_edges(before, after, expected):
    found = pieces(before, after)

    assert _joined(found, "-") == _joined(expected, "-")
    assert _joined(found, "+") == _joined(expected, "+")


def test_long_stretches_that_stayed_are_cut_on_both_sides():
    same = " ".join(f"w{number}" for number in range(40))

    found = pieces(f"{same} old {same}", f"{same} new {same}")

    assert found[0] == Piece("=", "…  w32 w33 w34 w35 w36 w37 w38 w39")
    assert found[1:3] == (Piece("-", " old"), Piece("+", " new"))
    assert found[3] == Piece("=", " w0 w1 w2 w3 w4 w5 w6 w7 … ")


@given(WORDS, WORDS)
def test_both_texts_can_be_read_from_a_short_difference(before, after):
    found = pieces(before, after)

    assert before == after or _joined(found, "=-").split() == before.split()
    assert before == after or _joined(found, "=+").split() == after.split()


@given(WORDS, WORDS)
def test_no_shorter_script_exists_than_the_longest_common_part_allows(before, after):
    old, new = (re.findall(r"\s*\S+", text) for text in (before, after))
    changed = sum(len(piece.text.split()) for piece in pieces(before, after) if piece.mark != "=")

    assert changed == len(old) + len(new) - 2 * _common(old, new)


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_gives_a_bounded_difference(before, after):
    found = pieces(before, after)

    assert sum(len(piece.text) for piece in found) <= SHOWN_MAX + 20


def test_texts_made_to_be_slow_are_not():
    one = " ".join("ab"[number % 2] for number in range(20_000))
    other = " ".join("ba"[(number * number) % 2] for number in range(20_000))

    start = time.process_time()
    pieces(one, other)

    assert time.process_time() - start < 2


@given(st.text(max_size=50), st.integers(2, 20))
def test_a_shortened_text_is_never_longer_than_asked_for(text, limit):
    found = shortened(text, limit)

    assert len(found) <= limit
    assert found == text or found.endswith("…")


def _joined(found, marks):
    return "".join(piece.text for piece in found if piece.mark in marks)


def _common(one, other):
    """Length of the longest common subsequence, by the table of the textbook."""
    row = [0] * (len(other) + 1)
    for left in one:
        last = 0
        for at, right in enumerate(other, 1):
            row[at], last = (last + 1 if left == right else max(row[at], row[at - 1])), row[at]
    return row[-1]
