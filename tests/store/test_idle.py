"""Sessions that nobody ended: which are closed at the next start, and with what reason."""

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from mnemos_files.model.event import SkillUsed, Touched
from mnemos_files.model.session import Ending
from mnemos_files.store.open import is_running
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, an_observation, git

ALIVE = os.getpid()


@pytest.fixture(scope="module")
def gone() -> int:
    """The id of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def session_file(vault: Path) -> Path:
    [path] = vault.glob("sessions/**/*.md")
    return path


def test_a_session_whose_server_is_gone_waits_ten_minutes(
    vault: Path, open_vault: OpenStore, clock: Clock, gone: int
) -> None:
    dead, alive = open_vault(vault, process=gone), open_vault(vault, process=ALIVE)
    old = dead.sessions.start("Old", "api", "codex").session

    clock.tick(seconds=599)
    first = alive.sessions.start("New", "api", "codex")
    clock.tick(seconds=1)
    second = alive.sessions.start("Newer", "api", "codex")

    assert [each.session.id for each in first.open] == [old.id]
    assert first.closed == ()
    assert [(each.session.id, each.reason) for each in second.closed] == [(old.id, "server-gone")]
    assert [each.session.id for each in second.open] == [first.session.id]


@pytest.mark.parametrize("process", [ALIVE, 0], ids=["its own", "unknown"])
def test_a_session_that_may_still_be_worked_in_stays_open_for_a_day(
    vault: Path, open_vault: OpenStore, clock: Clock, process: int
) -> None:
    store = open_vault(vault, process=process)
    old = store.sessions.start("Old", "api", "codex").session

    clock.tick(seconds=86_399)
    first = store.sessions.start("New", "api", "codex")
    clock.tick(seconds=1)
    second = store.sessions.start("Newer", "api", "codex")

    assert first.closed == ()
    assert [(each.session.id, each.reason) for each in second.closed] == [(old.id, "stale")]


def test_a_server_of_another_machine_is_never_taken_for_gone(
    vault: Path, open_vault: OpenStore, clock: Clock, gone: int, tmp_path: Path
) -> None:
    there = open_vault(vault, process=gone, cache_folder=tmp_path / "other-cache")
    here = open_vault(vault, process=ALIVE)
    there.sessions.start("There", "api", "codex")

    clock.tick(hours=23)

    assert here.sessions.start("Here", "api", "codex").closed == ()
    clock.tick(hours=1)
    assert [e.reason for e in here.sessions.start("Here", "api", "codex").closed] == ["stale"]


@pytest.mark.parametrize(("project", "agent"), [("web", "codex"), ("api", "claude"), ("", "codex")])
def test_sessions_of_others_are_neither_closed_nor_told(
    store: Store, clock: Clock, project: str, agent: str
) -> None:
    store.sessions.start("Old", project, agent)
    clock.tick(days=2)

    started = store.sessions.start("New", "api", "codex")

    assert (started.closed, started.open) == ((), ())


def test_a_session_that_left_nothing_is_closed_without_a_commit(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    store = open_vault(vault)
    store.put(an_observation(store))
    head = git(vault, "rev-parse", "HEAD")
    old = store.sessions.start("Old").session
    clock.tick(days=1)

    store.sessions.start("New")

    assert git(vault, "rev-parse", "HEAD") == head
    assert not (vault / "sessions").exists()
    ended = store.journal.tally().sessions[old.id].ended
    assert ended is not None
    assert (ended.status, ended.reason) == ("abandoned", "stale")
    assert old.id not in [each.id for each in store.sessions.recent()]


def test_a_session_in_which_something_was_saved_is_closed_in_its_file(
    vault: Path, open_vault: OpenStore, clock: Clock, gone: int
) -> None:
    store = open_vault(vault, process=gone)
    old = store.sessions.start("Old", "", "codex").session
    clock.tick(minutes=3)
    saved = store.put(an_observation(store, session=old.id))
    clock.tick(minutes=10)

    started = store.sessions.start("New", "", "codex")

    assert [each.reason for each in started.closed] == ["server-gone"]
    text = session_file(vault).read_text(encoding="utf-8")
    assert "status: abandoned\nended: 2026-12-01T12:03:00Z\n" in text
    assert "outcome_tags:\n  - auto-closed:server-gone\n" in text
    assert f"## Saved\n\n- [[{saved.path.stem}|" in text
    log = git(vault, "log", "-1", "--format=%s%n%b")
    assert log.startswith("close(session): Old\n")
    assert f"{old.id}: its server is gone and nothing happened for 10 minutes\n" in log
    assert git(vault, "status", "--porcelain", "--", "sessions") == ""


def test_a_session_in_which_files_were_touched_gets_a_file(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    store = open_vault(vault)
    old = store.sessions.start("Old", "api", "codex").session
    store.journal.append([Touched(clock(), "src/a.py", "api", "codex", old.id)])
    clock.tick(days=1)

    store.sessions.start("New", "api", "codex")

    text = session_file(vault).read_text(encoding="utf-8")
    assert "auto-closed:stale" in text
    assert "## Touched\n\n- `src/a.py`\n" in text


def test_a_saved_memory_or_any_event_is_activity(
    vault: Path, open_vault: OpenStore, clock: Clock, gone: int
) -> None:
    store = open_vault(vault, process=gone)
    one = store.sessions.start("One").session
    two = store.sessions.start("Two").session
    three = store.sessions.start("Three").session
    clock.tick(minutes=9)
    store.put(an_observation(store, session=one.id))
    store.journal.append([SkillUsed(clock(), "x", "success", "", two.id)])
    clock.tick(minutes=5)

    started = store.sessions.start("New")

    assert [each.session.id for each in started.closed] == [three.id]
    assert {each.session.id: each.last for each in started.open} == {
        one.id: NOON + timedelta(minutes=9),
        two.id: NOON + timedelta(minutes=9),
    }


def test_open_sessions_are_told_with_the_latest_activity_first(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    store = open_vault(vault)
    sessions = []
    for goal in ("One", "Two", "Three"):
        sessions.append(store.sessions.start(goal).session)
        clock.tick(minutes=1)
    store.put(an_observation(store, session=sessions[0].id))

    started = store.sessions.start("Four")

    assert [each.session.goal for each in started.open] == ["One", "Three", "Two"]


def test_a_session_that_was_closed_for_its_agent_can_still_be_ended(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    store = open_vault(vault)
    old = store.sessions.start("Old", "", "codex").session
    store.put(an_observation(store, session=old.id))
    clock.tick(days=1)
    store.sessions.start("New", "", "codex")
    late = store.put(an_observation(store, content="Late.", session=old.id))

    ended = store.sessions.end(old.id, Ending(summary="Back again.", outcome_tags=("late",)))

    text = session_file(vault).read_text(encoding="utf-8")
    assert ended.session.status == "ok"
    assert "status: ok\nended: 2026-12-02T12:00:00Z\noutcome_tags:\n  - late\n---\n" in text
    assert text.count("## Saved") == 1
    assert f"- [[{late.path.stem}|" in text
    assert text.endswith("## Summary\n\nBack again.\n")


def test_a_closed_session_that_left_nothing_can_still_be_ended(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    store = open_vault(vault)
    old = store.sessions.start("Old", "", "codex").session
    clock.tick(days=1)
    store.sessions.start("New", "", "codex")

    ended = store.sessions.end(old.id, Ending(summary="Back again.", status="failed"))

    assert "status: failed\n" in (vault / ended.path).read_text(encoding="utf-8")
    assert git(vault, "status", "--porcelain") == ""


def test_a_status_that_a_person_wrote_stays_when_the_session_is_closed(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    store = open_vault(vault)
    old = store.sessions.start("Old").session
    store.put(an_observation(store, session=old.id))
    path = session_file(vault)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\n---\nOld", "\nstatus: ok\n---\nOld"), encoding="utf-8")
    clock.tick(days=1)

    store.sessions.start("New")

    assert "status: ok\nended:" in path.read_text(encoding="utf-8")
    assert "auto-closed:stale" in path.read_text(encoding="utf-8")


def test_a_start_succeeds_where_nothing_can_be_committed(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    store = open_vault(vault)
    old = store.sessions.start("Old").session
    store.put(an_observation(store, session=old.id))
    empty = store.sessions.start("Empty").session
    clock.tick(days=1)
    git(vault, "checkout", "-q", "--detach")

    started = store.sessions.start("New")

    assert [each.session.id for each in started.closed] == [empty.id]
    assert [each.session.id for each in started.open] == [old.id]
    assert started.notices[0].startswith("1 session that nobody ended stays open: ")
    git(vault, "checkout", "-q", "main")
    assert [e.session.id for e in store.sessions.start("Newer").closed] == [old.id]


def test_a_file_that_cannot_be_read_does_not_stop_the_others(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    store = open_vault(vault)
    broken = store.sessions.start("Broken").session
    store.put(an_observation(store, session=broken.id))
    path = session_file(vault)
    path.write_bytes(path.read_bytes().replace(b"type: session", b"type: [session"))
    before = path.read_bytes()
    other = store.sessions.start("Other").session
    store.put(an_observation(store, content="B", session=other.id))
    clock.tick(days=1)

    store.sessions.start("New")

    assert path.read_bytes() == before
    found = store.sessions.find(other.id)
    assert found is not None
    assert found.status == "abandoned"


def test_two_servers_that_start_at_once_close_a_session_once(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    one, two = open_vault(vault), open_vault(vault)
    old = one.sessions.start("Old").session
    one.put(an_observation(one, session=old.id))
    clock.tick(days=1)

    one.sessions.start("New")
    started = two.sessions.start("New")

    assert started.closed == ()
    subjects = git(vault, "log", "--format=%s").splitlines()
    assert subjects.count("close(session): Old") == 1


def test_a_hostile_journal_closes_nothing_outside_of_the_sessions(
    store: Store, vault: Path, clock: Clock
) -> None:
    store.put(an_observation(store))
    folder = vault / ".mnemos/journal/elsewhere"
    folder.mkdir(parents=True)
    start = '{"at":"2026-11-01T00:00:00Z","event":"session_start","session":%s,"goal":"x"}\n'
    touch = '{"at":"2026-11-01T00:00:00Z","event":"touch","path":"a","session":%s}\n'
    names = [
        '"../../../etc/passwd"',
        '"x/../../y"',
        '"Home"',
        '"01KBC3W6H5M0V2T8N4Q9F7K3QX\\u0000"',
    ]
    lines = "".join(start % name + touch % name for name in names)
    (folder / "2026-11.jsonl").write_text(lines, encoding="utf-8")
    clock.tick(days=1)

    started = store.sessions.start("New")

    assert (started.closed, started.open) == ((), ())
    assert not (vault / "sessions").exists()


def test_a_process_is_told_from_one_that_has_ended(gone: int) -> None:
    assert is_running(os.getpid())
    assert is_running(1)
    assert not is_running(gone)
    assert not is_running(10**30)


def test_a_secret_that_another_machine_noted_keeps_no_other_session_open(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    store = open_vault(vault)
    leaking, plain = (store.sessions.start(goal).session for goal in ("Leaking", "Plain"))
    store.put(an_observation(store, session=plain.id))
    path = "ghp_" + "9fK2mQ7xT4bW8zR1" + "vN6cL3pY5sD0hJaGtE2u"
    line = {"at": "2026-12-01T12:00:00Z", "event": "touch", "path": path, "session": leaking.id}
    pulled = vault / ".mnemos/journal/elsewhere/2026-12.jsonl"
    pulled.parent.mkdir(parents=True)
    pulled.write_text(json.dumps(line) + "\n", encoding="utf-8")
    clock.tick(days=1)

    started = store.sessions.start("New")

    assert [each.session.id for each in started.closed] == [plain.id]
    assert [each.session.id for each in started.open] == [leaking.id]
    assert started.notices[0].startswith("1 session that nobody ended stays open: nothing was")
    assert path not in git(vault, "log", "-p")
