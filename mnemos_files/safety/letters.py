"""Orders in look-alike letters, or with their letters set apart or run together."""

from collections.abc import Iterator
from itertools import repeat
from typing import Final

from mnemos_files.safety.expression import Expression
from mnemos_files.safety.found import Found
from mnemos_files.safety.lookalikes import fold, skeleton, without_digits
from mnemos_files.safety.phrases import OVERRIDE
from mnemos_files.safety.verdict import Finding
from mnemos_files.safety.words import Words

HOMOGLYPH: Final = "homoglyph"

_TOGETHER: Final = Expression(
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any|the|your|my|every|these|of){0,4}"
    r"(?:(?:previous|prior|above|earlier|existing|system|safety|former|preceding)"
    r"(?:and|system|developer){0,2}(?:instructions?|prompts?|rules|directives|guidelines|orders|commands)?"
    r"|instructions?|guidelines|directives|everything|rules|safety)"
)
_APART: Final = Expression(r"(?:(?<![^\W_])[^\W_][ \t.*_\-|/,·•]{1,3}){7,400}[^\W_](?![^\W_])")
_LEAST_ALONE: Final = 8
_LETTERS: Final = tuple(map(frozenset, ("ignore", "disregard", "forget", "override", "bypass")))
"""Of one of these words every letter must stand alone somewhere."""


_LEAST_TOGETHER: Final = len("ignoreprevious")


def disguises(words: Words, said: list[Found]) -> Iterator[Finding]:
    """Findings of orders whose letters are not what they seem."""
    for found in said:
        if found.risk != "low" and _is_disguised(words, found):
            yield Finding(*words.stretch(found.start, found.end), HOMOGLYPH, found.risk)
    yield from _set_apart(words)
    yield from _run_together(words)


def _is_disguised(words: Words, found: Found) -> bool:
    if words.text.isascii() and not words.disguised:
        return False
    first, last = words.token_at(found.start), words.token_at(found.end - 1)
    if any(token in words.disguised for token in words.tokens[first : last + 1]):
        return True
    start, end = words.stretch(found.start, found.end)
    return any(_is_styled(sign) for sign in words.text[start:end])


def _is_styled(sign: str) -> bool:
    """True for a letter that is an ASCII letter in another style: full width, bold, circled."""
    return sign > "\u1fff" and fold(sign).isascii() and fold(sign).isalpha()


def _set_apart(words: Words) -> Iterator[Finding]:
    if not any(letters <= words.distinct for letters in _LETTERS):
        return
    if b"\x01" * _LEAST_ALONE not in bytes(map(min, map(len, words.tokens), repeat(2))):
        return
    for found in _APART.finditer(words.plain):
        joined = "".join(sign for sign in found.group() if sign.isalnum())
        if _TOGETHER.search(without_digits(skeleton(joined))):
            stretch = words.stretch(*found.span())
            yield Finding(*stretch, HOMOGLYPH, "high")
            yield Finding(*stretch, OVERRIDE, "high")


def _run_together(words: Words) -> Iterator[Finding]:
    for token in words.distinct:
        if len(token) >= _LEAST_TOGETHER and _TOGETHER.match(token):
            place = words.plain.find(token)
            yield Finding(*words.stretch(place, place + len(token)), OVERRIDE, "medium")
