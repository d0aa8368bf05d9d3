"""Fenced code in markdown. Pure.

The rules are those of CommonMark 0.31, section 4.5, for lines outside of lists and quotations.
"""

import re
from collections.abc import Sequence

_OPENER = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)", re.DOTALL)
_CLOSER = re.compile(r" {0,3}(`{3,}|~{3,})[ \t\r]*")


def may_have_fences(text: str) -> bool:
    """False when the text holds no fence for certain; quick."""
    return "```" in text or "~~~" in text


def closed_fences(lines: Sequence[str]) -> dict[int, int]:
    """Index of the closing line by index of the opening line, for fences that are closed.

    A fence that is never closed is not in it: here it counts as text, so that one forgotten line
    does not swallow the headings of a note.
    """
    closers = {sign: _closers(lines, sign) for sign in "`~"}
    fences: dict[int, int] = {}
    index = 0
    while index < len(lines):
        fence = _fence_of(lines[index])
        end = _close(closers[fence[0]], index, len(fence)) if fence else None
        if end is not None:
            fences[index] = end
            index = end
        index += 1
    return fences


def opens_fence(line: str) -> bool:
    """True for a line that opens a fence where it stands outside of one."""
    return _fence_of(line) != ""


def _fence_of(line: str) -> str:
    """The signs that open a fence in this line, or ""."""
    if "```" not in line and "~~~" not in line:
        return ""
    match = _OPENER.fullmatch(line)
    return (match[1] or match[2]) if match else ""


def _closers(lines: Sequence[str], sign: str) -> list[tuple[int, int, int]]:
    """(index, length, longest length from here on) of each line that can close a fence."""
    found = []
    longest = 0
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        match = _CLOSER.fullmatch(line) if sign * 3 in line else None
        if match is not None and match[1][0] == sign:
            longest = max(longest, len(match[1]))
            found.append((index, len(match[1]), longest))
    return found


def _close(closers: list[tuple[int, int, int]], opener: int, length: int) -> int | None:
    """First line after the opener that closes it; `closers` are last first, and are used up."""
    while closers and closers[-1][0] <= opener:
        closers.pop()
    if not closers or closers[-1][2] < length:
        return None
    return next(index for index, size, _ in reversed(closers) if size >= length)
