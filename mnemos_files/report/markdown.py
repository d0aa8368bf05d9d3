"""Stored texts as parts of a markdown page that they cannot break out of. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mnemos_files.model.tokens import BYTES_PER_TOKEN, byte_count, estimate_tokens
from mnemos_files.safety.mask import beginning
from mnemos_files.safety.present import present

LINE_BYTES = 300
"""Longest part of a line [bytes] that comes from a stored text."""

_LOOKED_AT = 4
"""Characters are read for a text in so many times its room [1]: blanks and marks fall away."""
_MARK = "…"
_HEADING = ("## ", "### ")
_ACTIVE = re.compile(r"([\\`~<])")


@dataclass(frozen=True, slots=True)
class Page:
    """A text inside its budget, and how many of its lines were left out."""

    text: str
    left_out: int = 0


def inline(text: str, source: str, room: int = LINE_BYTES) -> str:
    """The beginning of a text in one line of at most `room` bytes, fit for a model."""
    shown = present(beginning(text, _LOOKED_AT * room), source=source).text
    return _clipped(" ".join(shown.split()), room)


def struck(line: str) -> str:
    """The line struck through, whatever marks it holds; "" stays."""
    escaped = _ACTIVE.sub(r"\\\1", line)
    return f"~~{escaped}~~" if line else ""


def quoted(text: str, source: str, room: int) -> list[str]:
    """The beginning of a text in at most `room` bytes as the lines of a quotation.

    Whatever it holds, headings, fences, comments, ends with the quotation.
    """
    whole = text.strip()
    head = beginning(whole, _LOOKED_AT * room)
    lines = present(head, source=source).text.splitlines()
    kept: list[str] = []
    for line in lines:
        if byte_count(line) > room:
            kept += [clip] if (clip := _clipped(line, room)) else []
            break
        room -= byte_count(line) + 1
        kept.append(line)
    is_cut = len(kept) < len(lines) or len(head) < len(whole)
    if is_cut and not (kept and kept[-1].endswith(_MARK)):
        kept.append(_MARK)
    return [f"> {line}".rstrip() for line in kept]


def within(lines: Sequence[str], max_tokens: int) -> Page:
    """The lines as a text of at most so many tokens, cut on a line end with a note that says so.

    The text is empty where not even the note fits.
    """
    text = "".join(f"{line}\n" for line in lines)
    if estimate_tokens(text) <= max_tokens:
        return Page(text)
    # The note itself is longest when every line is left out.
    room = max_tokens * BYTES_PER_TOKEN - byte_count(_note(max_tokens, len(lines)))
    if room < 0:
        return Page("", len(lines))
    count = 0
    for line in lines:
        room -= byte_count(line) + 1
        if room < 0:
            break
        count += 1
    while count and (not lines[count - 1] or lines[count - 1].startswith(_HEADING)):
        count -= 1
    kept = "".join(f"{line}\n" for line in lines[:count])
    return Page(kept + _note(max_tokens, len(lines) - count), len(lines) - count)


def _note(max_tokens: int, left_out: int) -> str:
    return f"\n(cut at {max_tokens} tokens; lines left out: {left_out})\n"


def _clipped(line: str, room: int) -> str:
    """At most `room` bytes of a line, cut behind a word where there is one; "" if none fits."""
    if byte_count(line) <= room:
        return line
    kept = line.encode("utf-8")[: max(room - len(_MARK.encode()), 0)].decode("utf-8", "ignore")
    blank = kept.rfind(" ", len(kept) // 2)
    kept = (kept[:blank] if blank > 0 else kept).rstrip()
    return kept + _MARK if kept else ""
