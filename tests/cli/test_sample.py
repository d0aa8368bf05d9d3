"""The demo's sample: a whole project's memory, valid and the same each time."""

import tomllib
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from mnemos_files.cli.sample import DEMO, by_title, load_sample
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import parse, render, update
from mnemos_files.model.digest import content_digest
from mnemos_files.model.kind import SAVED_TYPES
from mnemos_files.model.record import LINK_TYPES
from mnemos_files.model.ulid import is_ulid, ulid_time

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
DATA = Path(__file__).parents[2] / "mnemos_files/cli/sample/memories.toml"
ROW_KEYS = {
    "key",
    "days_ago",
    "time",
    "type",
    "project",
    "agent",
    "importance",
    "tags",
    "title",
    "content",
    "why",
    "example",
    "tried",
    "wrong_because",
    "fix",
    "when",
    "source_kind",
    "trust_tier",
    "expires_after_days",
    "reason",
    "supersedes",
    "related",
    "caused_by",
    "contradicts",
    "refines",
    "derived_from",
    "session",
}


@pytest.fixture(scope="module")
def steps():
    return load_sample(NOW)


@pytest.fixture(scope="module")
def created(steps):
    return [record for step in steps for record in step.created]


@pytest.fixture(scope="module")
def last(steps):
    """Every record in its last state, by the stem that links use."""
    records = [record for step in steps for record in (*step.created, *step.changed)]
    return {path_for(record).stem: record for record in records}


def targets(record):
    return [target for name in (*LINK_TYPES, "derived_from") for target in record.links(name)]


def test_rows_use_only_keys_that_are_read():
    rows = tomllib.loads(DATA.read_text(encoding="utf-8"))["memory"]

    assert set().union(*rows) == ROW_KEYS


def test_sample_has_61_records(created):
    assert len(created) == 61


def test_every_kind_is_there(created):
    counts = Counter(record.type for record in created)

    assert counts == {
        "decision": 15,
        "context": 9,
        "bugfix": 7,
        "convention": 5,
        "preference": 4,
        "episodic": 4,
        "architecture": 3,
        "procedural": 3,
        "correction": 3,
        "pattern": 3,
        "semantic": 3,
        "dream": 2,
    }
    assert set(counts) == set(SAVED_TYPES)


def test_two_projects_and_what_holds_for_both(created):
    counts = Counter(record.project for record in created)

    assert counts == {"harbour-api": 33, "harbour-web": 17, "": 11}


def test_several_agents_wrote_it(created):
    agents = {record.agent for record in created}

    assert agents == {"claude-code", "codex", "cursor", "gemini-cli", "mnemos"}


def test_only_text_of_tools_guesses_and_imports_is_raw(created):
    raw = {record.source_kind for record in created if record.trust_tier == "raw"}
    curated = {record.source_kind for record in created if record.trust_tier == "curated"}

    assert raw == {"tool", "agent_inference", "import"}
    assert curated == {"user", "dream"}


def test_every_type_of_link_occurs(created):
    for name in (*LINK_TYPES, "derived_from"):
        assert any(record.links(name) for record in created), name


def test_corrections_have_all_their_parts(created):
    for record in created:
        if record.type == "correction":
            parts = [key for key, _ in record.sections]
            assert parts == ["tried", "wrong_because", "fix", "trigger_context"]


def test_conventions_say_why_and_show_an_example(created):
    for record in created:
        if record.type == "convention":
            assert [key for key, _ in record.sections] == ["rationale", "example"]


def test_decisions_say_why(created):
    for record in created:
        if record.type == "decision":
            assert record.section("rationale"), record.title


def test_ids_are_ulids_of_the_moment_and_differ(created):
    assert len({record.id for record in created}) == len(created)
    for record in created:
        assert is_ulid(record.id)
        assert ulid_time(record.id) == record.created


def test_titles_contents_and_paths_differ(created):
    assert len({record.title for record in created}) == len(created)
    assert len({content_digest(record) for record in created}) == len(created)
    assert len({str(path_for(record)).casefold() for record in created}) == len(created)


def test_steps_run_forward_from_eight_weeks_ago_to_yesterday(steps):
    moments = [step.at for step in steps]

    assert moments == sorted(set(moments))
    assert moments[0] == datetime(2026, 10, 6, 8, 40, tzinfo=UTC)
    assert moments[-1] == datetime(2026, 11, 30, 17, 2, tzinfo=UTC)


def test_sample_is_in_the_past_at_any_hour():
    midnight = datetime(2026, 12, 1, tzinfo=UTC)

    assert all(step.at < midnight for step in load_sample(midnight))


def test_links_lead_to_records_that_were_there_before(steps):
    known = set()
    for step in steps:
        for record in step.created:
            assert set(targets(record)) <= known, record.title
            known.add(path_for(record).stem)


def test_ten_records_were_superseded_each_in_the_step_of_its_successor(steps, last):
    changes = [(step, record) for step in steps for record in step.changed]

    assert len(changes) == 10
    for step, old in changes:
        (new,) = step.created
        assert new.supersedes == (path_for(old).stem,)
        assert old.invalidated_by == path_for(new).stem
        assert old.invalidated == old.valid_until == step.at
        assert old.invalidated_reason == step.reason != ""
        assert last[path_for(old).stem] == old


def test_superseding_changes_nothing_but_the_end(steps):
    created = {record.id: record for step in steps for record in step.created}

    for step in steps:
        for old in step.changed:
            before = created[old.id]
            assert (old.title, old.content, old.created) == (
                before.title,
                before.content,
                before.created,
            )
            assert path_for(old) == path_for(before)
            assert before.invalidated is None


def test_the_queue_was_decided_three_times(steps):
    first = by_title(steps, "The worker polls PostgreSQL for new events")
    second = by_title(steps, "The worker reads new events from a Redis stream")
    third = by_title(steps, "The worker is woken by PostgreSQL LISTEN/NOTIFY")

    assert first.invalidated_by == path_for(second).stem
    assert second.invalidated_by == path_for(third).stem
    assert third.is_live(NOW)


def test_one_record_has_expired_and_one_will(created):
    ends = sorted(record.expires for record in created if record.expires)

    assert ends[0] < NOW < ends[1]
    assert len(ends) == 2


def test_subjects_fit_the_form_of_a_commit(steps):
    first, closing = steps[0], steps[23]

    assert first.subject == "save(architecture): How harbour is put together"
    assert first.agent == "claude-code"
    assert closing.subject == "save(decision): Lists are paged by cursor"
    assert closing.reason == (
        "Deep pages took seconds and rows were skipped when parcels changed between two pages."
    )


def test_records_read_back_as_they_were_written(created):
    for record in created:
        note = parse(path_for(record), render(record))
        assert note.record == record
        assert note.problems == ()


def test_closing_a_record_changes_front_matter_only(steps):
    created = {record.id: record for step in steps for record in step.created}

    for step in steps:
        for old in step.changed:
            path, before = path_for(old), render(created[old.id])
            after = update(before, parse(path, before), old)
            assert parse(path, after).record == old
            assert after.endswith(before.partition(b"\n---\n")[2])


def test_same_moment_gives_the_same_steps():
    assert load_sample(NOW) == load_sample(NOW)


def test_zone_of_the_clock_does_not_matter():
    east = NOW.astimezone(timezone(timedelta(hours=9)))

    assert load_sample(east) == load_sample(NOW)


def test_a_day_later_everything_is_a_day_younger(created):
    later = [record for step in load_sample(NOW + timedelta(days=1)) for record in step.created]

    shifts = {new.created - old.created for new, old in zip(later, created, strict=True)}
    assert shifts == {timedelta(days=1)}
    assert [record.content for record in later] == [record.content for record in created]


def test_other_scripts_occur(created):
    text = "".join(record.content for record in created)

    assert "华南仓库" in text
    assert "配達予定" in text
    assert "Große Brückenstraße" in text


@pytest.mark.parametrize("question", DEMO.questions, ids=lambda each: each.text)
def test_answers_of_the_demo_are_live_and_curated(steps, question):
    record = by_title(steps, question.title)

    assert record.is_live(NOW)
    assert record.trust_tier == "curated"


def test_the_turn_of_the_demo_is_a_supersession(steps):
    old, new = by_title(steps, DEMO.turn.old), by_title(steps, DEMO.turn.new)

    assert new.supersedes == (path_for(old).stem,)
    assert not old.is_live(NOW)
    assert new.is_live(NOW)


def test_the_edit_of_the_demo_replaces_one_sentence(steps):
    record = by_title(steps, DEMO.edit.title)

    assert record.is_live(NOW)
    assert record.content.count(DEMO.edit.before) == 1


def test_words_of_the_edit_occur_nowhere_else(created):
    everything = " ".join(f"{record.title} {record.content}" for record in created).lower()

    assert DEMO.edit.text.split() == ["blurred", "doorstep", "faces"]
    for word in DEMO.edit.text.split():
        assert word in DEMO.edit.after.lower()
        assert word not in everything
