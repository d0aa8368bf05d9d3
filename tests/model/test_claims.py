"""What a sentence says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.model.claims import CLAIMS_MAX, claim, claims


@pytest.mark.parametrize(
    ("sentence", "kind", "value"),
    [
        ("It waits 30 seconds.", "time", "30"),
        ("It waits 30s.", "time", "30"),
        ("It waits half a minute, 0.5 min.", "time", "30"),
        ("It waits 2 hours.", "time", "7200"),
        ("It waits two hours.", "time", "7200"),
        ("Files of 10 MB.", "size", "1e+07"),
        ("Above 80% it fails.", "share", "80"),
        ("Batches of 2,000 rows.", "", "2000"),
        ("Runs on v1.20 now.", "", "1.20"),
        ("Pinned to 1.10.13 here.", "", "1.10.13"),
    ],
)
def test_a_number_has_a_value_in_its_unit(sentence, kind, value):
    [number] = claim(sentence).numbers

    assert (number.kind, number.value, number.is_name) == (kind, value, False)


@pytest.mark.parametrize(
    "sentence",
    ["On 2026-03-04 it stopped.", "See #1432.", "Fixed in 4f2c91a.", "Release 24 works."],
)
def test_a_number_that_only_names_a_thing_is_no_value(sentence):
    assert [number.is_name for number in claim(sentence).numbers] == [True]


@pytest.mark.parametrize("sentence", ["Hash with argon2id.", "Runs in eu-west-1.", "Stored in S3."])
def test_a_digit_in_a_name_is_no_number(sentence):
    assert claim(sentence).numbers == ()


@pytest.mark.parametrize(
    ("sentence", "is_denied"),
    [
        ("Mock the database.", False),
        ("Never mock the database.", True),
        ("Don't mock the database.", True),
        ("Don\u2019t mock the database.", True),
        ("It cannot be mocked.", True),
        ("Strict mode is enabled.", False),
        ("Strict mode is disabled.", True),
        ("Strict mode is not disabled.", False),
        ("Telemetry is off.", True),
    ],
)
def test_a_sentence_says_yes_or_no_as_a_whole(sentence, is_denied):
    assert claim(sentence).is_denied is is_denied


@pytest.mark.parametrize(
    ("sentence", "choices"),
    [
        ("Use pnpm in the web folder.", (("use", "pnpm"),)),
        ("Prefer tabs over spaces.", (("use", "tabs"), ("over", "spaces"))),
        ("Run it with the pytest runner.", (("with", "pytest"),)),
        ("Use 4 workers.", ()),
    ],
)
def test_the_name_after_a_word_of_choice_is_the_choice(sentence, choices):
    assert claim(sentence).choices == choices


def test_code_blocks_are_left_out():
    text = "Run the tests.\n```\nuse npm 3 times\n```\nThen commit."

    assert [one.text for one in claims(text)] == ["Run the tests.", "Then commit."]


def test_a_long_text_is_compared_as_far_as_it_takes_milliseconds():
    assert len(claims("One line more.\n" * 10_000)) == CLAIMS_MAX


@given(st.text())
def test_any_text_can_be_read(text):
    for one in claims(text):
        assert one.words or one.numbers
