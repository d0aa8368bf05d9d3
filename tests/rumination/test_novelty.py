"""The check for a new statement, on reasons labelled by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.rumination.novelty import new_words, says_something_new
from tests.rumination import novelty_set
from tests.rumination.novelty_set import DEPLOY, HASH, REWORDED


def passes(old, reason):
    return says_something_new(new_words(reason, old))


def test_new_words_are_told_in_their_order_each_once():
    reason = "Waits for the health check; the health check waits, then traffic is switched."

    assert new_words(reason, DEPLOY) == ("waits", "health", "traffic", "switched")


@pytest.mark.parametrize(("old", "reason"), REWORDED)
def test_a_rewording_and_praise_are_refused(old, reason):
    assert not passes(old, reason), new_words(reason, old)


@pytest.mark.parametrize(
    ("name", "passed", "total"),
    [
        ("NEW", 27, 28),
        ("FRESH_NEW", 8, 10),
        ("LAST_NEW", 10, 10),
        ("FINAL_NEW", 10, 10),
        ("REWORDED", 0, 26),
        ("FRESH_REWORDED", 0, 10),
        ("LAST_REWORDED", 1, 10),
        ("FINAL_REWORDED", 2, 10),
        ("SYNONYMS", 4, 4),  # the stated limit: words are compared, not meanings
    ],
)
def test_the_figures_on_the_labelled_sets_are_the_documented_ones(name, passed, total):
    pairs = getattr(novelty_set, name)

    assert (sum(passes(*pair) for pair in pairs), len(pairs)) == (passed, total)


def test_one_new_value_is_enough_and_two_new_words_are_not():
    assert passes(HASH, "Use bcrypt with cost 12")
    assert not passes(HASH, "Use bcrypt with salt and pepper")
    assert passes(HASH, "Use bcrypt with salt, pepper and login")


@pytest.mark.parametrize("reason", ["", "   ", "\n", "!?", "the and of", "\u200b" * 20])
def test_a_reason_without_words_says_nothing(reason):
    assert new_words(reason, "") == ()


@given(st.text(max_size=200))
def test_a_text_says_nothing_new_about_itself(text):
    assert new_words(text, text) == ()


@given(st.text(max_size=100), st.text(max_size=100), st.text(max_size=100))
def test_a_longer_old_text_never_makes_more_of_a_reason_new(reason, old, more):
    assert set(new_words(reason, f"{old} {more}")) <= set(new_words(reason, f"{old} "))
