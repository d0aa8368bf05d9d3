"""Policy: what moves a note besides its words, and by how much."""

import math
from datetime import timedelta
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.index.index import Index
from mnemos_files.index.policy import FACTORS, HIGHEST, LOWEST
from mnemos_files.index.usage import UNUSED, count
from mnemos_files.model.query import Query
from mnemos_files.model.skill import adjusted
from mnemos_files.model.tally import Uses
from tests.index.conftest import NOW, note

LONG_AGO = NOW - timedelta(days=9_000)
STEM = "2026-12-01-fix-login-9d2m4t"
SESSION = "01KBC3W6H5M0V2T8N49D2M4T00"


def parts(index: Index, uses=MappingProxyType({}), **fields) -> dict[str, dict[str, float]]:
    query = Query(text="fog", now=NOW, limit=100, **fields)
    ranking = index.search(query, floor=0, uses=uses)
    return {str(hit.entry.path): hit.parts | {"score": hit.score} for hit in ranking.hits}


def same(path: str, **fields):
    return note(path, "fog", **({"title": "x", "created": LONG_AGO} | fields))


def a_session(path: str, status, **fields):
    return note(path, "a goal", type="session", properties=(("status", status),), **fields)


@pytest.mark.parametrize(
    ("accesses", "factor"),
    [(0, 1.0), (1, 1.003466), (10, 1.011989), (100, 1.023076), (403, 1.03), (10**6, 1.03)],
)
def test_what_was_read_often_moves_up_slowly_and_only_so_far(index, accesses, factor):
    index.apply([same("a.md"), same("b.md")], ())

    found = parts(index, {"b.md": Uses(accesses=accesses)})

    assert found["b.md"]["access"] == factor
    assert found["a.md"]["access"] == 1.0


def test_uses_order_equal_notes_and_do_not_bury_what_fits(index):
    index.apply([same("a.md"), same("b.md"), note("c.md", "fog horn light tower", title="x")], ())

    found = list(parts(index, {"b.md": Uses(accesses=9), "c.md": Uses(accesses=10**6)}))

    assert found == ["b.md", "a.md", "c.md"]


def test_uses_of_a_long_id_are_those_of_the_whole_id(index):
    folder = "projects/observations/2026/"
    index.apply([same(f"{folder}a.md"), same(f"{folder}b.md")], ())

    found = parts(index, {f"{folder}b.md": Uses(accesses=9)})

    assert [found[f"{folder}{name}.md"]["access"] > 1 for name in "ab"] == [False, True]


def test_new_uses_count_at_the_next_search(index):
    index.apply([same("a.md")], ())

    one = parts(index, {"a.md": Uses(accesses=1)})["a.md"]["access"]
    two = parts(index, {"a.md": Uses(accesses=2)})["a.md"]["access"]
    none = parts(index)["a.md"]["access"]

    assert two > one > none == 1.0


def test_a_correction_counts_a_little_more(index):
    index.apply([same("a.md"), same("b.md", type="correction"), same("c.md", type="bugfix")], ())

    found = parts(index)

    assert {path: one["correction"] for path, one in found.items()} == {
        "b.md": 1.03,
        "a.md": 1.0,
        "c.md": 1.0,
    }
    assert next(iter(found)) == "b.md"


@pytest.mark.parametrize("flushed", [False, True])
@pytest.mark.parametrize(
    ("status", "factor"),
    [
        ("failed", 1.02),
        ("blocked", 1.02),
        (" Failed ", 1.02),
        ("ok", 1.0),
        ("abandoned", 1.0),
        ("", 1.0),
        (("failed",), 1.0),
    ],
)
def test_what_a_failed_session_saved_counts_a_little_more(index, status, factor, flushed):
    path = f"sessions/api/{STEM}.md"
    links = {"stem": STEM, "path": path, "bare": path[:-3], "id": SESSION}
    index.apply([same(f"{name}.md", session=link) for name, link in links.items()], ())
    index.apply([same("other.md", session="2026-12-01-x-9d2m4t"), same("none.md")], ())
    index.apply([a_session(path, status, id=SESSION)], ())
    if flushed:
        index.flush()

    found = {name: one["failed_session"] for name, one in parts(index).items()}

    assert found == dict.fromkeys(("stem.md", "path.md", "bare.md", "id.md"), factor) | {
        "other.md": 1.0,
        "none.md": 1.0,
    }


def test_a_status_counts_in_a_session_only_and_as_it_is_now(index):
    path = f"sessions/{STEM}.md"
    index.apply([same("a.md", session=STEM)], ())
    index.apply([note(path, "x", properties=(("status", "failed"),))], ())
    assert parts(index)["a.md"]["failed_session"] == 1.0

    index.apply([a_session(path, "failed")], ())
    assert parts(index)["a.md"]["failed_session"] == 1.02

    index.apply([a_session(path, "ok", size=2)], ())
    assert parts(index)["a.md"]["failed_session"] == 1.0

    index.apply([a_session(path, "failed", size=3)], ())
    index.apply((), [path])
    assert parts(index)["a.md"]["failed_session"] == 1.0


def test_a_view_of_the_past_knows_the_sessions_of_its_day(index):
    path = f"sessions/{STEM}.md"
    then, now = a_session(path, "failed"), a_session(path, "ok", title="changed")
    memory = same("a.md", session=STEM)
    index.apply([memory, now], ())
    view = index.view({"a.md": memory.blob}, [then])

    hits = index.search(Query(text="fog", now=NOW), floor=0, view=view).hits

    assert [hit.parts["failed_session"] for hit in hits] == [1.02]


@pytest.mark.parametrize(
    ("uses", "successes", "factor"),
    [
        (0, 0, 1.0),
        (1, 1, 1.025),
        (1, 0, 0.975),
        (5, 5, 1.125),
        (10, 10, 1.25),
        (10, 0, 0.75),
        (40, 20, 1.0),
        (100, 100, 1.25),
    ],
)
def test_a_skill_moves_with_its_successes(index, uses, successes, factor):
    index.apply([same("a.md", type="skill")], ())

    used = {"a.md": Uses(skill_uses=uses, skill_successes=successes)}

    found = parts(index, used, type="skill")["a.md"]["effectiveness"]

    assert found == factor
    assert found == pytest.approx(1 + 0.5 * (adjusted(uses, successes) - 0.5), abs=1e-6)


def test_effectiveness_orders_skills_and_nothing_else(index):
    index.apply([same(f"{name}.md", type="skill") for name in "abc"], ())
    index.apply([same("d.md")], ())
    uses = {
        "a.md": Uses(skill_uses=10),
        "c.md": Uses(skill_uses=10, skill_successes=9),
        "d.md": Uses(skill_uses=10, skill_successes=10),
    }

    assert list(parts(index, uses, type="skill")) == ["c.md", "b.md", "a.md"]
    assert parts(index, uses)["d.md"]["effectiveness"] == 1.0


NAMES = st.text("abc0", min_size=1, max_size=3)
USES = st.builds(
    lambda accesses, uses, share: Uses(
        accesses=accesses, skill_uses=uses, skill_successes=round(uses * share)
    ),
    st.integers(0, 10**6),
    st.integers(0, 1_000),
    st.floats(0, 1),
)


@given(st.dictionaries(NAMES, USES, max_size=20), st.lists(NAMES, max_size=20))
def test_counts_are_found_by_id_and_are_nothing_for_others(uses, names):
    counted = count(uses)
    keys = np.array([count({name: Uses()}).keys[0] for name in names], np.uint64)
    at = counted.find(keys)

    expected = [uses[name].skill_uses if name in uses else 0 for name in names]
    assert counted.skill_uses[at].tolist() == expected
    assert UNUSED.skill_uses[UNUSED.find(keys)].tolist() == [0] * len(names)


def test_a_score_is_the_product_of_all_its_factors_within_the_bounds(index):
    types = ("skill", "correction", "decision")
    for number in range(60):
        fields = {"importance": number % 10 + 1, "session": STEM if number % 3 else ""}
        index.apply([same(f"{number}.md", type=types[number % 3], created=NOW, **fields)], ())
    index.apply([a_session(f"{STEM}.md", "failed")], ())
    uses = {
        f"{n}.md": Uses(accesses=n * n, skill_uses=n % 20, skill_successes=n % 20)
        for n in range(0, 60, 2)
    }

    for kind in ("", "skill"):
        for hit in parts(index, uses, type=kind).values():
            product = math.prod(hit[name] for name in (*FACTORS, "bound"))
            assert hit["score"] == pytest.approx(hit["relevance"] * product, abs=1e-6)
            assert LOWEST <= product <= HIGHEST
