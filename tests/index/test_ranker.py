"""From signals to a page: floor, tail, order, filter, policy and explanation."""

import math
from datetime import UTC, datetime, timedelta

import pytest

from mnemos_files.index.index import Index
from mnemos_files.index.policy import FACTORS
from mnemos_files.index.ranker import floor_of
from tests.index.conftest import NOW, found, note, search


def many(count: int, **fields):
    return [note(f"{n:03}.md", "lighthouse fog", title="x", **fields) for n in range(count)]


def test_nothing_above_the_floor_is_an_empty_answer_that_says_how_near(index):
    index.apply([note("a.md", "lighthouse"), note("b.md", "ferry")], ())

    ranking = search(index, "kubernetes ingress lighthouse timeout", floor=0.9)

    assert (ranking.hits, ranking.total) == ((), 0)
    assert ranking.best_below_floor is not None
    assert 0 < ranking.best_below_floor < 0.9 * 0.4


@pytest.mark.parametrize("text", ["", "   ", "*", "\\", "?!", "\0"])
def test_a_question_without_words_is_answered_with_nothing(index, text):
    index.apply([note("a.md", "lighthouse")], ())

    ranking = search(index, text)

    assert (ranking.hits, ranking.total, ranking.best_below_floor) == ((), 0, None)


def test_an_empty_index_answers(index):
    assert search(index, "lighthouse").hits == ()


@pytest.mark.parametrize(
    ("count", "expected"), [(1, 0.06), (12, 0.06), (100, 0.1115), (3_000, 0.1401)]
)
def test_the_floor_grows_with_the_vault(count, expected):
    assert floor_of(0.15, count) == pytest.approx(expected, abs=1e-4)


def test_weak_hits_beside_a_good_one_are_left_out(index):
    index.apply([note(f"{n}.md", f"the pier of harbour {n}") for n in range(8)], ())
    index.apply([note("right.md", "merge with --ff-only on main")], ())

    assert found(index, "merge --ff-only") == ["right.md"]


def test_filters_do_not_shorten_a_page(index):
    index.apply(many(60), ())
    index.apply(
        [
            note(f"{n:03}.md", "lighthouse fog", title="x", tags=("seven",))
            for n in range(7, 60, 10)
        ],
        (),
    )

    ranking = search(index, "lighthouse", tags=("Seven",), limit=5)

    assert [hit.entry.path.stem for hit in ranking.hits] == ["007", "017", "027", "037", "047"]
    assert ranking.total == 6


def test_pages_join_without_gap_or_overlap(index):
    index.apply(many(45), ())

    pages = [found(index, "lighthouse", limit=20, offset=start) for start in (0, 20, 40)]

    assert [path for page in pages for path in page] == [f"{n:03}.md" for n in range(45)]
    assert search(index, "lighthouse", offset=60).hits == ()


def test_the_total_counts_every_hit_on_every_page(index):
    index.apply(many(300), ())

    assert search(index, "lighthouse").total == 300
    assert search(index, "lighthouse", limit=50, offset=250).total == 300


def test_equal_scores_are_ordered_by_id(index):
    notes = [note(f"{n}.md", "fog", title="x", id=f"id-{9 - n}") for n in range(9)]
    index.apply(notes, ())

    assert found(index, "fog") == [f"{n}.md" for n in range(8, -1, -1)]


def test_order_does_not_depend_on_the_order_of_coming(tmp_path, embedder):
    one, two = Index(tmp_path / "1", embedder), Index(tmp_path / "2", embedder)
    one.apply(many(30), ())
    two.apply(many(30)[::-1], ())

    assert search(one, "fog") == search(two, "fog")


def test_importance_and_age_move_equal_notes(index):
    old = NOW - timedelta(days=900)
    index.apply(
        [
            note("plain.md", "fog", title="x", created=old),
            note("important.md", "fog", title="x", created=old, importance=9),
            note("trivial.md", "fog", title="x", created=old, importance=1),
            note("fresh.md", "fog", title="x", created=NOW),
        ],
        (),
    )

    hits = {hit.entry.path.stem: hit for hit in search(index, "fog").hits}

    assert hits["important"].parts["importance"] == 1.02
    assert hits["trivial"].parts["importance"] == 0.98
    assert hits["fresh"].parts["recency"] == 1.02
    assert hits["plain"].parts["recency"] == pytest.approx(1.0, abs=1e-4)
    assert hits["important"].score > hits["plain"].score > hits["trivial"].score


def test_half_of_the_gain_of_a_new_note_is_gone_after_ninety_days(index):
    index.apply([note("a.md", "fog", created=NOW - timedelta(days=90))], ())

    assert search(index, "fog").hits[0].parts["recency"] == 1.01


def test_a_note_of_the_future_or_without_a_time_is_not_odd(index):
    index.apply([note("a.md", "fog", created=datetime(2999, 1, 1, tzinfo=UTC))], ())
    index.apply([note("b.md", "fog")], ())

    parts = {hit.entry.path.stem: hit.parts["recency"] for hit in search(index, "fog").hits}

    assert parts == {"a": 1.02, "b": 1.0}


def test_a_score_is_the_product_of_its_parts(index):
    index.apply(
        [
            note(f"{n}.md", f"lighthouse fog {n}", importance=n % 10 + 1, created=NOW)
            for n in range(40)
        ],
        (),
    )

    for hit in search(index, "the lighthouse in the fog", limit=100).hits:
        factors = [hit.parts[name] for name in (*FACTORS, "bound")]
        assert hit.score == pytest.approx(hit.parts["relevance"] * math.prod(factors), abs=1e-6)


def test_fusion_is_eight_to_two(index):
    index.apply([note("a.md", "fog"), note("b.md", "sun")], ())

    parts = search(index, "fog").hits[0].parts

    assert parts["fused"] == pytest.approx(0.8 * parts["lexical"] + 0.2 * parts["dense"], abs=2e-6)


@pytest.mark.parametrize(("text", "mode"), [("fog", "hybrid"), ("123", "fts")])
def test_the_mode_says_whether_vectors_took_part(index, text, mode):
    index.apply([note("a.md", "fog 123")], ())

    assert search(index, text).mode == mode


def turn(number: int, text: str, **fields):
    values = {
        "type": "episodic",
        "session": "monday",
        "created": NOW + timedelta(seconds=number),
        "title": "x",
    }
    return note(f"{number}.md", text, **(values | fields))


def test_turns_lend_relevance_to_two_neighbours_each_way(index):
    index.apply([turn(n, f"word{n} q") for n in range(7)], ())
    index.apply([turn(3, "lighthouse")], ())

    hits = {hit.entry.path.stem: hit.parts for hit in search(index, "lighthouse").hits}
    base = hits["3"]["fused"]

    for near in ("1", "2", "4", "5"):
        expected = hits[near]["fused"] + 0.5 * base
        assert hits[near]["relevance"] == pytest.approx(expected, abs=2e-6)
    assert not {"0", "6"} & set(hits)


@pytest.mark.parametrize(
    "other", [{"session": "tuesday"}, {"type": "decision"}, {"project": "web"}, {"session": ""}]
)
def test_only_turns_of_one_session_are_neighbours(index, other):
    index.apply([turn(1, "lighthouse"), turn(2, "qqq", **other)], ())

    assert found(index, "lighthouse") == ["1.md"]


def test_neighbours_are_found_across_memory_and_disk(index):
    index.apply([turn(1, "lighthouse"), turn(3, "qqq")], ())
    index.flush()
    index.apply([turn(2, "zzz")], ())

    assert sorted(found(index, "lighthouse")) == ["1.md", "2.md", "3.md"]


def test_neighbours_do_not_lift_a_question_over_the_floor(index):
    index.apply([turn(n, "lighthouse " + "filler " * 30) for n in range(5)], ())

    ranking = search(index, "kubernetes lighthouse ingress", floor=0.95)

    assert ranking.hits == ()
