"""What importance is left of a memory that nobody looked at."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.model.decay import EXEMPT, NO_DECAY, Decay, decayed, last_seen
from mnemos_files.model.kind import KINDS

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)
TICK = timedelta(microseconds=1)
MONTHLY = Decay()


@pytest.mark.parametrize(
    ("age", "left"),
    [
        (timedelta(0), 7),
        (timedelta(days=30), 7),
        (timedelta(days=30) + TICK, 6),
        (timedelta(days=60), 6),
        (timedelta(days=60) + TICK, 5),
        (timedelta(days=91), 4),
        (timedelta(days=180), 2),
        (timedelta(days=180) + TICK, 1),
        (timedelta(days=40_000), 1),
        (-TICK, 7),
        (timedelta(days=-400), 7),
    ],
)
def test_every_thirty_days_unseen_take_one_step_and_the_last_one_stays(age, left):
    assert decayed("decision", 7, NOW - age, NOW, MONTHLY) == left


@pytest.mark.parametrize(
    ("rule", "left"),
    [
        (Decay(days=1, step=1), 1),
        (Decay(days=50, step=1), 9),
        (Decay(days=100, step=1), 10),
        (Decay(days=30, step=2), 4),
        (Decay(days=30, step=9), 1),
        (Decay(days=30, step=0), 10),
        (NO_DECAY, 10),
    ],
)
def test_period_and_step_are_what_the_owner_set(rule, left):
    assert decayed("decision", 10, NOW - timedelta(days=100), NOW, rule) == left


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_rules_mistakes_and_what_has_a_state_of_its_own_do_not_fade(kind):
    stays = {"convention", "correction", "skill", "session", "rumination"}

    left = decayed(kind, 8, NOW - timedelta(days=100), NOW, MONTHLY)

    assert left == (8 if kind in stays else 5)
    assert (kind in EXEMPT) == (kind in stays)


def test_a_type_that_is_not_ours_fades_like_any_note():
    assert decayed("recipe", 8, NOW - timedelta(days=100), NOW, MONTHLY) == 5


def test_without_any_known_time_nothing_fades():
    assert last_seen(None, None) is None
    assert decayed("decision", 9, None, NOW, MONTHLY) == 9


@pytest.mark.parametrize(
    ("created", "accessed", "seen"),
    [(50, None, 50), (50, 40, 40), (None, 40, 40), (40, 50, 40), (50, -5, -5), (-5, 50, -5)],
    ids=["never", "accessed", "unknown", "before", "future access", "future creation"],
)
def test_the_later_known_time_counts(created, accessed, seen):
    days = [None if age is None else NOW - timedelta(days=age) for age in (created, accessed)]

    assert last_seen(*days) == NOW - timedelta(days=seen)


KIND = st.sampled_from(sorted(KINDS))
IMPORTANCE = st.integers(1, 10)
RULE = st.builds(Decay, st.integers(1, 100_000), st.integers(0, 9))
MOMENT = st.datetimes(timezones=st.just(UTC))
MAYBE = st.none() | MOMENT


@given(KIND, IMPORTANCE, MAYBE, MOMENT, RULE)
def test_what_is_left_lies_between_one_and_what_was_stated(kind, importance, seen, now, rule):
    assert 1 <= decayed(kind, importance, seen, now, rule) <= importance


@given(KIND, IMPORTANCE, MAYBE, st.lists(MOMENT, min_size=2), RULE)
def test_waiting_never_raises_it_and_looking_changes_nothing(kind, importance, seen, times, rule):
    looks = [decayed(kind, importance, seen, now, rule) for now in sorted(times)]
    again = [decayed(kind, importance, seen, now, rule) for now in sorted(times)]

    assert looks == sorted(looks, reverse=True) == again


@given(KIND, IMPORTANCE, MAYBE, MOMENT, RULE)
def test_an_access_of_this_moment_restores_all_of_it(kind, importance, created, now, rule):
    assert decayed(kind, importance, last_seen(created, now), now, rule) == importance


@given(IMPORTANCE, MOMENT, MOMENT, MOMENT, RULE)
def test_no_access_ever_lowers_it(importance, created, accessed, now, rule):
    unseen = decayed("decision", importance, created, now, rule)

    assert decayed("decision", importance, last_seen(created, accessed), now, rule) >= unseen


@given(KIND, st.lists(IMPORTANCE, min_size=2), MAYBE, MOMENT, RULE)
def test_memories_of_one_age_keep_their_order(kind, stated, seen, now, rule):
    left = [decayed(kind, each, seen, now, rule) for each in sorted(stated)]

    assert left == sorted(left)
