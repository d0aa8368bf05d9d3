"""Scope: which notes a question may be answered from."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemos_files.index.document import entry_of
from mnemos_files.index.filters import held
from mnemos_files.index.row import make_row
from mnemos_files.model.problem import Problem
from mnemos_files.model.query import Query
from mnemos_files.model.record import TIME_FIELDS
from tests.index.conftest import NOW, found, note, search

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("fields", "query", "is_found"),
    [
        ({"type": "decision"}, {"type": "decision"}, True),
        ({"type": "decision"}, {"type": "bugfix"}, False),
        ({"project": "api"}, {"project": "api"}, True),
        ({"project": "web"}, {"project": "api"}, False),
        ({}, {"project": "api"}, True),
        ({"agent": "codex"}, {"agent": "codex"}, True),
        ({}, {"agent": "codex"}, False),
        ({"importance": 7}, {"min_importance": 7}, True),
        ({"importance": 6}, {"min_importance": 7}, False),
        ({"trust_tier": "raw"}, {}, False),
        ({"trust_tier": "raw"}, {"include_raw": True}, True),
        ({"trust_tier": "skill"}, {}, True),
        ({"tags": ("Red", "blue")}, {"tags": ("red", "BLUE")}, True),
        ({"tags": ("red",)}, {"tags": ("red", "blue")}, False),
        ({"tags": ("a/B/c",)}, {"tags": ("A/b/C",)}, True),
        ({"tags": ("a/b/c",)}, {"tags": ("a/b",)}, False),
        ({"tags": ("a/b/c",)}, {"tags": ("A/B/",)}, True),
        ({"tags": ("a/b/c",)}, {"tags": ("a/b/c/", "a/")}, True),
        ({"tags": ("ab/c",)}, {"tags": ("a/",)}, False),
        ({"invalidated": NOW - DAY}, {}, False),
        ({"invalidated": NOW - DAY}, {"include_stale": True}, True),
        ({"invalidated": NOW - DAY}, {"as_of": NOW - 2 * DAY}, True),
        ({"invalidated": NOW}, {}, False),
        ({"valid_until": NOW + DAY}, {}, True),
        ({"valid_until": NOW + DAY, "expires": NOW - DAY}, {}, False),
        ({"expires": NOW + DAY}, {}, True),
        ({"expires": NOW + DAY}, {"as_of": NOW + 2 * DAY}, False),
        ({"type": "session"}, {}, False),
        ({"type": "session"}, {"type": "session"}, True),
        ({"type": "skill"}, {"include_raw": True, "include_stale": True}, False),
        ({"type": "skill"}, {"type": "skill"}, True),
        ({"type": "skill"}, {"type": "session"}, False),
        ({"type": "recipe"}, {}, True),
        ({"type": ""}, {}, True),
    ],
)
@pytest.mark.parametrize("is_on_disk", [False, True])
def test_a_note_is_in_scope_or_not(index, fields, query, is_found, is_on_disk):
    index.apply([note("a.md", "lighthouse", **fields)], ())
    if is_on_disk:
        index.flush()

    assert found(index, "lighthouse", **query) == (["a.md"] if is_found else [])


MOMENTS = st.integers(-4, 4).map(lambda days: NOW + days * DAY)
TIMES = st.none() | MOMENTS


@settings(max_examples=200, deadline=None)
@given(
    st.fixed_dictionaries(dict.fromkeys(TIME_FIELDS, TIMES)),
    st.sampled_from(["", "other"]),
    MOMENTS,
    TIMES,
)
def test_columns_say_the_same_of_a_time_as_the_record(fields, by, valid_at, known_at):
    one = note("a.md", "lighthouse", invalidated_by=by, **fields)
    row = make_row(entry_of(one), ())
    query = Query(text="", now=NOW, valid_at=valid_at, known_at=known_at)

    in_scope = held(lambda name: row[name][None], query)

    assert bool(in_scope[0]) == one.note.record.held(valid_at, known_at or NOW)


@pytest.mark.parametrize("rule", ["conflict-markers", "not-utf8"])
def test_what_cannot_be_read_as_it_was_meant_is_not_handed_out(index, rule):
    one = note("a.md", "lighthouse")
    broken = replace(one, note=replace(one.note, problems=(Problem("a.md", 1, rule, "x"),)))
    index.apply([broken], ())

    assert found(index, "lighthouse", include_raw=True, include_stale=True) == []


def test_other_problems_do_not_hide_a_note(index):
    one = note("a.md", "lighthouse")
    odd = replace(one, note=replace(one.note, problems=(Problem("a.md", 1, "bad-value", "x"),)))
    index.apply([odd], ())

    assert found(index, "lighthouse") == ["a.md"]


def test_a_new_end_of_the_same_text_counts_at_once(index):
    index.apply([note("a.md", "lighthouse")], ())
    index.apply([note("a.md", "lighthouse", invalidated=NOW - DAY, size=2)], ())

    assert found(index, "lighthouse") == []


def test_notes_out_of_scope_do_not_lift_others_over_the_floor(index):
    index.apply([note("a.md", "lighthouse fog horn", trust_tier="raw")], ())
    index.apply([note("b.md", "horn")], ())

    assert found(index, "lighthouse fog horn", floor=0.9) == []


def test_totals_do_not_count_what_has_tools_of_its_own(index):
    index.apply([note(f"{n}.md", "lighthouse") for n in range(7)], ())
    index.apply([note(f"s{n}.md", "lighthouse", type="skill") for n in range(5)], ())
    index.apply([note("x.md", "lighthouse", type="session")], ())

    assert search(index, "lighthouse").total == 7
    assert search(index, "lighthouse", type="skill").total == 5
    assert search(index, "lighthouse", type="session", limit=0).total == 1


def test_a_tag_that_only_looks_like_another_by_its_bits_is_told_apart(index):
    names = [f"tag{n}" for n in range(400)]
    index.apply([note(f"{name}.md", "lighthouse", tags=(name,)) for name in names], ())

    for name in names[:40]:
        assert found(index, "lighthouse", tags=(name.upper(),)) == [f"{name}.md"]
