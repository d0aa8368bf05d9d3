"""The passage of a text that shows why it was found."""

import re
import unicodedata
from itertools import islice

from mnemos_files.safety.secrets import find_secrets

SNIPPET_MAX = 240
"""Longest snippet [characters]: ten of them stay far below what clients cut."""

SEARCHED_MAX = 100_000
"""So much of a text [characters] is looked through; what matters stands early in long ones."""

PLACES_MAX = 200

AROUND = 200
"""Characters around a passage that may tell of a secret in it."""

KEY_MAX = 4_000
"""The same [characters] in a text with a private key; one of 4,096 bits is shorter."""

_WORD = re.compile(r"[^\W_]+")
_SPACE = re.compile(r"\s+")
_SHORT = 3
_ROOT = 5


def snippet(text: str, query: str) -> str:
    """At most `SNIPPET_MAX` characters around the densest place of the query's words, on one line.

    Words match by their first letters, so that endings do not matter; the cut is on word ends and
    marked with `…`. A secret of which only a part would stand there, or not the word that tells it,
    is masked; that may take some characters more.
    """
    flat = _SPACE.sub(" ", text[:SEARCHED_MAX]).strip()
    if len(flat) <= SNIPPET_MAX:
        return flat
    room = SNIPPET_MAX - 2
    start = _densest(flat, query, room)
    end = min(len(flat), start + room)
    if end < len(flat):
        cut = flat.rfind(" ", start + room // 2, end)
        end = cut if cut > 0 else end
    return (
        ("…" if start else "")
        + _masked(flat, start, end).strip()
        + ("…" if end < len(flat) else "")
    )


def _masked(flat: str, start: int, end: int) -> str:
    """The passage between two places, without what is a secret in the text as a whole."""
    around = KEY_MAX if "PRIVATE KEY" in flat else AROUND
    first = flat.rfind(" ", 0, max(0, start - around)) + 1  # a token may be long
    last = flat.find(" ", end + around)
    passage = flat[start:end]
    for secret in reversed(find_secrets(flat[first : last if last >= 0 else len(flat)])):
        begin, stop = secret.start + first - start, secret.end + first - start
        if begin < len(passage) and stop > 0:
            passage = f"{passage[: max(begin, 0)]}[secret: {secret.kind}]{passage[stop:]}"
    return passage


def _densest(flat: str, query: str, room: int) -> int:
    """Start of the window that holds most different query words; the earliest of equals."""
    places = _places(flat, query)
    best, best_start = 0, 0
    for position, _ in places:
        inside = {word for at, word in places if position <= at < position + room}
        if len(inside) > best:
            best, best_start = len(inside), position
    lead = max(0, best_start - room // 6)
    space = flat.rfind(" ", 0, lead + 1)
    return space + 1 if space > 0 else 0


def _places(flat: str, query: str) -> list[tuple[int, str]]:
    roots = {_root(word) for word in _WORD.findall(_fold(query))}
    if not roots:
        return []
    longest_first = sorted(roots, key=len, reverse=True)
    begins = re.compile(rf"(?<![^\W_])(?:{'|'.join(longest_first)})")
    found = islice(begins.finditer(_fold(flat)), PLACES_MAX)
    return [(match.start(), match.group()) for match in found]


def _root(word: str) -> str:
    return word[:_ROOT].removesuffix("s") if len(word) > _SHORT else word


def _fold(text: str) -> str:
    """Small letters without accents, sign for sign, so that positions stay."""
    if text.isascii():
        return text.lower()
    return text.translate(
        {ord(sign): _plain(sign) for sign in set(text) if not sign.isascii()}
    ).lower()


def _plain(sign: str) -> str:
    base = unicodedata.normalize("NFKD", sign)[:1].lower()
    return base if len(base) == 1 else sign
