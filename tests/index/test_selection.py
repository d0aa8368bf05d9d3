"""Notes by their columns, without a question."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemos_files.index.index import Index
from mnemos_files.model.query import Query
from tests.index.conftest import NOW, LetterEmbedder, note

DAY = timedelta(days=1)


def selected(index: Index, order="importance", *, limit: int = 100, **fields) -> list[str]:
    query = Query(text="no word of any note", now=NOW, **fields)
    return [str(entry.path) for entry in index.select(query, order=order, limit=limit)]


@pytest.fixture(params=["in memory", "on disk", "half of each"])
def place(request, index):
    """Puts notes in, where the name says."""

    def put(*notes):
        half = len(notes) // 2 if request.param == "half of each" else len(notes)
        index.apply(notes[:half], ())
        if request.param != "in memory":
            index.flush()
        index.apply(notes[half:], ())

    return put


def test_the_most_important_come_first_then_the_newest_then_by_id(index, place):
    place(
        note("old.md", "a", importance=8, created=NOW - DAY),
        note("low.md", "a", importance=7, created=NOW),
        note("b.md", "a", importance=8, created=NOW, id="2"),
        note("a.md", "a", importance=8, created=NOW, id="3"),
        note("c.md", "a", importance=8, created=NOW, id="1"),
        note("timeless.md", "a", importance=8),
    )

    expected = ["c.md", "b.md", "a.md", "old.md", "timeless.md", "low.md"]
    assert selected(index) == expected
    assert selected(index, limit=2) == expected[:2]


def test_the_newest_come_first_to_the_microsecond(index, place):
    tick = timedelta(microseconds=1)
    place(
        note("1.md", "a", created=NOW, importance=9),
        note("2.md", "a", created=NOW + tick),
        note("3.md", "a", created=NOW + 2 * tick, importance=1),
        note("none.md", "a", importance=10),
    )

    assert selected(index, "created") == ["3.md", "2.md", "1.md", "none.md"]


def test_times_far_off_do_not_outweigh_importance(index):
    index.apply(
        [
            note("last.md", "a", created=datetime(9999, 12, 31, tzinfo=UTC), importance=4),
            note("first.md", "a", created=datetime(1, 1, 1, tzinfo=UTC), importance=5),
            note("top.md", "a", created=datetime(1, 1, 1, tzinfo=UTC), importance=10),
        ],
        (),
    )

    assert selected(index) == ["top.md", "first.md", "last.md"]


@pytest.mark.parametrize(
    ("fields", "query", "is_selected"),
    [
        ({"type": "decision"}, {"type": "decision"}, True),
        ({"type": "decision"}, {"type": "bugfix"}, False),
        ({"type": "skill"}, {}, False),
        ({"type": "skill"}, {"type": "skill"}, True),
        ({"type": "session"}, {"type": "session"}, True),
        ({"project": "web"}, {"project": "api"}, False),
        ({}, {"project": "api"}, True),
        ({"trust_tier": "raw"}, {}, False),
        ({"trust_tier": "raw"}, {"include_raw": True}, True),
        ({"invalidated": NOW - DAY}, {}, False),
        ({"invalidated": NOW - DAY}, {"include_stale": True}, True),
        ({"tags": ("Größe", "blue")}, {"tags": ("GRÖSSE",)}, True),
        ({"tags": ("red",)}, {"tags": ("red", "blue")}, False),
        ({}, {"tags": ("red",)}, False),
        ({"importance": 6}, {"min_importance": 7}, False),
    ],
)
def test_a_selection_has_the_scope_of_a_search(index, place, fields, query, is_selected):
    place(note("a.md", "lighthouse", **fields), note("b.md", "x", trust_tier="raw", type="dream"))

    assert [path for path in selected(index, **query) if path == "a.md"] == ["a.md"] * is_selected


def test_tags_do_not_shorten_a_selection(index):
    tagged = [note(f"{n}.md", "a", tags=("one", "two"), importance=1) for n in range(3)]
    index.apply([note(f"x{n}.md", "a", tags=("one",), importance=9) for n in range(300)], ())
    index.apply(tagged, ())

    assert selected(index, tags=("two", "ONE"), limit=2) == ["0.md", "1.md"]


def test_a_removed_note_is_not_selected(index, place):
    place(note("a.md", "a"), note("b.md", "a"))
    index.apply((), ["a.md"])

    assert selected(index) == ["b.md"]


def test_nothing_is_selected_from_an_empty_index_or_with_a_limit_of_nothing(index):
    assert selected(index) == []
    index.apply([note("a.md", "a")], ())
    assert selected(index, limit=0) == []


def test_only_what_is_given_is_decoded(tmp_path, embedder):
    first = Index(tmp_path, embedder)
    first.apply([note(f"{n:03}.md", f"text {n}") for n in range(600)], ())
    first.close()
    index = Index(tmp_path, embedder)

    assert selected(index, limit=3) == ["000.md", "001.md", "002.md"]

    (part,) = index._snapshot().slices
    assert sorted(part.part._decoded) == [0, 1, 2]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 10), st.integers(-5, 5)), min_size=1, max_size=40),
    st.integers(1, 45),
)
def test_every_prefix_of_the_order_is_the_order(tmp_path_factory, notes, limit):
    index = Index(tmp_path_factory.mktemp("index"), LetterEmbedder())
    made = [
        note(f"{n:02}.md", "a", importance=importance, created=NOW + day * DAY)
        for n, (importance, day) in enumerate(notes)
    ]
    index.apply(made, ())

    chosen = index.select(Query(text="", now=NOW), order="importance", limit=limit)

    keys = [(-e.record.importance, NOW - e.record.created, e.record.id) for e in chosen]
    assert all(one < other for one, other in pairwise(keys))
    everything = sorted((-i, NOW - (NOW + d * DAY), f"{n:02}.md") for n, (i, d) in enumerate(notes))
    assert keys == everything[:limit]


@pytest.mark.parametrize(
    "link",
    [
        "2026-12-01-fix-login-9d2m4t",
        "2026-12-01-Fix-Login-9D2M4T.md",
        "sessions/api/2026-12-01-fix-login-9d2m4t",
        "sessions/api/2026-12-01-fix-login-9d2m4t.md",
        "01KBC3W6H5M0V2T8N49D2M4T00",
    ],
)
def test_what_a_session_saved_is_found_by_every_form_of_its_link(index, place, link):
    place(
        note("a.md", "a", session=link, created=NOW, trust_tier="raw"),
        note("b.md", "a", session="2026-12-01-other-9d2m4t", created=NOW),
        note("c.md", "a"),
    )

    names = ("01KBC3W6H5M0V2T8N49D2M4T00", "2026-12-01-fix-login-9d2m4t")
    assert [str(entry.path) for entry in index.by_session(*names)] == ["a.md"]


def test_what_a_session_saved_comes_oldest_first(index):
    index.apply(
        [note(f"{n}.md", "a", session="s", created=NOW - n * DAY) for n in range(3)],
        (),
    )

    assert [str(entry.path) for entry in index.by_session("s")] == ["2.md", "1.md", "0.md"]


def test_no_name_is_no_session(index):
    index.apply([note("a.md", "a")], ())

    assert index.by_session("") == index.by_session() == []


def test_a_session_link_follows_every_change(index, place):
    place(note("a.md", "a", session="monday"))
    index.apply([note("a.md", "a", session="tuesday", size=2)], ())

    assert index.by_session("monday") == []
    assert [str(entry.path) for entry in index.by_session("tuesday")] == ["a.md"]


def test_doubtful_are_raw_and_contradicting_memories_that_hold_oldest_first(index, place):
    place(
        note("plain.md", "a", created=NOW),
        note("raw.md", "a", trust_tier="raw", created=NOW),
        note("against.md", "a", contradicts=("plain",), created=NOW - DAY),
        note("both.md", "a", trust_tier="raw", contradicts=("x", "y"), created=NOW - 2 * DAY),
        note("timeless.md", "a", trust_tier="raw"),
        note("ended.md", "a", trust_tier="raw", expires=NOW),
        note("gone.md", "a", contradicts=("plain",), invalidated=NOW - DAY),
        note("session.md", "a", type="session", trust_tier="raw"),
    )

    found = [str(entry.path) for entry in index.doubtful(NOW)]

    assert found == ["timeless.md", "both.md", "against.md", "raw.md"]


def test_what_holds_no_longer_is_told_by_path(index, place):
    place(
        note("c.md", "a", created=NOW, expires=NOW),
        note("a.md", "a", created=NOW, invalidated=NOW - DAY),
        note("b.md", "a", created=NOW, valid_until=NOW + DAY),
        note("d.md", "a", created=NOW),
    )

    assert [str(entry.path) for entry in index.ended(NOW)] == ["a.md", "c.md"]


def test_the_terms_of_a_note_are_those_of_its_words_not_of_its_day(index, place):
    place(note("a.md", "the migration waits", title="Locks", tags=("db",), created=NOW))

    assert index.terms("a.md") == {"lock", "migrat", "wait", "db"}
