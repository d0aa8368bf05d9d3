"""Unresolved merge conflicts in a text: the markers of git outside of fenced code. Pure."""

from typing import NamedTuple

from mnemos_files.format.fences import closed_fences
from mnemos_files.model.problem import Problem

RULE = "conflict-markers"
_START, _MIDDLE, _END = "<<<<<<< ", "=======", ">>>>>>> "


class Conflict(NamedTuple):
    """First and last line [from 1] of a place where two versions stand side by side."""

    first: int
    last: int


def find_conflicts(text: str) -> tuple[Conflict, ...]:
    """Conflicts in file order: `<<<<<<< `, `=======` and `>>>>>>> ` lines in this order."""
    if _START not in text:
        return ()
    lines = text.split("\n")
    fences = closed_fences(lines)
    found: list[Conflict] = []
    index = 0
    while index < len(lines):
        end = fences.get(index)
        if lines[index].startswith(_START):
            end = _end_of(lines, index)
            if end is not None:
                found.append(Conflict(index + 1, end + 1))
        index = index + 1 if end is None else end + 1
    return tuple(found)


def _end_of(lines: list[str], start: int) -> int | None:
    """Index of the line that ends the conflict begun here; fences in between do not count."""
    has_middle = False
    for index in range(start + 1, len(lines)):
        line = lines[index]
        if line.startswith(_START):
            return None
        if line.startswith(_END) and has_middle:
            return index
        has_middle = has_middle or line.rstrip("\r") == _MIDDLE
    return None


def conflict_problems(text: str, path: str) -> tuple[Problem, ...]:
    """One problem for each conflict in the text."""
    return tuple(
        Problem(
            path,
            first,
            RULE,
            f"unresolved merge conflict in lines {first} to {last}",
            "Keep one version, take the lines <<<<<<<, ======= and >>>>>>> out.",
        )
        for first, last in find_conflicts(text)
    )
