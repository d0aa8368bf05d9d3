"""Importance that fades in the ranking: the rule of the model on columns."""

import math
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.index.fading import NEVER, UNKNOWN, fades_from, periods, remaining
from mnemos_files.index.index import Index
from mnemos_files.index.policy import FACTORS
from mnemos_files.index.row import microseconds, name_key
from mnemos_files.index.usage import count
from mnemos_files.model.decay import Decay, decayed, last_seen
from mnemos_files.model.kind import KINDS
from mnemos_files.model.query import Hit, Query
from mnemos_files.model.tally import Uses
from tests.index.conftest import NOW, note

MONTHLY = Decay()
NOBODY = MappingProxyType({})


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def same(path: str, **fields):
    """Notes that differ in what is given only; recency of all but the newest is the same."""
    return note(path, "fog", **({"title": "x", "created": days_ago(9_000)} | fields))


def hits(index: Index, *, uses=NOBODY, decay=MONTHLY, view=None, **fields) -> dict[str, Hit]:
    query = Query(text="fog", **({"now": NOW, "limit": 100} | fields))
    ranking = index.search(query, floor=0, uses=uses, decay=decay, view=view)
    return {str(hit.entry.path): hit for hit in ranking.hits}


def factors(index: Index, **options) -> dict[str, float]:
    return {path: hit.parts["decay"] for path, hit in hits(index, **options).items()}


@pytest.mark.parametrize("flushed", [False, True])
def test_the_factor_takes_importance_to_what_is_left(index, flushed):
    ages = {"new": 30, "one": 31, "two": 61, "three": 91, "old": 9_000}
    index.apply(
        [same(f"{name}.md", importance=8, created=days_ago(age)) for name, age in ages.items()], ()
    )
    if flushed:
        index.flush()

    assert factors(index) == {
        "new.md": 1.0,
        "one.md": 0.995074,  # 1.01 / 1.015
        "two.md": 0.990148,  # 1.005 / 1.015
        "three.md": 0.985222,  # 1 / 1.015
        "old.md": 0.965517,  # 0.98 / 1.015
    }


def test_a_score_is_still_the_product_of_its_factors(index):
    index.apply(
        [
            same(f"{n}.md", importance=n % 10 + 1, created=days_ago(n * 7), type=kind)
            for n, kind in enumerate([*KINDS] * 4)
        ],
        (),
    )

    found = hits(index).values()

    assert any(hit.parts["decay"] < 1 for hit in found)
    for hit in found:
        product = math.prod(hit.parts[name] for name in (*FACTORS, "bound"))
        assert hit.score == pytest.approx(hit.parts["relevance"] * product, abs=1e-6)


def test_what_nobody_looked_at_falls_behind_what_was_looked_at(index):
    index.apply([same("a.md", importance=9), same("b.md", importance=8)], ())
    read = {"b.md": Uses(last=days_ago(29))}

    assert list(hits(index)) == ["a.md", "b.md"]
    assert list(hits(index, uses=read)) == ["b.md", "a.md"]
    assert list(hits(index, uses=read, decay=Decay(step=0))) == ["a.md", "b.md"]


def test_what_fits_better_stays_first_however_old_it_is(index):
    index.apply([note("old.md", "fog", title="fog", importance=10, created=days_ago(9_000))], ())
    index.apply([note("new.md", "fog horn and a light", title="x", created=NOW)], ())

    found = hits(index)

    assert [hit.parts["decay"] for hit in found.values()] == [0.956098, 1.0]  # 0.98 / 1.025
    assert list(found) == ["old.md", "new.md"]


def test_an_access_restores_the_whole_importance_and_an_older_one_a_part(index):
    index.apply([same(f"{name}.md", importance=8) for name in "abc"], ())
    uses = {"a.md": Uses(last=NOW), "b.md": Uses(last=days_ago(45)), "d.md": Uses(last=NOW)}

    assert factors(index, uses=uses) == {"a.md": 1.0, "b.md": 0.995074, "c.md": 0.965517}


def test_skills_used_and_never_read_are_no_access(index):
    index.apply([same("a.md", importance=8)], ())

    assert factors(index, uses={"a.md": Uses(skill_uses=3, last_use=NOW)}) == {"a.md": 0.965517}


@pytest.mark.parametrize("kind", ["convention", "correction"])
def test_rules_and_mistakes_do_not_fade(index, kind):
    index.apply([same("a.md", type=kind), same("b.md")], ())
    read = {"a.md": Uses(last=days_ago(500)), "b.md": Uses(last=days_ago(500))}

    for uses in (NOBODY, read):
        assert factors(index, uses=uses) == {"a.md": 1.0, "b.md": 0.98}


@pytest.mark.parametrize("kind", ["skill", "session", "rumination"])
def test_what_has_tools_of_its_own_does_not_fade(index, kind):
    index.apply([same("a.md", type=kind)], ())

    assert factors(index, type=kind) == {"a.md": 1.0}


def test_unknown_times_and_times_to_come_take_nothing_away(index):
    index.apply(
        [
            same("unknown.md", created=None),
            same("read.md", created=None),
            same("future.md", created=NOW + timedelta(days=100)),
            same("read-in-future.md"),
            same("before-1970.md", created=datetime(1969, 7, 20, tzinfo=UTC)),
        ],
        (),
    )
    uses = {
        "read.md": Uses(last=days_ago(31)),
        "read-in-future.md": Uses(last=NOW + timedelta(days=1)),
    }

    assert factors(index, uses=uses) == {
        "unknown.md": 1.0,
        "future.md": 1.0,
        "read-in-future.md": 1.0,
        "read.md": 0.995,
        "before-1970.md": 0.98,
    }


def test_with_the_rule_switched_off_every_factor_is_one(index):
    index.apply([same("a.md"), same("b.md", importance=10)], ())

    assert factors(index, decay=Decay(step=0)) == {"a.md": 1.0, "b.md": 1.0}


def test_a_question_about_the_past_is_judged_at_that_time(index):
    memory = same("a.md", importance=8, created=days_ago(100))
    index.apply([memory], ())
    view = index.view({"a.md": memory.blob}, [])

    asked = {age: factors(index, as_of=days_ago(age), view=view)["a.md"] for age in (80, 60, 30, 0)}

    assert asked == {80: 1.0, 60: 0.995074, 30: 0.990148, 0: 0.985222}


def test_the_least_importance_asked_for_is_the_stated_one(index):
    index.apply([same("a.md", importance=8), same("b.md", importance=7)], ())

    assert list(hits(index, min_importance=8)) == ["a.md"]


SECOND_2100 = 4_102_444_800
MOMENT = st.integers(1, SECOND_2100 * 10**6).map(
    lambda passed: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=passed)
)
MEMORY = st.tuples(
    st.sampled_from([*KINDS, "recipe"]), st.integers(1, 10), st.none() | MOMENT, st.none() | MOMENT
)


@given(st.lists(MEMORY, max_size=12), MOMENT, st.integers(1, 5_000), st.integers(0, 9))
def test_columns_say_the_same_as_the_rule_of_one_memory(memories, now, days, step):
    uses = {str(n): Uses(last=last) for n, (_, _, _, last) in enumerate(memories)}
    counted = count(uses)
    keys = np.array([name_key(name) for name in uses], np.uint64)
    types = np.array([name_key(kind) for kind, *_ in memories], np.uint64)
    times = [microseconds(created) if created else 0 for _, _, created, _ in memories]
    stated = np.array([importance for _, importance, *_ in memories], np.int64)
    born = fades_from(types, np.array(times, np.int64))

    lost = periods(np.maximum(born, counted.last[counted.find(keys)]), now, days)

    left = stated if lost is None else remaining(step)[stated, lost]
    assert left.tolist() == [
        decayed(kind, importance, last_seen(created, last), now, Decay(days, step))
        for kind, importance, created, last in memories
    ]


def test_sentinels_lie_outside_of_the_calendar():
    assert microseconds(datetime.max.replace(tzinfo=UTC)) < NEVER
    assert microseconds(datetime.min.replace(tzinfo=UTC)) > UNKNOWN
