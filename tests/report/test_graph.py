"""Drawings of linked memories: complete while small, cut by a rule, the same every time."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.report.graph import DRAWINGS_MAX, MARGIN, ROW, ROWS_MAX, draw, legend
from mnemos_files.report.relations import KINDS, Relation


def chain(*paths: str, kind: str = "supersedes") -> list[Relation]:
    return [Relation(new, old, kind) for old, new in pairwise(paths)]


def rows(drawing) -> list[str]:
    return [dot.path for dot in drawing.dots]


def test_what_hangs_together_stands_together_oldest_first() -> None:
    projects = dict.fromkeys(["a", "x", "b", "y", "c", "alone"], "api")

    found = draw(projects, [*chain("a", "b", "c"), *chain("x", "y", kind="related")])

    (drawing,) = found.drawings
    assert rows(drawing) == ["a", "b", "c", "x", "y"]
    assert [dot.y for dot in drawing.dots] == [18, 54, 90, 126, 162]
    assert (found.linked, found.left_out) == (5, 0)
    assert list(legend(found.drawings)) == ["supersedes", "related"]


def test_an_arc_leads_from_the_naming_memory_to_the_arrow() -> None:
    found = draw({"old": "", "new": ""}, [Relation("new", "old", "supersedes")])

    (arc,) = found.drawings[0].arcs
    assert arc.line == "M22 54A14 18 0 0 1 15 18"
    assert arc.arrow == "M8 14L15 18L8 22z"


def test_a_group_is_drawn_in_the_project_that_most_of_it_is_of() -> None:
    projects = {"a": "api", "b": "web", "c": "api", "d": "web", "e": "web"}

    found = draw(projects, [*chain("a", "b", "c"), *chain("d", "e")])

    assert [(one.project, rows(one)) for one in found.drawings] == [
        ("api", ["a", "b", "c"]),
        ("web", ["d", "e"]),
    ]


def test_of_a_large_group_the_most_linked_are_drawn() -> None:
    names = [f"n{number:03}" for number in range(ROWS_MAX * 3)]
    star = [Relation(name, "n050", "refines") for name in names if name != "n050"]
    tail = chain("n000", *(f"z{number}" for number in range(5)))
    projects = dict.fromkeys([*names, *(f"z{number}" for number in range(5))], "api")

    found = draw(projects, [*star, *tail])

    (drawing,) = found.drawings
    assert len(drawing.dots) == ROWS_MAX
    assert {"n050", "n000"} <= set(rows(drawing))
    assert found.left_out == ROWS_MAX * 3 + 5 - ROWS_MAX


def test_the_projects_with_most_links_are_drawn() -> None:
    projects = {f"{name}{end}": f"p{name:02}" for name in range(20) for end in "ab"}
    projects |= {"19c": "p19"}
    relations = [Relation(f"{name}b", f"{name}a", "related") for name in range(20)]

    found = draw(projects, [*relations, Relation("19c", "19a", "related")])

    assert len(found.drawings) == DRAWINGS_MAX
    assert found.drawings[0].project == "p19"
    assert found.left_out == 2 * (20 - DRAWINGS_MAX)


LINE = re.compile(r"M(\d+) (\d+)A(\d+) \d+ 0 0 [01] \d+ (\d+)")
NAMES = [f"m{number}" for number in range(60)]
RELATIONS = st.lists(
    st.builds(Relation, st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from(KINDS)),
    max_size=150,
)


@given(RELATIONS, st.lists(st.sampled_from("abc"), min_size=60, max_size=60))
def test_every_drawing_keeps_inside_its_frame(relations: list[Relation], names: list[str]) -> None:
    wanted = [one for one in relations if one.source != one.target]
    projects = dict(zip(NAMES, names, strict=True))

    found = draw(projects, wanted)

    assert found == draw(projects, list(wanted))
    drawn = [path for one in found.drawings for path in rows(one)]
    assert len(drawn) == len(set(drawn))
    linked = {path for one in wanted for path in (one.source, one.target)}
    assert found.linked == len(linked)
    assert found.left_out == len(linked) - len(drawn)
    for one in found.drawings:
        assert len(one.dots) <= ROWS_MAX
        assert one.height == len(one.dots) * ROW
        assert {path for each in one.relations for path in (each.source, each.target)} <= set(drawn)
        for arc in one.arcs:
            x, start, width, end = map(int, LINE.fullmatch(arc.line).groups())
            assert x - width >= MARGIN
            assert x + MARGIN == one.width
            assert 0 < min(start, end) < max(start, end) < one.height
