"""The sample's sessions and skills: whole, in order, the same each time."""

import tomllib
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from mnemos_files.cli.sample import load_sample
from mnemos_files.cli.sample_work import SessionDone, SkillSaved, load_work, session_ids
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import parse, render
from mnemos_files.model.event import SessionStarted, Touched
from mnemos_files.model.skill import SESSIONS_KEY
from mnemos_files.model.ulid import is_ulid, ulid_time
from mnemos_files.safety.personal import personal_data
from mnemos_files.safety.scan import scan
from mnemos_files.safety.secrets import find_secrets

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
DATA = Path(__file__).parents[2] / "mnemos_files/cli/sample/work.toml"


@pytest.fixture(scope="module")
def deeds():
    return load_work(NOW)


def only(deeds, kind):
    return [deed for deed in deeds if isinstance(deed, kind)]


def test_tables_use_only_keys_that_are_read():
    tables = tomllib.loads(DATA.read_text(encoding="utf-8"))

    assert set(tables) == {"session", "skill"}
    assert set().union(*tables["session"]) == {
        "key",
        "days_ago",
        "time",
        "minutes",
        "project",
        "agent",
        "goal",
        "status",
        "outcome_tags",
        "touched",
        "skills",
        "summary",
        "reflection",
    }
    assert set().union(*tables["skill"]) == {
        "key",
        "days_ago",
        "time",
        "agent",
        "session",
        "tags",
        "title",
        "description",
        "procedure",
        "pitfalls",
    }


def test_one_session_failed_one_went_well_and_one_is_blocked(deeds):
    assert [done.ending.status for done in only(deeds, SessionDone)] == ["failed", "ok", "blocked"]


def test_every_session_that_starts_ends_after_its_last_touch(deeds):
    starts = {deed.session: deed.at for deed in only(deeds, SessionStarted)}
    ends = {deed.session: deed.at for deed in only(deeds, SessionDone)}
    touches = only(deeds, Touched)

    assert starts.keys() == ends.keys()
    assert len(touches) == 13
    for touch in touches:
        assert starts[touch.session] < touch.at < ends[touch.session]


def test_steps_run_forward_and_end_before_today(deeds):
    moments = [deed.at for deed in deeds]

    assert moments == sorted(moments)
    assert moments[0] == datetime(2026, 10, 17, 10, 40, tzinfo=UTC)
    assert moments[-1] == datetime(2026, 11, 30, 17, 5, tzinfo=UTC)


def test_memories_of_a_session_were_saved_while_it_was_open(deeds):
    starts = {deed.session: deed.at for deed in only(deeds, SessionStarted)}
    ends = {deed.session: deed.at for deed in only(deeds, SessionDone)}
    saved = [record for step in load_sample(NOW) for record in step.created if record.session]

    assert {record.session for record in saved} == set(session_ids(NOW).values())
    for record in saved:
        assert starts[record.session] < record.created < ends[record.session]


def test_skills_that_a_session_applied_were_saved_before(deeds):
    saved = {deed.record.id: deed.at for deed in only(deeds, SkillSaved)}
    used = [(skill, done) for done in only(deeds, SessionDone) for skill, _ in done.ending.skills]

    assert len(used) == 1
    for skill, done in used:
        assert saved[skill] < done.at


def test_skills_name_the_session_that_they_come_from(deeds):
    known = set(session_ids(NOW).values())

    for skill in only(deeds, SkillSaved):
        ((key, sessions),) = skill.record.properties
        assert key == SESSIONS_KEY
        assert set(sessions) <= known


def test_ids_are_ulids_of_their_moment_and_differ(deeds):
    ids = {deed.session: deed.at for deed in only(deeds, SessionStarted)}
    ids |= {deed.record.id: deed.at for deed in only(deeds, SkillSaved)}

    assert len(ids) == 5
    for name, at in ids.items():
        assert is_ulid(name)
        assert ulid_time(name) == at


def test_skills_read_back_as_they_were_written(deeds):
    for skill in only(deeds, SkillSaved):
        path = path_for(skill.record)
        note = parse(path, render(skill.record, path))
        assert note.problems == ()
        assert note.record == skill.record


def test_nothing_in_the_sample_is_risky_secret_or_personal(deeds):
    records = [record for step in load_sample(NOW) for record in step.created]
    records += [skill.record for skill in only(deeds, SkillSaved)]
    texts = ["\n\n".join([r.title, r.content, *(t for _, t in r.sections)]) for r in records]
    texts += [
        f"{end.ending.summary}\n\n{end.ending.reflection}" for end in only(deeds, SessionDone)
    ]
    texts += [start.goal for start in only(deeds, SessionStarted)]

    for text in texts:
        assert scan(text).rules_at("medium") == (), text
        assert find_secrets(text) == (), text
        assert personal_data(text) == (), text


def test_same_moment_gives_the_same_steps_in_any_zone(deeds):
    east = NOW.astimezone(timezone(timedelta(hours=9)))

    assert load_work(NOW) == deeds
    assert load_work(east) == deeds


def test_a_day_later_everything_is_a_day_younger(deeds):
    later = load_work(NOW + timedelta(days=1))

    assert {new.at - old.at for new, old in zip(later, deeds, strict=True)} == {timedelta(days=1)}
