"""Sessions with and without memory, from a real vault and its journals."""

from datetime import timedelta

from mnemos_files.model.event import Surfaced
from mnemos_files.model.session import Ending
from mnemos_files.operations.schema import to_json
from mnemos_files.report.efficacy import CAVEAT, Group, efficacy, lines
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock
from tests.report.days import ended_session, save

GOLDEN = (
    """\
sessions that ended since 2026-11-01 12:00Z (720h)
with memory:        3 sessions, 2 ok, 67 %
without memory:     2 sessions, 1 ok, 50 %
gap:            +17 points
1 more were empty and do not count
  prewarm: 4 surfacings in 2 sessions, 1 ok
  context: 1 surfacings in 1 sessions, 1 ok
  [decision] Use Argon2id: 3 sessions, 2 ok, 3 surfacings  {one}
  [decision] Times are UTC: 2 sessions, 1 ok, 2 surfacings  {two}
"""
    + CAVEAT
)


def a_month(store: Store, clock: Clock) -> dict[str, str]:
    one = save(store, title="Use Argon2id", content="64 MiB.").id
    two = save(store, title="Times are UTC", content="Always.").id
    ended_session(store, clock, "ok", ("prewarm", (one, two)))
    ended_session(store, clock, "failed", ("prewarm", (one, two)))
    ended_session(store, clock, "ok", ("context", (one,)))
    ended_session(store, clock, "ok")
    ended_session(store, clock, "abandoned")
    store.sessions.start("nothing comes of it", "api", "codex")
    clock.tick(hours=25)
    store.sessions.start("closes the one before", "api", "codex")
    return {"one": one, "two": two}


def test_sessions_are_compared_and_the_caveat_stands_below(store: Store, clock: Clock) -> None:
    ids = a_month(store, clock)

    report = efficacy(store, NOON - timedelta(days=30))

    assert "\n".join(lines(report, "720h")) == GOLDEN.format(**ids)


def test_json_has_plain_names_and_shares(store: Store, clock: Clock) -> None:
    a_month(store, clock)

    value = to_json(efficacy(store, NOON - timedelta(days=30)))

    assert value["with_memory"] == {"sessions": 3, "ok": 2, "ok_share": 0.6667}
    assert value["without_memory"] == {"sessions": 2, "ok": 1, "ok_share": 0.5}
    assert value["gap"] == 0.1667
    assert value["channels"][0] == {
        "channel": "prewarm",
        "surfacings": 4,
        "sessions": 2,
        "ok": 1,
    }
    assert value["caveat"] == CAVEAT


def test_an_empty_vault_has_no_shares(store: Store) -> None:
    report = efficacy(store, NOON - timedelta(days=30))

    assert report.with_memory == report.without_memory == Group(0, 0, None)
    assert report.gap is None
    assert [*lines(report, "30d")] == [
        "sessions that ended since 2026-11-01 12:00Z (30d)",
        "with memory:        0 sessions, 0 ok, -",
        "without memory:     0 sessions, 0 ok, -",
        CAVEAT,
    ]


def test_what_was_surfaced_before_the_window_counts_for_a_session_that_ended_in_it(
    store: Store, clock: Clock
) -> None:
    clock.now = NOON - timedelta(days=40)
    one = save(store, title="Use Argon2id", content="64 MiB.").id
    session = store.sessions.start("A long one", "api", "codex").session.id
    store.journal.append([Surfaced(store.now(), (one,), "prewarm", "api", "codex", session)])
    clock.now = NOON

    _end(store, session)

    assert efficacy(store, NOON - timedelta(days=1)).with_memory.sessions == 1


def test_open_sessions_and_those_that_ended_before_do_not_count(store: Store, clock: Clock) -> None:
    ended_session(store, clock, "ok")
    clock.tick(days=2)
    store.sessions.start("open", "api", "claude-code")

    report = efficacy(store, clock.now - timedelta(days=1))

    assert (report.with_memory.sessions, report.without_memory.sessions) == (0, 0)


def test_surfacings_without_a_session_do_not_count(store: Store, clock: Clock) -> None:
    ended_session(store, clock, "ok")
    store.journal.append([Surfaced(store.now(), ("m",), "context")])

    report = efficacy(store, NOON - timedelta(days=1))

    assert (report.with_memory.sessions, report.channels, report.memories) == (0, [], [])


def test_at_most_ten_memories_are_named(store: Store, clock: Clock) -> None:
    ended_session(store, clock, "ok", ("prewarm", tuple(f"m{n:02}" for n in range(14))))

    report = efficacy(store, NOON - timedelta(days=1))

    assert [one.id for one in report.memories] == [f"m{n:02}" for n in range(10)]


def _end(store: Store, session: str) -> None:
    store.sessions.end(session, Ending(summary="over"))
