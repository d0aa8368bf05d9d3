"""Texts that say nearly the same are found, all of them and no others."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.dream.likeness import alike, are_alike

SIX = frozenset("abcdef")
TEXTS = st.dictionaries(
    st.text("klmnop", min_size=1, max_size=3),
    st.frozensets(st.sampled_from("abcdefghij"), max_size=9),
    max_size=9,
)


@pytest.mark.parametrize("other", ["abcdef", "abcdeg", "abcdefghijkl", "abcdeghi"])
def test_half_of_all_words_in_common_are_enough(other: str):
    assert are_alike(SIX, frozenset(other))


@pytest.mark.parametrize("other", ["", "abcd", "abcdghi", "abcdefghijklm", "ghijkl"])
def test_less_is_not(other: str):
    assert not are_alike(SIX, frozenset(other))


@given(TEXTS)
def test_no_pair_of_two_groups_is_missed_and_none_comes_twice(texts: dict[str, frozenset[str]]):
    groups = {name: str(len(name) % 2) for name in texts}

    found = list(alike(texts, groups))

    expected = [
        (one, other)
        for one, other in combinations(sorted(texts), 2)
        if groups[one] != groups[other] and are_alike(texts[one], texts[other])
    ]
    assert sorted(found) == expected
