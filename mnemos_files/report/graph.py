"""Linked memories as rows with arcs beside them, the same every time. Pure.

An arc diagram: each memory is a row of text, each link an arc at its left edge. Rows never overlap
and are as wide as the page, so a drawing reads on a phone as on a desk, with 5 rows as with 50.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from mnemos_files.report.relations import Relation, groups

ROWS_MAX = 40
"""Rows [1] of a drawing: about two screens of a phone."""
DRAWINGS_MAX = 12

ROW = 36
"""Height of a row [units of the drawing; 16 of them are an em of the page]."""
MARGIN = 8
"""Room [units] at the sides of a drawing."""

_ARC_MIN = 14
ARC_MAX = 80
"""Width of the widest arc [units]."""
_ARROW = 7
_SETTLED = 4
"""Distance [rows] from which arcs are drawn wider more slowly."""


@dataclass(frozen=True, slots=True)
class Arc:
    """A link: what it means, and two paths [SVG], its line and its arrow head."""

    kind: str
    line: str
    arrow: str


@dataclass(frozen=True, slots=True)
class Dot:
    """Where a row's memory stands [units]."""

    path: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """The linked memories of a project: their rows from top to bottom, and the links among them."""

    project: str
    dots: tuple[Dot, ...]
    arcs: tuple[Arc, ...]
    relations: tuple[Relation, ...]
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Drawings:
    """The drawings, the one with most linked memories first, and how many linked ones are in none.

    `linked` counts the memories that have links.
    """

    drawings: tuple[Drawing, ...]
    linked: int
    left_out: int


def draw(projects: Mapping[str, str], relations: Sequence[Relation]) -> Drawings:
    """Drawings of memories, given by path in the order of time with their projects.

    What hangs together is drawn together, in the project that most of it is of. Of more than
    `ROWS_MAX` the most linked are shown.
    """
    found = [group for group in groups(projects, relations) if len(group) > 1]
    by_project: dict[str, list[list[str]]] = defaultdict(list)
    for group in found:
        counts = Counter(projects[path] for path in group)
        by_project[min(counts, key=lambda name: (-counts[name], name))].append(group)
    sizes = {name: sum(map(len, members)) for name, members in by_project.items()}
    names = sorted(sizes, key=lambda name: (-sizes[name], name))[:DRAWINGS_MAX]
    drawings = tuple(_drawing(name, by_project[name], projects, relations) for name in names)
    linked = sum(sizes.values())
    return Drawings(drawings, linked, linked - sum(len(one.dots) for one in drawings))


def _drawing(
    project: str,
    members: Iterable[list[str]],
    order: Iterable[str],
    relations: Sequence[Relation],
) -> Drawing:
    place = {path: number for number, path in enumerate(order)}
    rows: list[str] = []
    for group in sorted(members, key=lambda each: (-len(each), place[each[0]])):
        kept = _most_linked(group, relations) if len(group) > ROWS_MAX else group
        if len(rows) + len(kept) <= ROWS_MAX:
            rows += sorted(kept, key=place.__getitem__)
    heights = {path: number * ROW + ROW // 2 for number, path in enumerate(rows)}
    shown = [one for one in relations if one.source in heights and one.target in heights]
    ends = [(heights[one.source], heights[one.target]) for one in shown]
    x = MARGIN + max((_width(*each) for each in ends), default=0)
    arcs = [_arc(one.kind, x, *each) for one, each in zip(shown, ends, strict=True)]
    dots = tuple(Dot(path, x, heights[path]) for path in rows)
    return Drawing(project, dots, tuple(arcs), tuple(shown), x + MARGIN, len(rows) * ROW)


def _most_linked(group: Sequence[str], relations: Iterable[Relation]) -> list[str]:
    """As many as fit, that hang together: from the most linked one on, always the next best."""
    inside, order = set(group), {path: number for number, path in enumerate(group)}
    near: dict[str, set[str]] = defaultdict(set)
    for one in relations:
        if one.source in inside:
            near[one.source].add(one.target)
            near[one.target].add(one.source)

    def rank(path: str) -> tuple[int, int, str]:
        return -len(near[path]), order[path], path

    waiting = [min(map(rank, group))]
    seen, kept = {waiting[0][-1]}, list[str]()
    while waiting and len(kept) < ROWS_MAX:
        path = heappop(waiting)[-1]
        kept.append(path)
        for other in near[path] - seen:
            heappush(waiting, rank(other))
        seen |= near[path]
    return kept


def _width(start: int, end: int) -> int:
    """How far an arc between two heights bulges to the left."""
    distance = abs(end - start) // ROW
    width = _ARC_MIN * min(distance, _SETTLED) + 2 * max(distance - _SETTLED, 0)
    return min(width, ARC_MAX)


def _arc(kind: str, x: int, start: int, end: int) -> Arc:
    """An arc from the linking memory to the one it names, both at `x`."""
    sweep = 0 if end > start else 1
    tip = x - _ARROW
    radii = f"{_width(start, end)} {abs(end - start) // 2}"
    line = f"M{x} {start}A{radii} 0 0 {sweep} {tip} {end}"
    return Arc(kind, line, f"M{tip - _ARROW} {end - 4}L{tip} {end}L{tip - _ARROW} {end + 4}z")


def legend(drawings: Iterable[Drawing]) -> Iterator[str]:
    """The kinds of links that some drawings have, each once, in the order of their links."""
    return iter(dict.fromkeys(one.kind for each in drawings for one in each.relations))
