"""Settings of a vault as their owner writes them."""

import pytest

from mnemos_files.config import Settings, parse_settings
from mnemos_files.errors import CorruptError

SHARES = ("skill_effectiveness_floor", "stale_skill_floor")
COUNTS = (
    "skill_min_uses",
    "stale_skill_days",
    "correction_repeat_n",
    "contradiction_threshold",
    "stale_raw_days",
)


def test_without_settings_rumination_has_the_documented_thresholds():
    settings = parse_settings("")

    assert settings == Settings()
    assert settings.rumination
    assert [getattr(settings, name) for name in SHARES] == [0.3, 0.5]
    assert [getattr(settings, name) for name in COUNTS] == [10, 90, 3, 1, 14]


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize("value", ["0", "1", "0.25"])
def test_a_share_from_nothing_to_all_is_taken(name, value):
    settings = parse_settings(f"[rumination]\n{name} = {value}\n")

    assert getattr(settings, name) == float(value)


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("value", [1, 100_000])
def test_a_count_of_at_least_one_is_taken(name, value):
    assert getattr(parse_settings(f"[rumination]\n{name} = {value}\n"), name) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name in SHARES for value in ("-0.1", "1.01", "nan", "'x'")]
    + [(name, value) for name in COUNTS for value in ("0", "-1", "100001", "1.5", "true")]
    + [("enabled", "1")],
)
def test_an_impossible_threshold_stops_with_its_name(name, value):
    with pytest.raises(CorruptError, match=name):
        parse_settings(f"[rumination]\n{name} = {value}\n")


def test_rumination_can_be_switched_off():
    assert not parse_settings("[rumination]\nenabled = false\n").rumination


@pytest.mark.parametrize("interval", ["6h", "90m", "1d"])
def test_a_dream_has_an_interval(interval):
    settings = parse_settings(f'[dream]\nauto = true\ninterval = "{interval}"\n')

    assert settings.dream_auto
    assert settings.dream_interval == interval


@pytest.mark.parametrize("interval", ["", "0h", "6", "h", "6 h", "-6h", "6y", "99999h"])
def test_an_interval_that_is_no_time_stops_with_its_name(interval):
    with pytest.raises(CorruptError, match=r"\[dream\] interval"):
        parse_settings(f'[dream]\ninterval = "{interval}"\n')


def test_a_month_unseen_takes_one_step_unless_the_owner_says_otherwise():
    assert parse_settings("").decay == (30, 1)
    assert parse_settings("[decay]\ndays = 1\nstep = 0\n").decay == (1, 0)
    assert parse_settings("[decay]\ndays = 100000\nstep = 9\n").decay == (100_000, 9)


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name in ("days", "step") for value in ("-1", "100001", "1.5", "true")]
    + [("days", "0"), ("step", "10"), ("step", "'1'")],
)
def test_an_impossible_decay_stops_with_its_name(name, value):
    with pytest.raises(CorruptError, match=rf"\[decay\] {name}"):
        parse_settings(f"[decay]\n{name} = {value}\n")


def test_agents_write_directly_unless_review_is_asked_for():
    assert parse_settings("").review_mode == "direct"
    assert parse_settings('[review]\nmode = "branch"\nbase = "notes"\n') == Settings(
        review_mode="branch", review_base="notes"
    )


def test_a_remote_and_its_branch_can_be_named():
    settings = parse_settings('[sync]\nremote = "home"\nbranch = "notes"\n')

    assert settings == Settings(sync_remote="home", sync_branch="notes")


def test_an_unknown_mode_of_review_stops_with_the_known_ones():
    with pytest.raises(CorruptError, match=r"\[review\] mode must be one of direct, branch"):
        parse_settings('[review]\nmode = "pull-request"\n')
