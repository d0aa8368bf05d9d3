"""Text that a rendered page does not show: comments and elements without a face."""

import re
from collections.abc import Iterator
from typing import Final

from mnemos_files.safety.words import Words

_ELEMENT: Final = re.compile(
    r"<\w{1,12}\s[^<>]{0,200}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0"
    r"|opacity\s?:\s?0(?![.\d])|color\s?:\s?(?:white|#fff\b|#ffffff|transparent)|\bhidden\b"
    r"|(?:height|width)\s?:\s?0)[^<>]{0,200}>"
)
_REFERENCE: Final = re.compile(
    r"^[ ]{0,3}\[(?://|comment|[^\]\n]{1,20})\]:\s?(?:#|<>|\S{1,80})\s{1,3}[(\"']([^\n]{1,2000})$",
    re.MULTILINE,
)
_ADDRESS: Final = re.compile(r"[^|]{0,3}?(?:G[^|]{0,5}?[EXTurRIJFDxMLyw!]|[g%][^|]{0,3}?[yDIJ])")
_ADDRESS_WORDS: Final = 12
_LONGEST: Final = 4000
"""Characters [1] of one hidden place that are looked at."""


def comments(plain: str) -> Iterator[tuple[int, int]]:
    """Start and end of each comment in HTML; one that is never closed runs to the end."""
    start = plain.find("<!--")
    while start >= 0:
        end = plain.find("-->", start + 4)
        end = len(plain) if end < 0 else end + 3
        yield start, end
        start = plain.find("<!--", end)


def hidden_places(plain: str) -> Iterator[tuple[int, int]]:
    """Start and end of every place of a folded text that a rendered page does not show."""
    yield from comments(plain)
    if "]:" in plain:
        yield from (found.span() for found in _REFERENCE.finditer(plain))
    if "%%" in plain:
        yield from _between(plain, "%%")
    for element in _ELEMENT.finditer(plain) if "<" in plain else ():
        end = plain.find("</", element.end(), element.end() + _LONGEST)
        yield element.start(), end if end >= 0 else element.end()


def addresses_agent(words: Words, start: int, end: int) -> bool:
    """True when a hidden place begins with the name of an agent and goes on with an order."""
    first, last = words.token_at(start), words.token_at(end)
    return bool(_ADDRESS.match(words.classes, first, min(last, first + _ADDRESS_WORDS)))


def _between(plain: str, mark: str) -> Iterator[tuple[int, int]]:
    start = plain.find(mark)
    while start >= 0:
        end = plain.find(mark, start + len(mark))
        if end < 0:
            return
        yield start, end + len(mark)
        start = plain.find(mark, end + len(mark))
