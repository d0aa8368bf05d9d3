"""Pairs of notes that say nearly the same."""

from datetime import timedelta
from itertools import combinations
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemos_files.errors import UnavailableError
from mnemos_files.index import near
from mnemos_files.index.index import Index
from mnemos_files.index.near import Judge
from mnemos_files.index.near_kept import NAME
from mnemos_files.index.near_search import Rows, scalar_products
from mnemos_files.index.near_search import near as search_near
from tests.conftest import WordEmbedder
from tests.index.conftest import NOW, note

QUEUE = "the order queue is built with kafka and keeps messages three days"
QUEUE_LATER = "the order queue is built with kafka and keeps messages seven days"
LOGIN = "passwords are hashed with argon before the login service stores them"
EARLIER = NOW - timedelta(days=1)
EVERYTHING = Judge("all", lambda older, newer: "near")


@pytest.fixture
def embedder():
    return WordEmbedder()


def pairs(index, judge=EVERYTHING):
    return [(str(each.older.path), str(each.newer.path)) for each in index.near(NOW, judge)]


def fill(index, *notes):
    index.apply(notes, [])


def test_notes_with_nearly_the_same_text_are_a_pair_and_the_older_comes_first(index):
    fill(
        index,
        note("new.md", QUEUE_LATER, title="Queue", created=NOW),
        note("old.md", QUEUE, title="Queue", created=EARLIER),
        note("other.md", LOGIN, title="Login", created=EARLIER),
    )

    [pair] = index.near(NOW, EVERYTHING)

    assert (str(pair.older.path), str(pair.newer.path)) == ("old.md", "new.md")
    assert pair.cosine > 0.9
    assert pair.share == pytest.approx(8 / 9, abs=0.02)
    assert pair.verdict == "near"


@pytest.mark.parametrize(
    "fields",
    [
        {"project": "shipping"},
        {"trust_tier": "raw"},
        {"invalidated": EARLIER},
        {"expires": EARLIER},
        {"type": "dream"},
        {"type": "episodic"},
        {"type": "session"},
        {"type": "skill"},
        {"type": "rumination"},
    ],
)
def test_notes_that_do_not_hold_side_by_side_are_no_pair(index, fields):
    fill(
        index,
        note("old.md", QUEUE, title="Queue", project="billing"),
        note("new.md", QUEUE_LATER, **({"title": "Queue", "project": "billing"} | fields)),
    )

    assert pairs(index) == []


def test_a_global_note_is_compared_with_those_of_every_project(index):
    fill(
        index,
        note("a.md", QUEUE, title="Queue", project="billing", created=EARLIER),
        note("b.md", QUEUE_LATER, title="Queue", created=NOW),
    )

    assert pairs(index) == [("a.md", "b.md")]


def test_copies_of_a_file_with_one_id_are_not_compared(index):
    fill(
        index,
        note("a.md", QUEUE, title="Queue", id="same"),
        note("copy.md", QUEUE, title="Queue", id="same"),
    )

    assert pairs(index) == []


def test_without_a_model_the_words_decide(index, embedder, monkeypatch):
    def away(texts):
        raise UnavailableError("the model is away", remedy="Wait.")

    monkeypatch.setattr(embedder, "encode", away)
    fill(
        index,
        note("a.md", QUEUE, title="Queue", created=EARLIER),
        note("b.md", QUEUE_LATER, title="Queue", created=NOW),
        note("c.md", "the order queue is slow when messages are large", title="Slow queue"),
    )

    [pair] = index.near(NOW, EVERYTHING)

    assert (str(pair.older.path), str(pair.newer.path)) == ("a.md", "b.md")
    assert pair.cosine == 0


def test_the_day_on_which_notes_were_made_makes_them_neither_nearer_nor_farther(index):
    later = NOW + timedelta(days=400)
    fill(
        index,
        note("a.md", QUEUE, title="Queue", created=EARLIER),
        note("b.md", QUEUE, title="Queue", created=later, tags=()),
    )

    [pair] = index.near(NOW, EVERYTHING)

    assert pair.share == 1


def test_a_pair_is_judged_once_also_by_the_next_process(tmp_path, embedder):
    asked = []
    judge = Judge("count", lambda older, newer: asked.append(older) or "")
    first = Index(tmp_path / "i", embedder)
    fill(first, note("a.md", QUEUE, title="Queue"), note("b.md", QUEUE_LATER, title="Queue"))

    assert first.near(NOW, judge) == []
    first.close()
    second = Index(tmp_path / "i", embedder)
    assert second.near(NOW, judge) == []
    fill(second, note("c.md", LOGIN, title="Login"))
    assert second.near(NOW, judge) == []

    assert len(asked) == 1


def test_another_judge_is_asked_anew(index):
    fill(index, note("a.md", QUEUE, title="Queue"), note("b.md", QUEUE_LATER, title="Queue"))
    index.near(NOW, EVERYTHING)

    [pair] = index.near(NOW, Judge("other", lambda older, newer: "other"))

    assert pair.verdict == "other"


def test_what_could_not_be_judged_is_judged_the_next_time(index):
    answers = [None, "now"]
    judge = Judge("late", lambda older, newer: answers.pop(0))
    fill(index, note("a.md", QUEUE, title="Queue"), note("b.md", QUEUE_LATER, title="Queue"))

    assert index.near(NOW, judge) == []
    assert [each.verdict for each in index.near(NOW, judge)] == ["now"]


@pytest.mark.parametrize("data", [b"", b"1 all 00\n[]\n", b"\xff\xfe", b"{}"])
def test_a_damaged_file_of_neighbours_is_made_again(tmp_path, embedder, data):
    first = Index(tmp_path / "i", embedder)
    fill(first, note("a.md", QUEUE, title="Queue"), note("b.md", QUEUE_LATER, title="Queue"))
    first.near(NOW, EVERYTHING)
    first.close()
    [file] = (tmp_path / "i").rglob(NAME)
    good = file.read_bytes()
    file.write_bytes(data)

    assert pairs(Index(tmp_path / "i", embedder)) == [("a.md", "b.md")]
    assert file.read_bytes() == good


def test_a_thousand_copies_are_not_a_million_pairs(index):
    fill(index, *(note(f"{n:03}.md", QUEUE, title="Queue", id=f"id{n:03}") for n in range(200)))

    assert len(pairs(index)) <= 200 * near.NEIGHBOURS_MAX


@pytest.mark.parametrize(("words", "is_pair"), [(20, True), (40, False)])
def test_of_long_texts_more_words_must_be_shared(index, words, is_pair):
    shared = " ".join(f"shared{n}" for n in range(words * 7 // 10))
    rest = range(words - words * 7 // 10)
    fill(
        index,
        note("a.md", f"{shared} {' '.join(f'one{n}' for n in rest)} {shared}", title="T"),
        note("b.md", f"{shared} {' '.join(f'two{n}' for n in rest)} {shared}", title="T"),
    )

    assert bool(pairs(index)) is is_pair


@pytest.mark.parametrize("dims", [1, 26, 248, 1024])
def test_products_in_blocks_are_exact(dims):
    vectors = np.random.default_rng(3).integers(-127, 128, (150, dims)).astype(np.int8)
    some = np.arange(0, 150, 2)

    found = scalar_products(vectors, some)

    wide = vectors.astype(np.int64)
    assert (found.astype(np.int64) == wide[some] @ wide.T).all()


TEXTS = st.frozensets(st.sampled_from([f"word{n}".encode() for n in range(9)]), max_size=7)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.integers(0, 2), st.booleans()), min_size=1, max_size=12))
def test_the_search_finds_what_looking_at_every_pair_finds(notes):
    axis = [1 if has_vector else 0 for _, _, has_vector in notes]
    rows = Rows(
        vectors=np.array([[9 * value] for value in axis], np.int8),
        norms=np.array([9.0 * value for value in axis]),
        projects=np.array([project for _, project, _ in notes], np.uint64),
        terms=[terms for terms, _, _ in notes],
    )
    expected = set()
    for one, other in combinations(range(len(notes)), 2):
        (a, first, _), (b, second, _) = notes[one], notes[other]
        is_voiced = notes[one][2] and notes[other][2]
        is_in_scope = first == second or 0 in (first, second)
        if a and b and is_in_scope:
            share = len(a & b) / np.sqrt(len(a) * len(b))
            if share >= (0.6 if is_voiced else 0.7):
                expected |= {(one, other), (other, one)}

    found = {
        (each.note, other)
        for each in search_near(rows, range(len(notes)))
        for other in each.others.tolist()
    }

    assert found == expected


WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
STEP = st.tuples(st.integers(0, 9), st.lists(st.sampled_from(WORDS), min_size=2, max_size=6))


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(STEP, max_size=5), min_size=2, max_size=5))
def test_going_on_finds_the_same_as_beginning_anew(tmp_path_factory, steps):
    embedder, folder = WordEmbedder(), tmp_path_factory.mktemp("near")
    going, now = Index(folder / "a", embedder), {}
    with patch.object(near, "NEIGHBOURS_MAX", 2):
        for step in steps:
            for number, words in step:
                now[number] = None if number in now and len(words) == 2 else " ".join(words)
            live = [number for number, text in now.items() if text is not None]
            notes = [note(f"{n}.md", now[n], title="T", created=NOW) for n in live]
            going.apply(notes, [f"{n}.md" for n in now if n not in live])
            anew = Index(folder / f"b{len(list(folder.iterdir()))}", embedder)
            fill(anew, *reversed(notes))

            assert pairs(going) == pairs(anew)
