"""How good a skill is: the figures that every store of skills agrees on."""

from datetime import UTC, datetime, timedelta

import pytest

from mnemos_files.model.record import Record
from mnemos_files.model.skill import (
    SkillScore,
    adjusted,
    confidence,
    effectiveness,
    recency,
    source_sessions,
    version,
)

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


def a_skill(*properties: tuple[str, object]) -> Record:
    return Record(id="x", type="skill", title="a", content="b", properties=properties)


@pytest.mark.parametrize(
    ("uses", "successes", "share", "trust", "drawn"),
    [
        (0, 0, 0.0, 0.0, 0.5),
        (1, 1, 1.0, 0.1, 0.55),
        (1, 0, 0.0, 0.1, 0.45),
        (5, 1, 0.2, 0.5, 0.35),
        (10, 9, 0.9, 1.0, 0.9),
        (10, 0, 0.0, 1.0, 0.0),
        (40, 30, 0.75, 1.0, 0.75),
    ],
)
def test_few_uses_move_a_skill_little_and_ten_count_in_full(uses, successes, share, trust, drawn):
    assert effectiveness(uses, successes) == pytest.approx(share)
    assert confidence(uses) == pytest.approx(trust)
    assert adjusted(uses, successes) == pytest.approx(drawn)
    assert SkillScore(uses, successes, NOW).at(NOW) == pytest.approx(drawn)


@pytest.mark.parametrize(
    ("days", "fresh"), [(0, 1.0), (9, 0.9), (45, 0.5), (90, 0.0), (400, 0.0), (-3, 1.0)]
)
def test_a_skill_that_nobody_saves_or_uses_fades_in_ninety_days(days, fresh):
    moved = NOW - timedelta(days=days)

    assert recency(moved, NOW) == pytest.approx(fresh)
    assert SkillScore(10, 9, moved).at(NOW) == pytest.approx(0.9 * fresh)


def test_a_skill_without_any_time_is_not_fresh():
    assert recency(None, NOW) == 0.0


@pytest.mark.parametrize(
    ("properties", "number"),
    [
        ((), 1),
        ((("mnemos-version", "3"),), 3),
        ((("mnemos-version", "3"), ("mnemos-text", "abcd")), 3),
        ((("mnemos-version", "3"), ("mnemos-text", "bcde")), 4),
        ((("mnemos-text", "bcde"),), 2),
        ((("mnemos-version", "many"),), 1),
        ((("mnemos-version", "0"),), 1),
        ((("mnemos-version", "²"),), 1),
        ((("mnemos-version", ("1", "2")), ("mnemos-text", ("a",))), 1),
    ],
)
def test_a_text_that_was_edited_since_its_save_is_one_version_on(properties, number):
    assert version(a_skill(*properties), "abcdef") == number


def test_source_sessions_are_kept_as_given():
    assert source_sessions(a_skill()) == ()
    assert source_sessions(a_skill(("mnemos-source-sessions", ("a", "b")))) == ("a", "b")
