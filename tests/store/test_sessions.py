"""Working sessions: what a start leaves behind, and finding them."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemos_files.errors import (
    AmbiguousNameError,
    InvalidRecordError,
    NotFoundError,
)
from mnemos_files.model.session import Ending
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, an_observation, git

NOBODY = "01KBC3W6H5M0V2T8N4Q9F7K3QX"


def session_file(vault: Path) -> Path:
    [path] = vault.glob("sessions/**/*.md")
    return path


def events(vault: Path) -> list[dict[str, object]]:
    lines = [
        line
        for path in sorted(vault.glob(".mnemos/journal/*/*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [json.loads(line) for line in lines]


def test_a_start_is_an_event_and_no_commit_and_no_file(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    head = git(vault, "rev-parse", "HEAD")

    started = store.sessions.start("  Fix the login\n", "api", "codex")

    assert started.session.goal == "Fix the login"
    assert started.session.started == NOON
    assert (started.closed, started.open, started.notices) == ((), (), ())
    assert git(vault, "rev-parse", "HEAD") == head
    assert not (vault / "sessions").exists()
    [event] = events(vault)
    assert event["event"] == "session_start"
    assert event["session"] == started.session.id
    assert event["goal"] == "Fix the login"


@pytest.mark.parametrize("goal", ["", "   \n\t "])
def test_a_goal_of_only_spaces_is_no_goal(store: Store, vault: Path, goal: str) -> None:
    started = store.sessions.start(goal, "", "codex")
    store.put(an_observation(store, session=started.session.id))

    assert started.session.goal == ""
    text = session_file(vault).read_text(encoding="utf-8")
    assert "title: Session of codex, 2026-12-01 12:00\n" in text
    assert text.endswith("---\n\n")


@pytest.mark.parametrize(
    "goal",
    [
        "修复登录 — «вход» \U0001f525",
        "---\nid: x\n---\n## Summary\n\n```\n## Saved",
        "x" * 9_999 + "y",
        "字" * 10_000,
        "a\r\nb\rc\u2028d\x85e\x0bf\ufeff",
    ],
)
def test_any_goal_comes_back_from_journal_and_file_as_it_was(
    store: Store, vault: Path, goal: str, open_vault: OpenStore
) -> None:
    started = store.sessions.start(goal)
    other = open_vault(vault)

    before = other.sessions.find(started.session.id)
    store.put(an_observation(store, session=started.session.id))
    after = store.sessions.find(started.session.id)

    assert before is not None
    assert before.goal == goal
    assert after is not None
    assert after.goal == goal


@pytest.mark.parametrize(
    ("field", "text"), [("goal", "a\0b"), ("project", "\ud800"), ("agent", "\0")]
)
def test_a_text_that_no_file_can_hold_starts_nothing(
    store: Store, vault: Path, field: str, text: str
) -> None:
    with pytest.raises(InvalidRecordError, match=field):
        store.sessions.start(**{field: text})

    assert events(vault) == []


def test_a_goal_that_is_too_long_starts_nothing(store: Store, vault: Path) -> None:
    with pytest.raises(InvalidRecordError, match="10001 characters are too many"):
        store.sessions.start("x" * 10_001)

    assert events(vault) == []


def test_a_secret_in_the_goal_never_reaches_the_journal(store: Store, vault: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    started = store.sessions.start(f"Use {token} to push")

    assert token not in str(events(vault))
    assert started.session.goal.startswith("Use [secret: ")
    assert "looks like a secret" in started.notices[0]


def test_recent_sessions_come_newest_first_with_their_texts(
    store: Store, vault: Path, clock: Clock
) -> None:
    first = store.sessions.start("One", "api", "codex").session
    store.sessions.end(first.id, Ending(summary="Did one.", status="failed"))
    clock.tick(minutes=1)
    second = store.sessions.start("Two", "web", "codex").session
    clock.tick(minutes=1)
    third = store.sessions.start("Three", "", "claude-code").session
    clock.tick(minutes=1)
    fourth = store.sessions.start("Four", "api", "codex").session
    store.put(an_observation(store, session=fourth.id))

    def ids(*arguments: object, **options: object) -> list[str]:
        return [each.id for each in store.sessions.recent(*arguments, **options)]

    assert ids() == [fourth.id, third.id, second.id, first.id]
    assert ids("codex") == [fourth.id, second.id, first.id]
    assert ids("", "api") == [fourth.id, first.id]
    assert ids("codex", "web") == [second.id]
    assert ids("", "", 2) == [fourth.id, third.id]
    assert ids("", "", 2, statuses=("failed", "blocked")) == [first.id]
    assert store.sessions.recent()[-1].summary == "Did one."
    assert store.sessions.recent()[0].goal == "Four"


def test_many_sessions_of_all_projects_do_not_crowd_out_those_of_one(store: Store) -> None:
    wanted = store.sessions.start("Wanted", "api", "codex").session
    store.sessions.end(wanted.id, Ending(summary=""))
    for number in range(12):
        session = store.sessions.start(f"Other {number}", "", "codex").session
        store.sessions.end(session.id, Ending(summary=""))

    assert [each.id for each in store.sessions.recent("codex", "api", 2)] == [wanted.id]


def test_a_session_is_found_before_and_after_it_has_a_file(store: Store, clock: Clock) -> None:
    session = store.sessions.start("One", "api", "codex").session

    before = store.sessions.find(session.id)
    clock.tick(hours=1)
    store.sessions.end(session.id, Ending(summary="Done.", outcome_tags=("x",)))
    after = store.sessions.find(session.id)

    assert before == session
    assert after is not None
    assert (after.summary, after.status, after.outcome_tags) == ("Done.", "ok", ("x",))
    assert after.ended == NOON + timedelta(hours=1)
    assert store.sessions.find(NOBODY) is None


def test_the_current_session_is_the_newest_open_one(
    store: Store, vault: Path, clock: Clock, open_vault: OpenStore
) -> None:
    mine = open_vault(vault, process=4_000_001)
    assert store.sessions.current() is None
    own = mine.sessions.start("Own", "api", "codex").session
    clock.tick(minutes=1)
    other = store.sessions.start("Other", "web", "claude-code").session

    assert store.sessions.current() == other
    assert mine.sessions.current() == own
    store.sessions.end(other.id, Ending(summary=""))

    assert store.sessions.current() == own


def test_an_id_is_told_by_every_name_of_a_session(store: Store, vault: Path) -> None:
    session = store.sessions.start("One").session
    assert store.sessions.identify(session.id.lower()) == session.id
    saved = store.put(an_observation(store, session=session.id))
    path = session_file(vault)

    assert store.sessions.identify(path.stem) == session.id
    assert store.sessions.identify(str(path.relative_to(vault))) == session.id
    for name in (NOBODY, saved.record.id, saved.path.stem, "", "../x", "/etc/passwd"):
        with pytest.raises(NotFoundError):
            store.sessions.identify(name)


def test_a_session_file_by_hand_is_a_session_that_can_be_ended(store: Store, vault: Path) -> None:
    (vault / "sessions").mkdir()
    (vault / "sessions" / "monday.md").write_text("---\ntype: session\n---\nMine.\n")

    ended = store.sessions.end("monday", Ending(summary="Done."))

    text = (vault / "sessions" / "monday.md").read_text(encoding="utf-8")
    assert text.startswith(
        "---\ntype: session\nstatus: ok\nended: 2026-12-01T12:00:00Z\n---\nMine."
    )
    assert ended.session.started == datetime.min.replace(tzinfo=UTC)


def test_two_sessions_of_one_agent_and_project_run_side_by_side(
    store: Store, vault: Path, open_vault: OpenStore
) -> None:
    other = open_vault(vault)
    one = store.sessions.start("Same goal", "api", "codex").session
    two = other.sessions.start("Same goal", "api", "codex").session

    first = store.sessions.end(one.id, Ending(summary="One."))
    second = other.sessions.end(two.id, Ending(summary="Two."))

    assert first.path != second.path
    assert git(vault, "status", "--porcelain") == ""


def test_copies_of_one_session_are_no_two_sessions(store: Store, vault: Path) -> None:
    session = store.sessions.start("One").session
    store.put(an_observation(store, session=session.id))
    path = session_file(vault)
    (vault / "A copy.md").write_bytes(path.read_bytes())

    assert [each.id for each in store.sessions.recent()] == [session.id]
    path.unlink()
    (vault / "B copy.md").write_bytes((vault / "A copy.md").read_bytes())
    with pytest.raises(AmbiguousNameError):
        store.sessions.end(session.id, Ending(summary=""))


def test_the_end_is_committed_by_the_agent_of_the_session(store: Store, vault: Path) -> None:
    named = store.sessions.start("Named", "", "codex").session
    nameless = store.sessions.start("Nameless", "", "").session
    client = store.acting_for("claude-code")

    authors = []
    for session in (named, nameless):
        client.sessions.end(session.id, Ending(summary="Done."))
        authors.append(git(vault, "log", "-1", "--format=%an").strip())

    assert authors == ["codex", "claude-code"]


def test_a_session_starts_where_the_journal_cannot_be_written(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    (vault / ".mnemos" / "journal").write_text("in the way", encoding="utf-8")

    started = store.sessions.start("Read only", "api", "codex")

    assert started.session.goal == "Read only"
    assert [each for each in started.notices if "the session is not recorded" in each]
    assert store.sessions.find(started.session.id) is None
