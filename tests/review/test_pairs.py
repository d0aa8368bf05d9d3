"""Which memory became which, and what was done to it."""

import pytest

from mnemos_files.review.kinds import KINDS
from tests.review.conftest import Bench
from tests.review.notes import A, B, C, at, note

ONE, TWO, MOVED = at("one"), at("two"), "archive/2026-11-01-one.md"

CHANGES = {
    "new": ({}, {ONE: note()}, ("new",)),
    "deleted": ({ONE: note()}, {ONE: None}, ("deleted",)),
    "changed text": ({ONE: note()}, {ONE: note("Other.")}, ("changed",)),
    "changed property": ({ONE: note()}, {ONE: note(importance="9")}, ("changed",)),
    "a person's property": ({ONE: note()}, {ONE: note(mood="good")}, ("changed",)),
    "reformatted": ({ONE: note()}, {ONE: note(title='"Use Argon2id"')}, ("reformatted",)),
    "renamed": ({ONE: note()}, {ONE: None, MOVED: note()}, ("renamed",)),
    "renamed and changed": (
        {ONE: note()},
        {ONE: None, MOVED: note("Other.")},
        ("changed", "renamed"),
    ),
    "promoted": (
        {ONE: note(trust_tier="raw")},
        {ONE: note(trust_tier="curated", promoted_reason="read")},
        ("promoted",),
    ),
    "demoted": ({ONE: note()}, {ONE: note(trust_tier="raw")}, ("demoted",)),
    "superseded": (
        {ONE: note()},
        {ONE: note(invalidated="2026-11-20", invalidated_by='"[[two]]"', valid_until="2026-11-20")},
        ("superseded",),
    ),
    "invalidated": (
        {ONE: note()},
        {ONE: note("Other.", invalidated="2026-11-20", invalidated_reason="wrong")},
        ("invalidated", "changed"),
    ),
    "restored": (
        {ONE: note(invalidated="2026-11-20")},
        {ONE: note()},
        ("restored",),
    ),
    "a person's own note": ({}, {"Plan.md": "Buy milk.\n"}, ("new",)),
    "a person's own note renamed": (
        {"Plan.md": "Buy milk.\n"},
        {"Plan.md": None, "Old plan.md": "Buy milk.\n"},
        ("renamed",),
    ),
}


@pytest.mark.parametrize(("before", "after", "expected"), CHANGES.values(), ids=CHANGES)
def test_the_kind_of_a_change(before, after, expected, bench: Bench):
    bench.commit(before)
    bench.commit(after)

    (memory,) = bench.review("HEAD").memories

    assert memory.kinds == expected


def test_every_kind_has_an_example():
    shown = {kind for _, _, kinds in CHANGES.values() for kind in kinds}

    assert shown == {kind.name for kind in KINDS} | {"reformatted"}


def test_a_file_that_comes_back_by_the_tool_is_restored(bench: Bench):
    bench.commit({ONE: note()})
    bench.commit({ONE: None})
    bench.commit({ONE: note()}, "restore(decision): Use Argon2id\n\nMnemos-Op: restore\n")

    (memory,) = bench.review("HEAD").memories

    assert memory.kinds == ("restored",)


def test_a_renamed_memory_is_one_memory_with_both_paths(bench: Bench):
    bench.commit({ONE: note()})
    bench.commit({ONE: None, MOVED: note("bcrypt caps its input at 71 bytes.")})

    (memory,) = bench.review("HEAD").memories

    assert (memory.before_path, memory.path) == (ONE, MOVED)
    assert [difference.name for difference in memory.differences] == ["text"]


def test_two_memories_that_swap_their_places_are_two_renamed_ones_with_ids_told(bench: Bench):
    bench.commit({ONE: note("First."), TWO: note("Second.", id=B)})
    bench.commit({ONE: note("Second.", id=B), TWO: note("First.")})

    found = bench.review("HEAD")

    assert [memory.path for memory in found.memories] == [ONE, TWO]
    assert {finding.rule for finding in found.findings()} == {"identity-changed"}


def test_many_deleted_and_new_ones_are_not_mixed_up(bench: Bench):
    bench.commit({at(f"n{n}"): note(f"Text {n}.", id=C[:-1] + str(n)) for n in range(8)})
    moves = {at(f"n{n}"): None for n in range(8)}
    bench.commit(moves | {f"x/m{n}.md": note(f"Text {n}.", id=C[:-1] + str(n)) for n in range(8)})

    memories = bench.review("HEAD").memories

    assert [(m.before_path, m.path) for m in memories] == [
        (at(f"n{n}"), f"x/m{n}.md") for n in range(8)
    ]


def test_authors_are_told_apart_by_trailers_and_by_the_address(bench: Bench):
    trailers = "save\n\nMnemos-Op: save\nMnemos-Agent: codex\nMnemos-Session: [[login]]\n"
    bench.commit({ONE: note()}, trailers)
    bench.commit({ONE: note("Other.")}, agent=True)
    bench.commit({ONE: note("Third.")})

    (memory,) = bench.review("HEAD~3..HEAD").memories

    assert [(a.name, a.is_agent, a.session) for a in memory.authors] == [
        ("Ines Example", False, ""),
        ("claude-code", True, ""),
        ("codex", True, "login"),
    ]
    assert len(memory.commits) == 3


def test_who_wrote_what_is_not_committed_is_not_guessed(bench: Bench):
    bench.write({ONE: note(trust_tier="skill")})

    (memory,) = bench.review().memories

    assert memory.authors == ()
    assert memory.id == A


def test_a_memory_without_an_id_that_is_renamed_says_what_it_said(bench: Bench):
    text = "---\ntype: decision\ntitle: By hand\n---\nWritten by a person, without an id.\n"
    bench.commit({"observations/a.md": text})
    bench.commit({"observations/a.md": None, "observations/b.md": text})

    (memory,) = bench.review("HEAD").memories

    assert (memory.kinds, memory.differences) == (("renamed",), ())
