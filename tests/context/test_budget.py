"""Sizes of texts and cuts of lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.context.budget import clip, one_line, room_of
from mnemos_files.model.tokens import estimate_tokens

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("日本", 2), ("é" * 4, 2), ("🎉", 1)],
)
def test_a_token_is_four_bytes_rounded_up(text, tokens):
    assert estimate_tokens(text) == tokens


@pytest.mark.parametrize(
    ("max_tokens", "room"), [(500, 2000), (40, 160), (0, 0), (-3, 0), (2375, 9500), (10**9, 9500)]
)
def test_no_block_is_longer_than_clients_take(max_tokens, room):
    assert room_of(max_tokens) == room


@pytest.mark.parametrize(
    ("text", "room", "cut"),
    [
        ("use tabs", 8, "use tabs"),
        ("use tabs never blanks", 14, "use tabs…"),
        ("use tabs never blanks", 17, "use tabs never…"),
        ("unbreakable", 9, "unbrea…"),
        ("日本語の規則", 12, "日本語…"),
        ("日本語の規則", 11, "日本…"),
        ("日本語の規則", 3, ""),
        ("abc", 2, ""),
        ("a b", 0, ""),
        (f"ab{FAMILY}", 12, "ab…"),
        ("cafe\u0301ss", 7, "caf…"),
        ("ab\U0001f44d\U0001f3fdcd", 10, "ab…"),
        ("ab\u2764\ufe0fxyz", 9, "ab…"),
    ],
)
def test_a_line_is_cut_on_a_word_end_and_between_signs(text, room, cut):
    assert clip(text, room) == cut


@given(text=st.text(), room=st.integers(-5, 80))
def test_a_cut_fits_its_room_and_begins_as_the_text(text, room):
    line = one_line(text)

    cut = clip(line, room)

    assert len(cut.encode()) <= max(room, 0)
    assert line.startswith(cut.removesuffix("…"))


@given(st.text())
def test_one_line_holds_no_line_end(text):
    assert len(one_line(text).splitlines()) <= 1
