"""Places that links name."""

import pytest

from mnemos_files.format.anchors import NOWHERE, find_anchor, split_anchor
from mnemos_files.model.kind import KINDS

BODY = """Above all.

# Plan

## Steps: one, two

- item one
- item two ^item

A paragraph
of two lines. ^both

| a | table |
|---|---|

^table

# Goal

## Steps
"""


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("[[Note#Heading|shown]]", ("Note", "Heading")),
        ("![[Note#^block]]", ("Note", "^block")),
        ("Note#One#Two", ("Note", "One#Two")),
        ("Note", ("Note", "")),
        ("[[folder/Note.md]]", ("folder/Note.md", "")),
        ("#Heading", ("", "Heading")),
    ],
)
def test_a_link_names_a_note_and_a_place_in_it(name, parts):
    assert split_anchor(name) == parts


@pytest.mark.parametrize(
    ("anchor", "line"),
    [
        ("Plan", "# Plan"),
        ("plan", "# Plan"),
        ("Steps one, two", "## Steps: one, two"),
        ("Steps", "## Steps\n"),
        ("Goal#Steps", "## Steps\n"),
        ("Plan#Steps: one, two", "## Steps: one"),
        ("^item", "- item one"),
        ("^both", "A paragraph"),
        ("^table", "| a | table |"),
    ],
)
def test_a_place_is_found(anchor, line):
    at = find_anchor(BODY, anchor, KINDS["context"])

    assert BODY[at:].startswith(line)


@pytest.mark.parametrize("anchor", ["Missing", "Plan#Goal", "^none", "^", "", "#", "^i"])
def test_a_place_that_is_not_there_is_nowhere(anchor):
    assert find_anchor(BODY, anchor, KINDS["context"]) == NOWHERE


def test_the_parts_of_a_memory_are_places():
    body = "Use it.\n\n## Why\n\nIt is fast."

    assert body[find_anchor(body, "Why", KINDS["decision"]) :] == "## Why\n\nIt is fast."
