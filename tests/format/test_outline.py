import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.format.body import split_body
from mnemos_files.format.outline import PART, named, outline
from mnemos_files.model.kind import KINDS, PLAIN

DECISION = KINDS["decision"]
NOTE = """intro
# A #
x
## B
```
## in code
```
y
### C
z
Two
lines
===
t

- item
---
"""

ROWS = [
    "# a", "## b", "### c", "#", "#x", "    # code", "\\# x", "a", "a b", "===", "---", "-", "***",
    "- item", "> quote", "", "", "```", "~~~", "## Why", "\\## Why", "1. one", "\ta", "## Why\r",
]  # fmt: skip
bodies = st.lists(st.sampled_from(ROWS), max_size=14).map("\n".join)


def shown(body: str, kind=PLAIN) -> list[tuple[int, str]]:
    return [(place.level, place.heading) for place in outline(body, kind)]


def test_headings_in_code_lists_and_quotations_are_none():
    assert shown(NOTE) == [(1, "A"), (2, "B"), (3, "C"), (1, "z Two lines")]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("", []),
        ("#", [(1, "")]),
        ("#tag", []),
        ("####### seven", []),
        ("   ### three blanks", [(3, "three blanks")]),
        ("    # four blanks", []),
        ("\\# escaped", []),
        ("## C# ##", [(2, "C#")]),
        ("## C#", [(2, "C#")]),
        ("# a\r\n\r\nb\r\n---\r\n", [(1, "a"), (2, "b")]),
        ("a\n-", [(2, "a")]),
        ("a\n\n---", []),
        ("---\n---", []),
        ("> a\n---", []),
        ("> a\nlazy\n---", []),
        ("- a\n---", []),
        ("- a\n\nb\n---", [(2, "b")]),
        ("a\n- b\n---", []),
        ("***\na\n===", [(1, "a")]),
        ("~~~\n# a", [(1, "a")]),
        ("~~~\n# a\n~~~", []),
    ],
)
def test_what_a_heading_is(body, found):
    assert shown(body) == found


def test_a_text_ends_where_the_next_heading_of_its_level_begins():
    body = "# A\na\n## B\nb\n### C\nc\n## D\nd\n"

    texts = {p.heading: (body[p.text : p.own], body[p.text : p.end]) for p in outline(body, PLAIN)}

    assert texts == {
        "A": ("a\n", "a\n## B\nb\n### C\nc\n## D\nd\n"),
        "B": ("b\n", "b\n### C\nc\n"),
        "C": ("c\n", "c\n"),
        "D": ("d\n", "d\n"),
    }


def test_a_part_ends_only_where_the_next_part_begins():
    body = "c\n\n# Top\n\nx\n\n## Why\n\ny\n\n# Big\n\nz\n\n## Why\n"

    places = outline(body, DECISION)

    assert [(p.level, p.heading) for p in places] == [
        (1, "Top"),
        (PART, "Why"),
        (1, "Big"),
        (2, "Why"),
    ]
    assert [p.end for p in places] == [13, len(body), len(body), len(body)]


@pytest.mark.parametrize(
    ("name", "levels"),
    [
        ("Log", [2, 2]),
        ("May > Log", [2]),
        ("# May > Log", []),
        ("## Log", [2, 2]),
        ("### Log", []),
        ("log", [2, 2]),
        ("  MAY > LOG ", [2]),
        ("May", [1]),
        ("a > b", [3]),
        ("Lo", []),
        ("", []),
    ],
)
def test_what_a_name_means(name, levels):
    body = "# May\n## Log\n# June\n## Log\n### a > b\n"

    assert [each.level for each in named(outline(body, PLAIN), name)] == levels


def test_an_exact_name_goes_before_one_in_other_letters():
    places = outline("# log\n# Log\n", PLAIN)

    assert [each.start for each in named(places, "Log")] == [6]


@given(bodies)
def test_places_are_nested_and_in_order(body):
    places = outline(body, DECISION)

    assert [p.start for p in places] == sorted(p.start for p in places)
    for place in places:
        assert place.start < place.text <= place.own <= place.end <= len(body) or (
            place.text == place.own == place.end == len(body)
        )
    for one, other in itertools.pairwise(places):
        assert one.own == other.start
        assert one.end <= other.start or one.end >= other.end


@given(bodies)
def test_parts_are_those_of_the_reader(body):
    parts = [p for p in outline(body, DECISION) if p.level == PART]
    _, sections = split_body(body, DECISION)

    assert [p.heading for p in parts] == ["Why"] * len(parts)
    assert len(parts) <= 1
    if sections:
        (place,) = parts
        assert body[place.text : place.end].strip() != ""


@pytest.mark.parametrize(
    "row", ["# a\n", "===\n", "a\n", "## a #" + " " * 50 + "b\n", "- \n", "> a\n"]
)
def test_a_large_text_is_read_in_linear_time(row):
    body = row * (1_000_000 // len(row))
    started = time.process_time()

    outline(body, PLAIN)

    assert time.process_time() - started < 20
