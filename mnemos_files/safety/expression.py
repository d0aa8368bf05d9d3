"""Regular expressions that are compiled when they are first used.

All expressions of this package together take 0.1 s to compile; most texts need a few of them.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property


class Expression:
    """A regular expression; the methods are those of `re.Pattern`."""

    def __init__(self, expression: str, flags: int = 0) -> None:
        self.expression = expression
        self._flags = flags

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return re.compile(self.expression, self._flags)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """The first place that fits."""
        return self.pattern.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """What fits at the start."""
        return self.pattern.match(text, start, end)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The whole text when it fits."""
        return self.pattern.fullmatch(text)

    def finditer(
        self, text: str, start: int = 0, end: int = sys.maxsize
    ) -> Iterator[re.Match[str]]:
        """Every place that fits, without overlaps."""
        return self.pattern.finditer(text, start, end)

    def findall(self, text: str) -> list[str]:
        """The text of every place that fits."""
        return self.pattern.findall(text)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str) -> str:
        """The text with every place that fits replaced."""
        return self.pattern.sub(new, text)
