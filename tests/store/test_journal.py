"""The journal of a vault: what is appended is counted, by whomever it was written."""

from datetime import UTC, datetime

from mnemos_files.model.event import Accessed, SessionStarted, SkillUsed, Surfaced, Touched
from mnemos_files.model.tally import Heat, Uses
from mnemos_files.store.store import Store
from tests.conftest import NOON

AT = datetime(2026, 12, 1, 12, 0, 0, 5, tzinfo=UTC)


def test_events_are_counted_as_soon_as_they_are_appended(store: Store) -> None:
    store.journal.append([Accessed(AT, ("a", "b"), "codex"), Surfaced(AT, ("a",), "prewarm")])
    store.journal.append([SkillUsed(AT, "s", "success"), SkillUsed(AT, "s", "failure")])

    uses = store.journal.tally().uses

    assert uses == {
        "a": Uses(accesses=2, last=AT),
        "b": Uses(accesses=1, last=AT),
        "s": Uses(skill_uses=2, skill_successes=1, last_use=AT),
    }


def test_the_same_event_twice_at_one_instant_counts_twice(store: Store) -> None:
    for _ in range(3):
        store.journal.append([Touched(NOON, "src/a.py", "api")])

    assert store.journal.tally().heat("api") == [Heat("src/a.py", 3, NOON)]


def test_a_session_is_known_by_its_start(store: Store) -> None:
    store.journal.append([SessionStarted(NOON, "s1", "api", "codex", "mend it", 7)])
    store.journal.append([Touched(AT, "b.py", "api", session="s1")])

    trace = store.journal.tally().sessions["s1"]

    assert trace.started == SessionStarted(NOON, "s1", "api", "codex", "mend it", 7)
    assert (trace.ended, trace.last, trace.touched) == (None, AT, ("b.py",))
    assert trace.machine == store.journal.machine
