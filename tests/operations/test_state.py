from pathlib import Path

from mnemos_files.model.session import Ending
from mnemos_files.operations.lessons import correct
from mnemos_files.operations.reading import get, search
from mnemos_files.operations.records import save
from mnemos_files.operations.state import stats
from mnemos_files.store.store import Store
from tests.conftest import Clock


def test_memories_and_sessions_are_counted_apart(store: Store, clock: Clock):
    session = store.sessions.start("Fix the login", "api", "codex").session
    save(store, title="A", content="B", type="decision", session_id=session.id, project="api")
    correct(store, title="C", tried="x", wrong_because="y", fix="z")
    store.sessions.end(session.id, Ending(summary="Done."))

    counts = stats(store)

    assert (counts.observations, counts.live_observations, counts.sessions) == (2, 2, 1)
    assert counts.by_type == {"decision": 1, "correction": 1, "session": 1}
    assert counts.by_project == {"api": 1, "(global)": 1}


def test_the_newest_sessions_are_told_open_ones_among_them(store: Store, clock: Clock):
    for number in range(6):
        clock.tick(minutes=1)
        store.sessions.start(f"Goal {number}", "api", f"agent-{number}")
    clock.tick(minutes=1)
    last = store.sessions.start("Goal 6", "", "codex").session
    store.sessions.end(last.id, Ending(summary="", status="failed"))

    recent = stats(store).recent_sessions

    assert [each.goal for each in recent] == [f"Goal {n}" for n in (6, 5, 4, 3, 2)]
    assert (recent[0].status, recent[0].project, recent[0].ended_at) == ("failed", None, clock.now)
    assert (recent[1].status, recent[1].project, recent[1].ended_at) == ("open", "api", None)


def test_live_memories_that_count_for_less_than_stated_are_counted(store: Store, clock: Clock):
    save(store, title="A", content="fog", type="decision", importance=8)
    read = save(store, title="B", content="horn", type="decision")
    save(store, title="C", content="boat", type="decision", ttl_days=10)
    save(store, title="D", content="mast", type="decision", importance=1)
    save(store, title="E", content="Always lock.", type="convention")
    assert stats(store).decayed == 0

    clock.tick(days=30, seconds=1)
    get(store, id=read.id)

    assert stats(store).decayed == 1


def test_without_decay_nothing_counts_for_less(open_vault, vault: Path, clock: Clock):
    folder = vault / ".mnemos"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text("[decay]\nstep = 0\n", encoding="utf-8")
    store = open_vault(vault)
    saved = save(store, title="A", content="fog", type="decision", importance=8)
    clock.tick(days=400)

    assert stats(store).decayed == 0
    assert search(store, query="fog", explain=True).results[0].why["decay"] == 1.0
    assert get(store, id=saved.id).decayed_importance is None
