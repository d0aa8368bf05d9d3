"""Text that a rendered page does not show: comments and elements without a face."""

import re
from collections.abc import Iterator
from typing import Final

from mnemos_files.safety.expression import Expression
from mnemos_files.safety.words import Words

_ELEMENT: Final = Expression(
    r"<\w{1,12}\s[^<>]{0,200}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0"
    r"|opacity\s?:\s?0(?![.\d])|color\s?:\s?(?:white|#fff\b|#ffffff|transparent)|\bhidden\b"
    r"|(?:height|width)\s?:\s?0)[^<>]{0,200}>"
)
_REFERENCE: Final = Expression(
    r"^[ ]{0,3}\[(?://|comment|[^\]\n]{1,20})\]:\s?(?:#|<>|\S{1,80})\s{1,3}[(\"']([^\n]{1,2000})$",
    re.MULTILINE,
)
_ADDRESS: Final = Expression(
    r"(?:<!--|[(\"'>%\s-]){1,8}"
    r"(?:(?:note|message|instructions?) (?:to|for) |attention,? |dear |hey |hello )?"
    r"(?:the |any |all |every )?"
    r"(?:(ai|llm|language model|assistant|chatbot|copilot|claude|chatgpt|gpt|gemini|codex)"
    r"|agent|model|bot|system)s?(?: agents?| assistants?| models?| reading this)?"
    r"\s{0,3}(?:[:,;\u2014\u2013]|must\b|should\b|shall\b|please\b|has to\b|have to\b)"
)
_ORDER: Final = Expression(r"[EXTurRIJFDxMLyw!i_]")
_STRICT_ORDER: Final = Expression(r"[yDIJM!X_]")
_ORDER_WORDS: Final = 12
"""Words behind an address [1] in which its order stands."""
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
    opening = words.plain.find("(", start, end) if words.plain.startswith("[", start) else start
    address = _ADDRESS.match(words.plain, max(opening, start), end)
    if address is None:
        address = _ADDRESS.match(words.plain, max(words.plain.find(">", start, end), start), end)
    if address is None:
        return False
    first, last = words.token_at(address.end()), words.token_at(end)
    order = _ORDER if address[1] else _STRICT_ORDER
    return bool(order.search(words.classes, first, min(last, first + _ORDER_WORDS)))


def _between(plain: str, mark: str) -> Iterator[tuple[int, int]]:
    start = plain.find(mark)
    while start >= 0:
        end = plain.find(mark, start + len(mark))
        if end < 0:
            return
        yield start, end + len(mark)
        start = plain.find(mark, end + len(mark))
