from mnemos_files.model.session import Ending
from mnemos_files.operations.lessons import correct
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
