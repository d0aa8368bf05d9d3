"""A text as a row of words: folded, classed, and with the way back to the places they came from."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, repeat
from typing import Final

from mnemos_files.safety.characters import IDEOGRAPH
from mnemos_files.safety.lookalikes import fold, skeleton, without_digits
from mnemos_files.safety.vocabulary import CLASSES, CORE, OTHER, TERMS

_UNSPACED: Final = "\u3040-\u30ff\uac00-\ud7a3" + IDEOGRAPH
_SPACED: Final = (
    "\x00-\u303f\u3100-\u33ff\u4dc0-\u4dff\ua000-\uabff\ud7a4-\uf8ff\ufb00-\U0001ffff"
    "\U00040000-\U0010ffff"
)
"""All that is not `_UNSPACED`."""
_LETTERS: Final = (
    "a-z0-9$\u00c0-\u060b\u060d-\u061a\u061c-\u061e\u0620-\u06d3\u06d5-\u0963\u0966-\u1fff"
    "\u2c00-\u2fff\ua000-\uabff\uf900-\ufdff\U00010000-\U0001efff"
)
"""What words are made of once folded, without the scripts that know no spaces."""
_STOPS: Final = r"[.!?;](?=[\s\"'”\u2019»)\]*_<{cjk}]|\Z)|\n(?=[ \t\r]*\n)"
_ASCII_TOKEN: Final = re.compile(r"([a-z0-9$]+|@|" + _STOPS.replace("{cjk}", "") + ")")
_HAS_UNSPACED: Final = re.compile(f"[{_UNSPACED}]")
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_SHORTEST_TYPO: Final = 5
_SHORTEST_SKELETON: Final = 4
_MIXED: Final = 16
"""One other character among so many ASCII ones [1]: then it is quicker to fold every one."""
_LONG: Final = 16
"""Least characters [1] of an order in base64 or hex."""
_NOT_LETTERS: Final = frozenset("26")
"""Digits that stand for no letter."""


class _Folds(dict[int, str]):
    """Code point to its folded form, filled as letters come up."""

    _LIMIT = 1 << 16

    def __missing__(self, code: int) -> str:
        folded = fold(chr(code))
        if len(self) < self._LIMIT:
            self[code] = folded
        return folded


_FOLDS: Final = _Folds()


@cache
def _spaced_token() -> re.Pattern[str]:
    return re.compile(rf"([{_LETTERS}]+|@|" + _STOPS.replace("{cjk}", "") + ")")


@cache
def _any_token() -> re.Pattern[str]:
    starts = "".join(sorted({term[0] for term in TERMS}))
    return re.compile(
        rf"([{_LETTERS}]+|[^{_SPACED}{starts}]+|"
        + "|".join(map(re.escape, TERMS))
        + rf"|[{_UNSPACED}]|@|"
        + _STOPS.replace("{cjk}", _UNSPACED)
        + ")"
    )


def fold_text(text: str) -> str:
    """The text in plain form, see `lookalikes.fold`."""
    if text.isascii():
        return text.lower()
    if len(text.encode("utf-8", "surrogatepass")) - len(text) > len(text) // _MIXED:
        return text.translate(_FOLDS).lower()
    return _NOT_ASCII.sub(lambda found: found.group().translate(_FOLDS), text).lower()


@dataclass(frozen=True)
class Words:
    """The words of a text; all places are code points of that text."""

    text: str

    @cached_property
    def plain(self) -> str:
        """The folded text."""
        return fold_text(self.text)

    @cached_property
    def _parts(self) -> list[str]:
        """What stands between words, and words, by turns."""
        return self._pattern.split(self.plain)

    @cached_property
    def tokens(self) -> list[str]:
        """Words and the ends of sentences, in order."""
        return self._parts[1::2]

    @cached_property
    def distinct(self) -> frozenset[str]:
        """Every word once."""
        return frozenset(self.tokens)

    @cached_property
    def disguised(self) -> dict[str, str]:
        """Words that are written to look like another, with the class of that."""
        return dict(_disguised(self._unknown))

    @cached_property
    def _unknown(self) -> frozenset[str]:
        return self.distinct - CLASSES.keys()

    @cached_property
    def classes(self) -> str:
        """One letter for each token, see `safety.vocabulary`."""
        known = {**CLASSES, **_misspelt(self._unknown), **self.disguised}
        return "".join(map(known.get, self.tokens, repeat(OTHER)))

    @cached_property
    def _bounds(self) -> list[int]:
        return list(accumulate(map(len, self._parts)))

    def start(self, token: int) -> int:
        """Where a token begins in the folded text."""
        return self._bounds[2 * token]

    def end(self, token: int) -> int:
        """Where a token ends in the folded text."""
        return self._bounds[2 * token + 1]

    def token_at(self, folded: int) -> int:
        """Number of the first token that ends behind a place in the folded text."""
        return bisect_right(self._bounds, folded) // 2

    @cached_property
    def long_words(self) -> list[tuple[int, str]]:
        """Place and text of the ASCII words of 16 characters or more, between blanks."""
        found = []
        place = 0
        for word in self.text.split():
            if len(word) >= _LONG and word.isascii():
                place = self.text.index(word, place)
                found.append((place, word))
                place += len(word)
        return found

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        if self.plain.isascii():
            return _ASCII_TOKEN
        return _any_token() if _HAS_UNSPACED.search(self.plain) else _spaced_token()

    @cached_property
    def _shifts(self) -> tuple[list[int], list[int], list[int]]:
        """Characters that fold to none or several: folded start and end, place in the text."""
        starts: list[int] = []
        ends: list[int] = []
        places: list[int] = []
        shift = 0
        for run in _NOT_ASCII.finditer(self.text):
            for place, sign in enumerate(run.group(), run.start()):
                size = len(_FOLDS[ord(sign)])
                if size != 1:
                    starts.append(place + shift)
                    ends.append(place + shift + size)
                    places.append(place)
                    shift += size - 1
        return starts, ends, places

    def place(self, folded: int) -> int:
        """The character of the text that a place in the folded text came from."""
        if self.text.isascii():
            return folded
        starts, ends, places = self._shifts
        passed = bisect_right(ends, folded)
        if passed < len(starts) and starts[passed] <= folded:
            return places[passed]
        return folded if passed == 0 else folded - ends[passed - 1] + places[passed - 1] + 1

    def folded(self, place: int) -> int:
        """The place in the folded text of a character of the text."""
        if self.text.isascii():
            return place
        _starts, ends, places = self._shifts
        passed = bisect_left(places, place)
        return place if passed == 0 else place - places[passed - 1] - 1 + ends[passed - 1]

    def stretch(self, start: int, end: int) -> tuple[int, int]:
        """Start and end in the text of a stretch of the folded text that is not empty."""
        return self.place(start), self.place(end - 1) + 1


def _disguised(unknown: Iterable[str]) -> Iterator[tuple[str, str]]:
    dressed = [word for word in unknown if not (word.isalpha() and word.isascii())]
    for word in dressed:
        for plain in _undressed(word):
            if plain != word and plain in CLASSES:
                yield word, CLASSES[plain]
                break


def _undressed(word: str) -> Iterator[str]:
    """The words that a word may stand for when its signs are taken for letters."""
    if not word.isascii():
        plain = skeleton(word)
        if plain.isascii() and (len(plain) >= _SHORTEST_SKELETON or not _is_foreign(word)):
            yield plain
            yield without_digits(plain)
    elif len(word) <= _LONGEST_TYPO and not word.isdigit() and _NOT_LETTERS.isdisjoint(word):
        yield without_digits(word)
        yield without_digits(word.replace("1", "i"))


def _is_foreign(word: str) -> bool:
    return not any(sign.isascii() for sign in word)


def _letters(word: str) -> str:
    """First and last letter in place, the letters between in order: equal for shuffled words."""
    return word[0] + "".join(sorted(word[1:-1])) + word[-1]


_REAL: Final = {*CLASSES, "forge", "revel"}
"""Words that are right as they are."""


def _misspellings() -> dict[str, str]:
    """Core words with one letter missing or doubled."""
    found = {}
    for word in CORE:
        for place in range(1, len(word)):
            for wrong in (word[:place] + word[place + 1 :], word[:place] + word[place - 1 :]):
                if len(wrong) >= _SHORTEST_TYPO:
                    found[wrong] = CLASSES[word]
    return {word: letter for word, letter in found.items() if word not in _REAL}


_MISSPELT: Final = _misspellings()
_SHUFFLED: Final = {_letters(word): CLASSES[word] for word in CORE if len(word) >= _SHORTEST_TYPO}
_CORE_STARTS: Final = tuple({word[0] for word in CORE})
_LONGEST_TYPO: Final = max(map(len, CORE)) + 1


def _misspelt(unknown: Iterable[str]) -> dict[str, str]:
    found = {}
    for word in unknown:
        if _SHORTEST_TYPO <= len(word) <= _LONGEST_TYPO and word.startswith(_CORE_STARTS):
            letter = _MISSPELT.get(word) or _SHUFFLED.get(_letters(word))
            if letter is not None:
                found[word] = letter
    return found
