"""A session as a value: its title, and its way to a record and back."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.errors import InvalidRecordError
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import parse, render
from mnemos_files.model.record import Record
from mnemos_files.model.session import STATUSES, Session, from_record, to_record, with_outcome

START = datetime(2026, 12, 1, 9, 30, 15, 250_000, tzinfo=UTC)
ID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"


def a_session(**fields: object) -> Session:
    return Session(**({"id": ID, "started": START} | fields))


@pytest.mark.parametrize(
    ("goal", "title"),
    [
        ("Fix the login", "Fix the login"),
        ("Fix the login\n\nUsers are thrown out.", "Fix the login"),
        ("\n\n  # Fix   the\tlogin #\n", "Fix the login"),
        ("---\ntype: decision\n---\nFix it", "type: decision"),
        ("```\n---\n* [ ] Fix it", "[ ] Fix it"),
        ("**Port** to `C#`", "Port** to `C#"),
        ("Port it to C#", "Port it to C#"),
        ("> <b>quoted</b>", "<b>quoted</b>"),
        ("修复登录问题", "修复登录问题"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
        ("Fix\x07 the\u202e login\x00", "Fix the login"),
        ("word " * 40, "word " * 15 + "word…"),
        ("字" * 100, "字" * 79 + "…"),
        ("a" * 20 + " " + "b" * 200, "a" * 20 + " " + "b" * 58 + "…"),
        ("", "Session of codex, 2026-12-01 09:30"),
        ("--- \n ###", "Session of codex, 2026-12-01 09:30"),
        ("🔥🔥", "Session of codex, 2026-12-01 09:30"),
    ],
)
def test_the_title_is_one_line_of_the_goal(goal: str, title: str) -> None:
    assert a_session(goal=goal, agent="codex").title == title


@pytest.mark.parametrize("agent", ["", "default"])
def test_a_title_names_no_agent_that_gave_no_name(agent: str) -> None:
    assert a_session(agent=agent).title == "Session of 2026-12-01 09:30"


def test_an_open_session_has_neither_status_nor_end_in_its_record() -> None:
    record = to_record(a_session(goal="Fix it\nnow", agent="codex", project="api"))

    assert record == Record(
        id=ID,
        type="session",
        title="Fix it",
        content="Fix it\nnow",
        project="api",
        agent="codex",
        created=datetime(2026, 12, 1, 9, 30, 15, tzinfo=UTC),
    )


def test_status_end_and_tags_are_properties_in_this_order() -> None:
    end = START + timedelta(hours=2)

    record = to_record(a_session(ended=end, status="blocked", outcome_tags=("ci", "flaky")))

    assert record.properties == (
        ("status", "blocked"),
        ("ended", "2026-12-01T11:30:15Z"),
        ("outcome_tags", ("ci", "flaky")),
    )


def test_an_outcome_leaves_the_properties_of_a_person_alone() -> None:
    record = to_record(a_session(ended=START, status="abandoned", outcome_tags=("auto-closed:x",)))
    record = with_outcome(
        Record(
            id=ID,
            type="session",
            title="x",
            content="",
            properties=(("mood", ""), *record.properties, ("x_note", ("a", ""))),
        ),
        a_session(ended=START, status="ok"),
    )

    assert record.properties == (
        ("mood", ""),
        ("status", "ok"),
        ("ended", "2026-12-01T09:30:15Z"),
        ("x_note", ("a", "")),
    )


@pytest.mark.parametrize(
    ("status", "ended", "read"),
    [
        ("failed", "2026-12-01T10:00:00Z", "failed"),
        (" Failed ", "2026-12-01T10:00:00Z", "failed"),
        ("done", "2026-12-01T10:00:00Z", "ok"),
        ("", "2026-12-01", "ok"),
        ("", "", ""),
        ("blocked", "", "blocked"),
        ("blocked", "tomorrow", "blocked"),
        ("done", "", ""),
    ],
)
def test_a_status_written_by_hand_counts_when_it_is_one(status: str, ended: str, read: str) -> None:
    properties = (("status", status), ("ended", ended))
    record = Record(id=ID, type="session", title="x", content="", properties=properties)

    session = from_record(record)

    assert session.status == read
    assert session.is_open == (ended in ("", "tomorrow"))


def test_a_list_where_a_text_should_be_is_no_status() -> None:
    properties = (("status", ("ok", "failed")), ("outcome_tags", "late"))
    record = Record(id=ID, type="session", title="x", content="", properties=properties)

    assert from_record(record).status == ""
    assert from_record(record).outcome_tags == ("late",)


def test_a_file_without_start_starts_when_its_id_was_made() -> None:
    plain = Record(id="sessions/mine.md", type="session", title="Mine", content="")

    early = "00000010000000000000000000"  # the time is 32 ** 3 milliseconds

    started = from_record(Record(id=early, type="session", title="x", content="")).started

    assert started == datetime(1970, 1, 1, 0, 0, 32, 768_000, tzinfo=UTC)
    assert from_record(plain).started.year == 1


def test_a_title_by_hand_is_the_goal_where_there_is_no_other() -> None:
    plain = Record(id="sessions/mine.md", type="session", title="Mine", content="")

    assert from_record(plain).goal == "Mine"
    assert from_record(to_record(a_session(agent="codex"))).goal == ""


def test_a_status_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidRecordError, match="invalid session status 'done'"):
        a_session(status="done")


def test_only_the_tag_of_the_machine_makes_a_session_auto_closed() -> None:
    assert a_session(outcome_tags=("x", "auto-closed:stale")).is_auto_closed
    assert not a_session(outcome_tags=("autoclosed",), status="abandoned").is_auto_closed


SIGNS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
GOALS = st.text(SIGNS, max_size=300).map(str.strip)
WHOLE = st.integers(0, 4_000_000_000).map(lambda second: datetime.fromtimestamp(second, UTC))


@given(
    goal=GOALS,
    started=WHOLE,
    ended=WHOLE,
    status=st.sampled_from(STATUSES),
    tags=st.lists(st.text(SIGNS, min_size=1, max_size=20), max_size=3).map(tuple),
)
def test_what_goes_into_a_file_comes_out(
    goal: str, started: datetime, ended: datetime, status: str, tags: tuple[str, ...]
) -> None:
    session = Session(
        id=ID, started=started, goal=goal, ended=ended, status=status, outcome_tags=tags
    )
    record = to_record(session)

    assert from_record(parse(path_for(record), render(record)).record) == session


@given(GOALS)
def test_every_goal_gives_a_title_of_one_short_line_and_a_path(goal: str) -> None:
    session = a_session(goal=goal, agent="codex")

    assert 1 <= len(session.title) <= 80
    assert len(session.title.splitlines()) == 1
    assert path_for(to_record(session)).parts[:2] == ("sessions", "global")
