"""What no tool takes: a clear error each time, and nothing changes.

Wrong types, lengths, bounds and names are made from the signature of each operation; what only a
person can think of stands in a table by hand.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemos_files.operations.arguments import parameters
from mnemos_files.operations.operation import Operation
from mnemos_files.operations.table import OPERATIONS
from mnemos_files.operations.values import Parameter, Shape
from mnemos_files.server.tools import Toolbox
from mnemos_files.store.store import Store
from tests.conftest import an_observation, git

BY_NAME = {row.name: row for row in OPERATIONS}
KNOWN = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
UNKNOWN = "01KBC3W6H5M0V2T8N4Q9F7K3QY"
CANDIDATE = "rumination-0123456789ab"

VALID: dict[str, dict[str, object]] = {
    "save": {"title": "T", "content": "C", "type": "decision"},
    "search": {"query": "argon"},
    "get": {"id": KNOWN},
    "delete": {"id": KNOWN},
    "link": {"source_id": KNOWN, "target_id": "Home.md", "link_type": "related"},
    "promote": {"id": KNOWN, "to_tier": "raw", "why_better": "It failed on three machines."},
    "correct": {"title": "T", "tried": "A", "wrong_because": "B", "fix": "C"},
    "convention": {"title": "T", "rule": "R", "project": "api"},
    "touch": {"path": "src/app.py", "project": "api"},
    "session_start": {},
    "session_end": {"session_id": UNKNOWN, "summary": "S"},
    "context": {"query": "argon"},
    "premortem": {"plan": "hash passwords"},
    "skill_match": {"query": "argon"},
    "skill_save": {"name": "hash", "description": "Hash it.", "procedure": "1. Hash."},
    "skill_score": {"id": UNKNOWN},
    "skill_use": {"id": UNKNOWN, "outcome": "success"},
    "ruminate_list": {},
    "ruminate_pack": {"id": CANDIDATE},
    "ruminate_resolve": {"id": CANDIDATE, "resolved_by": KNOWN, "why_better": "It holds on macOS."},
    "ruminate_dismiss": {"id": CANDIDATE, "reason": "The data was wrong."},
    "edit": {"id": KNOWN, "append": "More."},
    "invalidate": {"id": KNOWN, "reason": "It was measured again."},
    "restore": {"id": KNOWN, "version": "0123456789"},
    "history": {"id": KNOWN},
    "provenance": {"id": KNOWN},
    "changes": {"since": "7d"},
    "stats": {},
}
"""Arguments of a call that every operation would take; only what is put into them is wrong."""

WRONG: dict[Shape, tuple[object, ...]] = {
    Shape.TEXT: (7, True, ["a"], {"a": 1}, 1.5),
    Shape.INTEGER: ("many", 1.5, [1], {}, True, "1e400", 10**400),
    Shape.NUMBER: ("many", [1], {}, True, "nan"),
    Shape.BOOLEAN: ("perhaps", 2, [], {}),
    Shape.TEXTS: (7, {"a": 1}, [1, 2], [["a"]], [None], "[not json", "a, b"),
}

BY_HAND: tuple[tuple[str, dict[str, object], str], ...] = (
    ("save", {"title": " \n"}, "title: is required"),
    ("save", {"content": "\t"}, "content: is required"),
    ("save", {"type": "thought"}, "type: must be one of"),
    ("save", {"type": "skill"}, "type: must be one of"),
    ("save", {"importance": 11}, "importance: must be a whole number 0..10"),
    ("save", {"importance": -1}, "importance: must be a whole number 0..10"),
    ("save", {"source_kind": "gossip"}, "source_kind: must be one of"),
    ("save", {"trust_tier": "gold"}, "trust_tier: must be one of"),
    ("save", {"valid_from": "2026-02-30"}, "valid_from"),
    ("save", {"valid_from": "yesterday"}, "valid_from"),
    ("save", {"valid_until": "0000-01-01"}, "valid_until"),
    ("save", {"valid_from": "2026-05-02", "valid_until": "2026-05-01"}, "valid_until"),
    ("save", {"session_id": UNKNOWN}, UNKNOWN),
    ("save", {"supersedes": [UNKNOWN]}, UNKNOWN),
    ("save", {"supersedes": ["Home.md"]}, "a person's own note"),
    ("save", {"supersedes": ["../outside"]}, "path"),
    ("save", {"title": "A\0B"}, "title"),
    ("save", {"text": "C"}, "text: no such argument"),
    ("search", {"query": "  "}, "query: is required"),
    ("search", {"as_of": "soon"}, "as_of"),
    ("search", {"type": "thought"}, "type: must be one of"),
    ("get", {"id": UNKNOWN}, UNKNOWN),
    ("get", {"id": "../../etc/passwd"}, "path"),
    ("get", {"id": ""}, "path"),
    ("delete", {"id": UNKNOWN}, UNKNOWN),
    ("delete", {"id": "Missing note"}, "Missing note"),
    ("link", {"target_id": UNKNOWN}, UNKNOWN),
    ("link", {"link_type": "likes"}, "link_type: must be one of"),
    ("link", {"target_id": KNOWN, "link_type": "supersedes"}, "cannot supersede itself"),
    ("link", {"from_id": KNOWN}, "from_id: no such argument"),
    ("promote", {"id": UNKNOWN}, UNKNOWN),
    ("promote", {"to_tier": ""}, "to_tier: must be one of"),
    ("promote", {"why_better": "it is better"}, "why_better: must have at least 16"),
    ("correct", {"title": ""}, "title: is required"),
    ("correct", {"tried": "", "wrong_because": " ", "fix": ""}, "must say something"),
    ("correct", {"session_id": UNKNOWN}, UNKNOWN),
    ("convention", {"rule": "\n"}, "rule: is required"),
    ("touch", {"path": " "}, "path"),
    ("touch", {"session_id": UNKNOWN}, UNKNOWN),
    ("touch", {"path": "a\0b"}, "path"),
    ("session_end", {}, UNKNOWN),
    ("session_end", {"session_id": ""}, "session_id"),
    ("session_end", {"session_id": KNOWN}, KNOWN),
    ("session_end", {"status": "fine"}, "status: must be one of"),
    ("context", {"query": ""}, "query"),
    ("context", {"mode": "recovery", "session_id": ""}, "session_id"),
    ("context", {"mode": "rewind"}, "mode: must be one of"),
    ("premortem", {"plan": " "}, "plan"),
    ("skill_match", {"query": ""}, "query"),
    ("skill_save", {"name": " "}, "name"),
    ("skill_save", {"description": ""}, "description"),
    ("skill_save", {"procedure": "\n"}, "procedure"),
    ("skill_score", {}, UNKNOWN),
    ("skill_score", {"id": KNOWN}, "skill"),
    ("skill_use", {}, UNKNOWN),
    ("skill_use", {"id": KNOWN}, "skill"),
    ("skill_use", {"outcome": "meh"}, "outcome: must be one of"),
    ("ruminate_pack", {}, CANDIDATE),
    ("ruminate_pack", {"id": KNOWN}, KNOWN),
    ("ruminate_resolve", {}, CANDIDATE),
    ("ruminate_resolve", {"why_better": "because"}, "why_better"),
    ("ruminate_resolve", {"resolved_by": ""}, "resolved_by"),
    ("ruminate_dismiss", {}, CANDIDATE),
    ("ruminate_dismiss", {"reason": "noise"}, "reason"),
    ("edit", {"id": UNKNOWN}, UNKNOWN),
    ("edit", {"id": "../outside"}, "path"),
    ("edit", {"append": " "}, "says nothing to change"),
    ("edit", {"append": "", "content": "x"}, "expected_version: is needed"),
    ("edit", {"append": "", "content": "x", "expected_version": KNOWN}, "its version is now"),
    ("edit", {"content": "x", "expected_version": KNOWN}, "append: does not go with content"),
    ("edit", {"section": "Nowhere"}, "has no heading 'Nowhere'"),
    ("edit", {"set": ["id: x"]}, "id is not changed by an edit"),
    ("edit", {"set": ["no value"]}, "no key with a value"),
    ("edit", {"text": "x"}, "text: no such argument"),
    ("invalidate", {"id": UNKNOWN}, UNKNOWN),
    ("invalidate", {"id": "Home.md"}, "a person's own note"),
    ("invalidate", {"reason": " "}, "reason: is required"),
    ("invalidate", {"valid_until": "soon"}, "valid_until"),
    ("invalidate", {"valid_until": "2999-01-01"}, "valid_until: lies in the future"),
    ("restore", {"id": UNKNOWN}, UNKNOWN),
    ("restore", {"id": "Home.md"}, "a person's own note"),
    ("restore", {"version": ""}, "version: is needed"),
    ("restore", {}, "0123456789"),
    ("history", {"id": UNKNOWN}, UNKNOWN),
    ("history", {"id": "../outside"}, "path"),
    ("history", {"id": ""}, "empty name"),
    ("history", {"offset": -1}, "offset: must be a whole number of at least 0"),
    ("provenance", {"id": UNKNOWN}, UNKNOWN),
    ("provenance", {"blame": "maybe"}, "blame: must be true or false"),
    ("changes", {"since": " "}, "since: is required"),
    ("changes", {"since": "soon"}, "is no time, and no commit"),
    ("changes", {"since": "0123456789abcdef"}, "is no time, and no commit"),
    ("changes", {"since": "--all"}, "is no time, and no commit"),
    ("changes", {"since": "999999w"}, "since: '999999w' is too long ago"),
    ("changes", {"until": "HEAD..HEAD"}, "until: 'HEAD..HEAD' is no time"),
    ("changes", {"limit": 101}, "limit: must be a whole number 0..100"),
)


@pytest.fixture
def toolbox(store: Store) -> Toolbox:
    """Tools on a vault that holds one memory."""
    store.put(an_observation(store, id=KNOWN))
    return Toolbox(OPERATIONS, lambda: store)


def state(vault: Path) -> tuple[str, str]:
    return git(vault, "rev-parse", "HEAD"), git(vault, "status", "--short", "--untracked-files=all")


def refuse(toolbox: Toolbox, vault: Path, name: str, changed: dict[str, object]) -> str:
    """The error of a call that must fail and leave everything as it was."""
    before = state(vault)

    answer = toolbox.call(BY_NAME[name], VALID[name] | changed)

    assert answer.is_error, f"{name} took {changed}"
    assert state(vault) == before
    text = answer.content[0].text
    assert len(text) < 1_500
    return text


def generated(operation: Operation) -> Iterator[tuple[str, dict[str, object]]]:
    """Arguments that are wrong by the signature alone, with the name that an error must tell."""
    yield "no_such_thing", {"no_such_thing": 1}
    for field in parameters(operation.run):
        for value in (*WRONG[field.shape], *_out_of_bounds(field)):
            yield field.name, {field.name: value}


def _out_of_bounds(field: Parameter) -> Iterator[object]:
    rules = field.rules
    if field.shape is Shape.TEXTS:
        yield ["\ud800"]
        yield from ([["x"] * (rules.max_items + 1)] if rules.max_items else [])
        yield from ([["x" * (rules.max_length + 1)]] if rules.max_length else [])
    elif field.shape is Shape.TEXT:
        yield "half \ud800 a letter"
        yield from (["x" * (rules.max_length + 1)] if rules.max_length else [])
        yield from (["none of these"] if rules.choices else [])
    elif field.shape in (Shape.INTEGER, Shape.NUMBER):
        yield from ([rules.low - 1] if rules.low is not None else [])
        yield from ([rules.high + 1] if rules.high is not None else [])


def test_the_tables_know_every_operation():
    assert set(VALID) == set(BY_NAME)
    assert {name for name, _, _ in BY_HAND} == set(BY_NAME) - {
        "session_start",
        "stats",
        "ruminate_list",
    }


@pytest.mark.parametrize("name", BY_NAME)
def test_arguments_that_the_signature_forbids_are_refused(toolbox: Toolbox, vault: Path, name: str):
    for field, changed in generated(BY_NAME[name]):
        assert field in refuse(toolbox, vault, name, changed)


@pytest.mark.parametrize("name", BY_NAME)
def test_a_missing_argument_is_named(toolbox: Toolbox, vault: Path, name: str):
    needed = [field.name for field in parameters(BY_NAME[name].run) if field.required]

    for field in needed:
        assert f"{field}: required" in refuse(toolbox, vault, name, {field: None})


@pytest.mark.parametrize(("name", "changed", "told"), BY_HAND)
def test_what_cannot_be_is_refused(
    toolbox: Toolbox, vault: Path, name: str, changed: dict[str, object], told: str
):
    assert told in refuse(toolbox, vault, name, changed)


@pytest.mark.parametrize("name", BY_NAME)
def test_every_text_and_list_has_a_bound(name: str):
    for field in parameters(BY_NAME[name].run):
        if field.shape is Shape.TEXT:
            assert field.rules.max_length or field.rules.choices, field.name
        if field.shape is Shape.TEXTS:
            assert field.rules.max_items, field.name
