"""Every row of the table of rules."""

import pytest

from mnemos_files.format.keys import KEYS
from mnemos_files.format.merging.rules import FIELD_RULES, Clash, Sides, merge_key

IN_QUESTION = {"id", "type", "title", "project"}
"""Keys of ours whose two values only a person can choose between."""

ROWS = [(row, key) for row in FIELD_RULES for key in row.keys]
SAMPLES = [
    ("2026-01-01", "2026-02-01", "2026-03-01"),
    ("5", "6", "7"),
    ("raw", "curated", "skill"),
    (("a", "b"), ("a", "c"), ("b", "d")),
    ("one", ("two",), "three"),
    (None, "x", "y"),
    ("x", None, "y"),
    ("x", "y", None),
]


def sides(key: str, base: object, first: object, second: object) -> Sides:
    return Sides(*({} if value is None else {key: value} for value in (base, first, second)))


def test_every_key_of_ours_has_a_rule_or_is_a_question():
    keys = {key for row in FIELD_RULES for key in row.keys}

    assert set(KEYS) - keys == IN_QUESTION


@pytest.mark.parametrize(("row", "key"), ROWS, ids=[f"{row.kind}-{key}" for row, key in ROWS])
def test_a_change_of_one_side_counts_whatever_the_rule(row, key):
    for base, first, second in SAMPLES:
        assert merge_key(key, sides(key, base, first, base), row.kind) == first
        assert merge_key(key, sides(key, base, base, second), row.kind) == second
        assert merge_key(key, sides(key, base, first, first), row.kind) == first


@pytest.mark.parametrize(("row", "key"), ROWS, ids=[f"{row.kind}-{key}" for row, key in ROWS])
def test_two_changes_give_a_value_or_a_question_and_never_fail(row, key):
    for sample in SAMPLES:
        result = merge_key(key, sides(key, *sample), row.kind)

        assert result is None or isinstance(result, str | tuple | Clash)
        if isinstance(result, Clash):
            assert result.kept in sample[1:]


@pytest.mark.parametrize(
    ("kind", "key", "sample", "expected"),
    [
        ("", "tags", (("a", "b"), ("a", "c"), ("b", "d")), ("c", "d")),
        ("", "aliases", (None, ("b", "a"), ("c", "a")), ("a", "b", "c")),
        ("", "mine", (("a",), ("a", "b"), ("c",)), ("b", "c")),
        ("", "mine", ("a", "b", "c"), Clash("b", "c")),
        ("", "mine", ("a", None, "c"), Clash("c", "")),
        ("", "mine", ("a", "b", None), Clash("b", "")),
        ("", "created", (None, "2026-02-01", "2026-01-01T05:00+09"), "2026-01-01T05:00+09"),
        ("", "created", (None, "soon", "2026-01-01"), Clash("soon", "2026-01-01")),
        ("", "invalidated", ("2026-01-01", None, "2026-02-01"), "2026-02-01"),
        ("", "importance", ("5", "9", "2"), "9"),
        ("", "importance", ("5", "high", "2"), Clash("high", "2")),
        ("", "trust_tier", ("raw", None, "skill"), "curated"),
        ("", "promoted_reason", ("x", "x; late", "x; soon"), "x; soon; late"),
        ("", "mnemos-version", ("3", "5", "4"), "6"),
        ("", "mnemos-version", (None, "5", "4"), "5"),
        ("", "mnemos-version", ("9", "1", "2"), "2"),
        ("rumination", "status", ("pending", "Dismissed", "resolved"), "resolved"),
        ("rumination", "severity", ("low", "medium", "loud"), "medium"),
        ("", "status", ("open", "done", "later"), Clash("done", "later")),
    ],
)  # fmt: skip
def test_rules_by_example(kind, key, sample, expected):
    assert merge_key(key, sides(key, *sample), kind) == expected


def test_a_status_of_a_session_goes_with_the_later_end():
    both = Sides(
        {},
        {"status": "failed", "ended": "2026-12-01T10:00:00Z"},
        {"status": "ok", "ended": "2026-12-01T11:00:00Z"},
    )

    assert merge_key("status", both, "session") == "ok"


def test_a_successor_is_that_of_the_side_that_changed_the_end():
    both = Sides(
        {"invalidated": "2026-12-01", "invalidated_by": "[[a]]"},
        {"invalidated": "2026-12-01", "invalidated_by": "[[b]]"},
        {"invalidated": "2026-12-02", "invalidated_by": "[[c]]"},
    )

    assert merge_key("invalidated_by", both, "") == "[[c]]"
