"""Events add up, in whatever order they come."""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.model.event import (
    Accessed,
    Dreamed,
    Event,
    SessionEnded,
    SessionStarted,
    SkillUsed,
    Surfaced,
    Touched,
)
from mnemos_files.model.tally import Count, Heat, Tally, Uses
from tests.conftest import NOON

LATER = NOON + timedelta(hours=1)
LAST = NOON + timedelta(hours=2)


def counted(*events: Event) -> Tally:
    count = Count()
    count.add(events, "m1")
    return count.tally()


def test_reading_and_surfacing_are_accesses_and_applying_a_skill_is_not() -> None:
    tally = counted(
        Accessed(LATER, ("a", "b")),
        Surfaced(NOON, ("a",), "context"),
        SkillUsed(NOON, "a", "success"),
        SkillUsed(LAST, "a", "failure"),
    )

    assert tally.uses == {
        "a": Uses(2, LATER, 2, 1, LAST, NOON),
        "b": Uses(1, LATER, 0, 0, None),
    }


def test_the_first_surfacing_is_known_in_whatever_order_events_come() -> None:
    tally = counted(
        Surfaced(LATER, ("a",), "context"),
        Accessed(NOON - timedelta(days=1), ("a", "b")),
        Surfaced(NOON, ("a",), "prewarm"),
        Surfaced(LAST, ("a",), "prewarm"),
    )

    assert tally.uses["a"].surfaced == NOON
    assert tally.uses["b"].surfaced is None


def test_deeds_of_dreams_are_known_with_their_last_time() -> None:
    tally = counted(Dreamed(LATER, ("one", "two"), "expiry"), Dreamed(NOON, ("two",), "expiry"))

    assert tally.deeds == {"one": LATER, "two": LATER}


def test_heat_is_by_project_most_touched_first_then_latest_then_by_name() -> None:
    tally = counted(
        Touched(NOON, "once.py", "api", "codex"),
        Touched(NOON, "twice.py", "api", "codex"),
        Touched(LATER, "twice.py", "api", "claude"),
        Touched(LATER, "late.py", "api", "codex"),
        Touched(LATER, "also-late.py", "api", "codex"),
        Touched(LAST, "other.py", "web", "codex"),
        Touched(LAST, "nowhere.py"),
    )

    assert tally.heat("api") == [
        Heat("twice.py", 2, LATER),
        Heat("also-late.py", 1, LATER),
        Heat("late.py", 1, LATER),
        Heat("once.py", 1, NOON),
    ]
    assert tally.heat("api", "claude") == [Heat("twice.py", 1, LATER)]
    assert tally.heat("") == [Heat("nowhere.py", 1, LAST)]
    assert tally.heat("unknown") == []


def test_a_session_has_its_files_in_the_order_of_their_first_touch() -> None:
    start = SessionStarted(NOON, "s", "api", "codex", "goal", 7)
    trace = counted(
        Touched(LAST, "b.py", session="s"),
        Touched(LATER, "a.py", session="s"),
        Touched(NOON, "b.py", session="s"),
        start,
    ).sessions["s"]

    assert (trace.started, trace.ended, trace.last) == (start, None, LAST)
    assert trace.touched == ("b.py", "a.py")
    assert trace.machine == "m1"


def test_any_event_of_a_session_is_its_last_sign_of_life() -> None:
    start = SessionStarted(NOON, "s")
    for event in (
        Accessed(LAST, ("a",), session="s"),
        Surfaced(LAST, ("a",), "prewarm", session="s"),
        SkillUsed(LAST, "k", "success", session="s"),
        Touched(LAST, "a.py", session="s"),
    ):
        assert counted(start, event).sessions["s"].last == LAST


def test_a_session_without_its_start_is_none_until_that_comes() -> None:
    count = Count()
    count.add([Touched(LATER, "a.py", session="s"), SessionEnded(LAST, "s", "ok")])
    assert count.tally().sessions == {}

    count.add([SessionStarted(NOON, "s")])

    assert count.tally().sessions["s"].touched == ("a.py",)


def test_the_last_end_counts_and_a_later_start_takes_the_session_up_again() -> None:
    start = SessionStarted(NOON, "s", process=7)
    first, second = SessionEnded(LATER, "s", "abandoned"), SessionEnded(LAST, "s", "ok")

    assert counted(second, start, first).sessions["s"].ended == second
    resumed = counted(start, first, SessionStarted(LAST, "s", process=9)).sessions["s"]
    assert resumed.ended is None
    assert resumed.started == start
    assert counted(start, SessionEnded(NOON, "s", "ok")).sessions["s"].ended is not None


def test_a_tally_does_not_change_with_later_events() -> None:
    count = Count()
    count.add([Accessed(NOON, ("a",)), Touched(NOON, "a.py", "api"), SessionStarted(NOON, "s")])
    before = count.tally()

    count.add([Accessed(LAST, ("a",)), Touched(LAST, "a.py", "api", session="s")])

    assert before.uses["a"] == Uses(1, NOON)
    assert before.heat("api") == [Heat("a.py", 1, NOON)]
    assert before.sessions["s"].touched == ()
    assert count.tally().sessions["s"].touched == ("a.py",)


def test_without_news_the_tally_is_the_same_object() -> None:
    count = Count()
    count.add([Accessed(NOON, ("a",))])

    assert count.tally() is count.tally()


MOMENTS = st.integers(0, 50).map(lambda hours: NOON + timedelta(hours=hours))
NAMES = st.sampled_from(["a", "b", "c"])


def moments(count: int) -> st.SearchStrategy[list[datetime]]:
    return st.lists(MOMENTS, min_size=count, max_size=count, unique=True)


@given(st.data())
def test_the_order_of_events_is_no_matter(data: st.DataObject) -> None:
    times = data.draw(moments(8))
    events = [
        data.draw(
            st.one_of(
                st.builds(Accessed, st.just(at), st.lists(NAMES).map(tuple), NAMES, NAMES),
                st.builds(Touched, st.just(at), NAMES, NAMES, NAMES, NAMES),
                st.builds(SessionStarted, st.just(at), NAMES),
                st.builds(SessionEnded, st.just(at), NAMES, NAMES),
                st.builds(SkillUsed, st.just(at), NAMES, st.sampled_from(["success", "failure"])),
            )
        )
        for at in times
    ]
    shuffled = data.draw(st.permutations(events))
    cut = data.draw(st.integers(0, 8))

    count = Count()
    count.add(shuffled[:cut], "m1")
    count.tally()
    count.add(shuffled[cut:], "m1")

    assert count.tally() == counted(*events)
