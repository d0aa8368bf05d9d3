"""How much a text costs in a model's context, and cutting a line to a room. Pure."""

import unicodedata

from mnemos_files.model.tokens import BYTES_PER_TOKEN, byte_count

TEXT_MAX = 9_500
"""Bytes of the longest block. Clients replace what a start hands them by a 2 KB preview from
10,000 characters on; bytes are never fewer than characters, however those are counted."""

MARK = "…"
_MARK_BYTES = len(MARK.encode())
_JOINER = "\u200d"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)


def room_of(max_tokens: int) -> int:
    """Bytes that a block of so many tokens may have."""
    return min(max(max_tokens, 0) * BYTES_PER_TOKEN, TEXT_MAX)


def one_line(text: str) -> str:
    """The text with every run of white space as one blank."""
    return " ".join(text.split())


def clip(text: str, room: int) -> str:
    """At most `room` bytes of a line, cut on a word end and marked with `…`; "" if none fits.

    A text without blanks is cut between letters; what is drawn as one sign stays whole.
    """
    if byte_count(text) <= room:
        return text
    room -= _MARK_BYTES
    if room <= 0:
        return ""
    end = len(text.encode("utf-8")[:room].decode("utf-8", "ignore"))
    if not text[end].isspace():
        blank = text.rfind(" ", end // 2, end)
        end = blank if blank > 0 else _sign_end(text, end)
    kept = text[:end].rstrip()
    return kept + MARK if kept else ""


def _sign_end(text: str, end: int) -> int:
    """The nearest place to the left that is not inside of a sign of several code points."""
    while end > 0 and (text[end - 1] == _JOINER or _continues(text[end])):
        end -= 1
    return end


def _continues(letter: str) -> bool:
    code = ord(letter)
    is_part = letter == _JOINER or code in _SKIN_TONES or code in _TAGS
    return is_part or unicodedata.category(letter).startswith("M")
