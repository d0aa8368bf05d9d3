"""Stored texts as a person's browser may show them: masked, without hidden characters, short. Pure.

Escaping is left to the template; rooms are counted as it will write them.
"""

from functools import lru_cache
from html import escape

from mnemos_files.safety.mask import beginning
from mnemos_files.safety.present import masked
from mnemos_files.safety.scan import scan

MARK = "…"

_LOOKED_AT = 4
"""Characters are read for a text in so many times its room [1]: blanks and marks fall away."""


@lru_cache(maxsize=10_000)
def line(text: str, room: int) -> str:
    """The beginning of a text in one line of at most `room` bytes of HTML."""
    if not text:
        return ""
    return clipped(" ".join(masked(beginning(text, _LOOKED_AT * room)).split()), room)


def passage(text: str, room: int) -> str:
    """The beginning of a text with its lines, in at most `room` bytes of HTML."""
    whole = text.strip()
    head = beginning(whole, _LOOKED_AT * room)
    shown = clipped(masked(head).strip(), room)
    is_cut = len(head) < len(whole) and not shown.endswith(MARK)
    return f"{shown} {MARK}".strip() if is_cut else shown


def doubts(texts: tuple[str, ...], source: str) -> tuple[str, ...]:
    """Rules of the scan, of medium risk and above, that fire in some texts."""
    return scan("\n\n".join(filter(None, texts)), source=source).rules_at("medium")


def size(text: str) -> int:
    """How many bytes a text has in the page, escaped."""
    return len(escape(text).encode("utf-8", "replace"))


def clipped(text: str, room: int) -> str:
    """At most `room` bytes of HTML of a text, cut behind a word where there is one."""
    if size(text) <= room:
        return text
    room -= size(MARK)
    low, high = 0, min(len(text), max(room, 0))
    while low < high:  # escaped sizes only grow with the length
        middle = (low + high + 1) // 2
        if size(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    blank = max(text.rfind(" ", low // 2, low), text.rfind("\n", low // 2, low))
    kept = text[: blank if blank > 0 else low].rstrip()
    return kept + MARK if kept else MARK
