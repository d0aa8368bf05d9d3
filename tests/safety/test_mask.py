"""Texts without their secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.safety.mask import beginning, mask
from mnemos_files.safety.secrets import find_secrets
from tests.safety.harmless_samples import HARMLESS
from tests.safety.secret_samples import SECRETS, Sample


@pytest.mark.parametrize("sample", SECRETS, ids=lambda sample: sample.kind)
def test_a_secret_is_replaced_by_its_kind_and_the_rest_stays(sample: Sample) -> None:
    assert mask(sample.text) == sample.text.replace(sample.value, f"[secret: {sample.kind}]")


@pytest.mark.parametrize("text", HARMLESS, ids=range(len(HARMLESS)))
def test_a_harmless_text_stays_as_it_is(text: str) -> None:
    assert mask(text) == text


@given(st.lists(st.sampled_from([*(s.text for s in SECRETS), *HARMLESS]), max_size=6), st.text())
def test_masking_twice_is_masking_once(parts: list[str], between: str) -> None:
    once = mask(between.join(parts))

    assert mask(once) == once
    assert find_secrets(once) == ()


@given(st.lists(st.sampled_from(SECRETS), min_size=1, max_size=6))
def test_no_value_is_left(samples: list[Sample]) -> None:
    masked = mask("\n\n".join(sample.text for sample in samples))

    assert not [sample for sample in samples if sample.value in masked]


@pytest.mark.parametrize("sample", SECRETS, ids=lambda sample: sample.kind)
def test_a_beginning_holds_no_part_of_a_secret_that_it_cuts(sample: Sample) -> None:
    place = sample.text.index(sample.value)
    for most in range(place + 1, place + len(sample.value), 7):
        assert beginning(sample.text, most) == sample.text[:place]
    assert beginning(sample.text, place) == sample.text[:place]


def test_a_beginning_of_plain_text_has_the_length_that_is_asked_for() -> None:
    assert beginning("lime and sand", 4) == "lime"
    assert beginning("lime", 4) == "lime"
