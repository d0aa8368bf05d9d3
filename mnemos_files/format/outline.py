"""The headings of a markdown text and what stands below each. Pure.

Headings are those of CommonMark 0.31, sections 4.2 and 4.3, outside of fenced code, lists and
quotations. In a record the parts of its kind stand above all others: a part ends where the next
part begins, whatever headings its text has.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from mnemos_files.format.body import part_lines
from mnemos_files.format.fences import closed_fences, may_have_fences
from mnemos_files.model.kind import Kind

PART = 0
"""Level of the heading of a part."""

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t\r]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:(=+)|-+)[ \t]*\r?")
_BLANK = re.compile(r"[ \t]*\r?")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}\r?")
_NO_PARAGRAPH = re.compile(r" {4}| {0,3}(?:\t|>|(?:[-*+]|\d{1,9}[.)])(?:[ \t\r]|$))")
"""Lines that are indented, of a quotation or of a list."""

_MARKS = re.compile(r"#{1,6}(?=[ \t])")
_STEP = " > "
_LEVELS = 7
_NONE, _OTHER = -1, -2
_CODE = "    "
_INTERRUPTS = re.compile(r" {0,3}(?:>|(?:[-*+]|1[.)])[ \t])")
"""Lines that end a paragraph without a blank line: of a quotation or of a list."""


@dataclass(frozen=True, slots=True)
class Place:
    """A heading and its text, as offsets in the body [characters].

    `start` is where the heading begins and `text` the line below it, `own` where its first nested
    heading begins and `end` where its last one ends. `above` are the headings that it is in.
    """

    heading: str
    level: int
    start: int
    text: int
    own: int
    end: int
    above: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The heading as it is written in front of a text."""
        return f"{'#' * (self.level or 2)} {self.heading}"


@dataclass(frozen=True, slots=True)
class _Mark:
    heading: str
    level: int
    first: int
    last: int


def outline(body: str, kind: Kind) -> tuple[Place, ...]:
    """Every heading of a body in file order; `kind` tells which ones begin a part."""
    lines = body.split("\n")
    starts = [*accumulate((len(line) + 1 for line in lines), initial=0)]
    starts[-1] = len(body)
    fences = closed_fences(lines) if may_have_fences(body) else {}
    marks = list(_marks(lines, fences, part_lines(lines, kind, fences)))
    ends = _ends(marks, [starts[mark.first] for mark in marks], len(body))
    places: list[Place] = []
    parents: list[Place] = []
    for mark, (own, end) in zip(marks, ends, strict=True):
        start = starts[mark.first]
        while parents and parents[-1].end <= start:
            parents.pop()
        above = tuple(each.heading for each in parents)
        place = Place(mark.heading, mark.level, start, starts[mark.last + 1], own, end, above)
        places.append(place)
        parents.append(place)
    return tuple(places)


def _ends(marks: Sequence[_Mark], starts: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Where the own text of each heading ends, and that with its nested headings."""
    found: list[tuple[int, int]] = []
    next_of = dict.fromkeys(range(_LEVELS), limit)
    own = limit
    for mark, start in zip(reversed(marks), reversed(starts), strict=True):
        found.append((own, min(next_of[level] for level in range(mark.level + 1))))
        own = next_of[mark.level] = start
    return found[::-1]


def named(places: Sequence[Place], name: str) -> tuple[Place, ...]:
    """The places that a name means: its text, also with `#`s before or `Parent > ` in front.

    Where none is spelled so, upper and lower case are one.
    """
    name = name.strip()
    marks = _MARKS.match(name)
    wanted = name[len(marks[0]) :].strip() if marks else name
    fitting = [each for each in places if not marks or len(marks[0]) == (each.level or 2)]
    for spell in (_exactly, str.casefold):
        for steps in ((wanted,), tuple(part.strip() for part in wanted.split(_STEP))):
            spelled = tuple(map(spell, steps))
            found = [
                each
                for each in fitting
                if tuple(map(spell, (*each.above, each.heading)))[-len(steps) :] == spelled
            ]
            if found:
                return tuple(found)
    return ()


def _exactly(text: str) -> str:
    return text


def _marks(
    lines: Sequence[str], fences: Mapping[int, int], parts: Mapping[int, str]
) -> Iterator[_Mark]:
    paragraph = _NONE
    index = 0
    while index < len(lines):
        line = lines[index]
        if line.lstrip(" ")[:1].isalpha():  # most lines; they begin nothing but a paragraph
            if paragraph == _NONE:
                paragraph = _OTHER if line.startswith(_CODE) else index
            index += 1
            continue
        level = _level(line, is_part=index in parts)
        if index in fences:
            paragraph, index = _NONE, fences[index]
        elif level is not None:
            yield _Mark(_text(line), level, index, index)
            paragraph = _NONE
        elif paragraph >= 0 and (underline := _UNDERLINE.fullmatch(line)):
            heading = " ".join(each.strip() for each in lines[paragraph:index])
            yield _Mark(heading, 1 if underline[1] else 2, paragraph, index)
            paragraph = _NONE
        else:
            paragraph = _begin(line, index, paragraph)
        index += 1


def _begin(line: str, index: int, paragraph: int) -> int:
    """Index of the line that begins the paragraph which this line is in.

    `_NONE` between blocks; `_OTHER` in a list, a quotation or indented code, where lines may go on
    that look like a paragraph.
    """
    if _BLANK.fullmatch(line) or _RULE.fullmatch(line):
        return _NONE
    if paragraph == _NONE:
        return _OTHER if _NO_PARAGRAPH.match(line) else index
    is_cut = paragraph >= 0 and _INTERRUPTS.match(line)
    return _OTHER if is_cut else paragraph


def _level(line: str, *, is_part: bool) -> int | None:
    match = _ATX.match(line)
    return None if match is None else PART if is_part else len(match[1])


def _text(line: str) -> str:
    """Text of a heading without the `#`s around it."""
    heading = line.strip(" \t\r").lstrip("#").strip(" \t")
    bare = heading.rstrip("#")
    return bare.rstrip(" \t") if bare == "" or bare[-1] in " \t" else heading
