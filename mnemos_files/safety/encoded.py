"""Orders in another writing: base64, hex, percent signs, entities, escapes, rot13, backwards."""

import base64
import binascii
import codecs
import html
import re
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import unquote

from mnemos_files.safety.expression import Expression
from mnemos_files.safety.vocabulary import CORE
from mnemos_files.safety.words import Words

Decoded = tuple[int, int, str]
"""Start and end in the text, and what stands there in plain writing."""

_BASE64: Final = Expression(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_BASE64_LINES: Final = Expression(
    r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{40,200}\r?\n[ \t]{0,8}){1,400}[A-Za-z0-9+/]{4,200}={0,2}"
)
_HEX: Final = Expression(r"(?:[0-9A-Fa-f]{2}){12,}")
_HEX_PAIRS: Final = Expression(
    r"(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ ,:;-]{1,2}){11,4000}(?:0x|\\x)?[0-9A-Fa-f]{2}\b"
)
_ESCAPES: Final = Expression(
    r"(?:\\(?:x[0-9A-Fa-f]{2}|u\{?[0-9A-Fa-f]{4,5}\}?|[0-7]{3})[\w ]{0,3}){6,4000}"
)
_ESCAPE: Final = Expression(r"\\(?:x([0-9A-Fa-f]{2})|u\{?([0-9A-Fa-f]{4,5})\}?|([0-7]{3}))")
_PERCENT: Final = Expression(r"(?:%[0-9A-Fa-f]{2}[\w.~+-]{0,40}){2}")
_ENTITIES: Final = Expression(r"(?:&\#(?:x[0-9A-Fa-f]{1,6}|\d{1,7});[\w ,.'-]{0,24}){4,4000}")
_BITS: Final = Expression(r"\b[01]{8}(?:\s?[01]{8}){8,4000}\b")
_LEAST_READABLE: Final = 0.9

_TURNED: Final = frozenset(word[::-1] for word in CORE)
_ROTATED: Final = frozenset(codecs.encode(word, "rot13") for word in CORE)
_LEAST_KNOWN: Final = 2
"""Core words [1] that must stand in a text backwards or rotated before it is read that way."""


def decoded(words: Words) -> Iterator[Decoded]:
    """Every place of a text that can be read in another writing, with the reading."""
    text = words.text
    for marks, pattern, decode in _WRITINGS:
        if any(mark in text for mark in marks):
            yield from _readings(text, pattern, decode)
    if any(letters <= words.distinct for letters in _HEX_LETTERS):
        yield from _readings(text, _HEX_PAIRS, _of_hex)
    yield from _of_long_words(words)
    if len(words.distinct & _TURNED) >= _LEAST_KNOWN:
        yield 0, len(text), text[::-1]
    if len(words.distinct & _ROTATED) >= _LEAST_KNOWN:
        yield 0, len(text), codecs.encode(text, "rot13")


def _of_long_words(words: Words) -> Iterator[Decoded]:
    """Readings of words that are long enough to be an order in base64, hex or percent signs."""
    done = 0
    for place, word in words.long_words:
        if place < done:
            continue
        if "%" in word and _PERCENT.search(word):
            yield place, place + len(word), unquote(word.replace("+", " "))
        if _HEX.search(word):
            yield from _readings(word, _HEX, _of_hex, place)
        elif not word.islower():
            yield from _readings(word, _BASE64, _of_base64, place)
            lines = _BASE64_LINES.match(words.text, place) if len(word) >= _SHORTEST_LINE else None
            if lines:
                done = lines.end()
                yield *lines.span(), _of_base64(lines.group())


def _readings(
    text: str, pattern: Expression, decode: Callable[[str], str], place: int = 0
) -> Iterator[Decoded]:
    for found in pattern.finditer(text):
        plain = decode(found.group())
        if plain not in ("", found.group()):
            yield place + found.start(), place + found.end(), plain


def _of_base64(written: str) -> str:
    compact = "".join(written.split()).rstrip("=").replace("-", "+").replace("_", "/")
    compact = compact[: len(compact) - (len(compact) % 4 == 1)]
    try:
        return _readable(base64.b64decode(compact + "=" * (-len(compact) % 4)))
    except binascii.Error:
        return ""


def _of_hex(written: str) -> str:
    digits = re.sub(r"0x|\\x|[^0-9A-Fa-f]", "", written)
    return _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _of_bits(written: str) -> str:
    digits = "".join(written.split())
    return _readable(bytes(int(digits[at : at + 8], 2) for at in range(0, len(digits) - 7, 8)))


def _of_escapes(written: str) -> str:
    return _ESCAPE.sub(_of_escape, written)


def _of_escape(found: re.Match[str]) -> str:
    two, more, octal = found.groups()
    code = int(octal, 8) if octal else int(two or more, 16)
    return chr(code) if code <= 0x10FFFF else ""  # noqa: PLR2004 - the last code point


def _readable(octets: bytes) -> str:
    """The text that octets spell, "" when they spell none."""
    for encoding in ("utf-8", "utf-16-le") if 0 in octets[:4] else ("utf-8",):
        try:
            text = octets.decode(encoding)
        except UnicodeDecodeError:
            continue
        shown = sum(sign.isprintable() or sign.isspace() for sign in text)
        if text and shown >= _LEAST_READABLE * len(text):
            return text
    return ""


_WRITINGS: Final = (
    (("&#",), _ENTITIES, html.unescape),
    (("\\x", "\\u", "\\1"), _ESCAPES, _of_escapes),
    (("01100101",), _BITS, _of_bits),
)
"""Marks of which one must be there, pattern, reading."""
_HEX_LETTERS: Final = (
    frozenset({"6e", "6f"}),
    frozenset({"0x6e", "0x6f"}),
    frozenset({"x6e", "x6f"}),
)
"""n and o in hex: no order does without them."""
_SHORTEST_LINE: Final = 40

_BLOB: Final = Expression(r"[A-Za-z0-9+/]{120,}={0,2}")


def blobs(words: Words) -> Iterator[tuple[int, int]]:
    """Start and end of runs of base64 that are long, whatever they decode to."""
    for place, word in words.long_words:
        if len(word) >= _SHORTEST_BLOB:
            for found in _BLOB.finditer(word):
                yield place + found.start(), place + found.end()


_SHORTEST_BLOB: Final = 120
