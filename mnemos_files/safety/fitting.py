"""Which invisible characters the characters beside them need."""

import re
from functools import cached_property, lru_cache
from typing import Final

from mnemos_files.safety.characters import (
    FLAG,
    IS_EMOJI,
    IS_IDEOGRAPH,
    IS_JOINING,
    IS_RIGHT_TO_LEFT,
    ISOLATES,
    MARKS,
    TAKES_SELECTOR,
    ZWJ,
    ZWNJ,
    one_of,
)

_DIRECTION: Final = one_of(MARKS + ISOLATES)
_SELECTOR: Final = one_of("\ufe00-\ufe0f\u180b-\u180d\u180f")
_IDEOGRAPH_SELECTOR: Final = one_of("\U000e0100-\U000e01ef")
_LINE_REACH: Final = 80
"""Characters [1] on both sides of a mark in which a right-to-left letter explains it."""
_DIRECTIONS_KEPT: Final = 2
"""Marks of direction [1] kept in a row: a person needs one or two, a hidden message needs more."""


class Fitting:
    """One text, and what in it speaks for characters that show nothing."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _turns(self) -> bool:
        return IS_RIGHT_TO_LEFT.search(self._text) is not None

    def is_right_to_left(self, run: re.Match[str]) -> bool:
        """True near letters that are read from right to left."""
        near = line_around(self._text, run)
        return self._turns and IS_RIGHT_TO_LEFT.search(self._text, *near) is not None

    def needed(self, run: re.Match[str]) -> str:
        """The part of a run of invisible characters that the characters beside it need."""
        text = self._text
        before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
        if before == "\U0001f3f4":
            flag = FLAG.match(text, run.start() - 1)
            if flag:
                return flag.group()[1:] + _joiner(before, text[flag.end() : run.end()], after)
        fitting = _fitting(before, run.group(), after)
        return fitting + self._directions(run, run.group()[len(fitting) :])

    def _directions(self, run: re.Match[str], hidden: str) -> str:
        """The first marks of direction of a run near right-to-left letters."""
        marks = _DIRECTION.findall(hidden)
        if not marks or not self.is_right_to_left(run):
            return ""
        return "".join(marks[:_DIRECTIONS_KEPT])


@lru_cache(maxsize=1 << 12)
def _fitting(before: str, hidden: str, after: str) -> str:
    """The selector and the joiner of a run that fit the characters on both sides."""
    start = _selector(before, hidden[0], after)
    return start + _joiner(before, hidden[len(start) :], after)


def _selector(before: str, first: str, after: str) -> str:
    """The selector that the character before it takes, or nothing."""
    keycap = after == "\u20e3" and before in "0123456789#*"
    if _SELECTOR.match(first) and (keycap or TAKES_SELECTOR.match(before)):
        return first
    return first if _IDEOGRAPH_SELECTOR.match(first) and IS_IDEOGRAPH.match(before) else ""


def _joiner(before: str, hidden: str, after: str) -> str:
    """One joiner between two emoji, or behind a letter of a script that joins."""
    if ZWJ in hidden and IS_EMOJI.match(before) and IS_EMOJI.match(after):
        return ZWJ
    if IS_JOINING.match(before):
        return next((each for each in hidden if each in (ZWJ, ZWNJ)), "")
    return ""


def line_around(text: str, run: re.Match[str]) -> tuple[int, int]:
    """Start and end of what is looked at on both sides of a run: its line, if that is short."""
    low, high = max(0, run.start() - _LINE_REACH), run.end() + _LINE_REACH
    start = text.rfind("\n", low, run.start()) + 1
    end = text.find("\n", run.end(), high)
    return start or low, high if end < 0 else end
