"""Letters folded: case, width, style and accents away; and letters that look like Latin ones."""

import unicodedata
from functools import lru_cache
from typing import Final

from mnemos_files.safety.characters import INVISIBLE, one_of

_ROWS: Final = {
    "a": "0430 03b1 0251 1d00 ab7a 13aa 2202",
    "b": "042c 0432 03b2 0299 13cf 042a 0185",
    "c": "0441 03f2 1d04 13df 217d 037b",
    "d": "0501 0257 1d05 13a7 217e 0111 00f0",
    "e": "0435 0454 03b5 025b 1d07 13ac 04bd 212e 0259",
    "f": "0493 017f 03dd a730 0192",
    "g": "0261 0581 0262 13c0 01e5 050d",
    "h": "04bb 0570 043d 029c 13bb 0127 03b7",
    "i": "0456 03b9 0131 026a 13a5 04cf 0269 01c0 03af 0457 00a1",
    "j": "0458 03f3 1d0a 13ab 0575",
    "k": "043a 03ba 1d0b 13e6 049d",
    "l": "04cf 0142 029f 13de 217c 01c0 03b9",
    "m": "043c 1d0d 13b7 217f 028d",
    "n": "043f 057c 0578 0274 03b7 019e 0439 0438",
    "o": "043e 03bf 03c3 0585 1d0f 0cb0 00f8 04e9 0a66 0c66 0ae6 0e50",
    "p": "0440 03c1 1d18 13e2 00fe",
    "q": "051b 0563 0566 03d9",
    "r": "0433 0280 1d26 13a1 044f 027e",
    "s": "0455 a731 0282 13da 057f",
    "t": "0442 03c4 1d1b 13a2 0167",
    "u": "03c5 057d 1d1c 0581 03bc 0446",
    "v": "03bd 0475 1d20 13d9 2174",
    "w": "0461 051d 1d21 13b3 03c9 0448 0561",
    "x": "0445 03c7 00d7 2179 04b3",
    "y": "0443 03b3 04af 028f 13a9 0447 10e7",
    "z": "1d22 13c3 0290",
}
"""Latin letter to the code points that a reader takes for it, from Unicode's confusables and from
what attacks use; of two rows with the same code point the first wins."""

_STYLED: Final = {"ꞁ": "l", "ß": "ss", "æ": "ae", "œ": "oe"}
_DIGIT_LETTERS: Final = str.maketrans("01345789@$!|", "oleastbgasil")
_IS_INVISIBLE: Final = one_of(INVISIBLE)


@lru_cache(maxsize=1 << 14)
def fold(sign: str) -> str:
    """One character in plain form: NFKC, lower case, no accent; "" for what shows nothing."""
    if sign < "\x80":
        return sign.lower()
    if _IS_INVISIBLE.match(sign) or "\u0300" <= sign <= "\u036f":
        return ""
    plain = unicodedata.normalize("NFKC", sign).casefold()
    if sign > "\u2fff" and len(plain) == 1 and plain > "\u2fff":
        return plain  # Han, kana and Hangul have no accents, and Hangul would fall into letters
    bare = unicodedata.normalize("NFD", plain)
    return "".join(each for each in bare if not "\u0300" <= each <= "\u036f") or plain


def _character(code_point: str) -> str:
    return chr(int(code_point, 16))


def _mapping() -> dict[str, str]:
    found: dict[str, str] = dict(_STYLED)
    for letter, others in _ROWS.items():
        for other in map(_character, others.split()):
            for key in (other, fold(other)):
                if not key.isascii():
                    found.setdefault(key, letter)
    return found


_LATIN: Final = _mapping()


@lru_cache(maxsize=1 << 14)
def latin(sign: str) -> str:
    """The Latin letters that a character is or looks like; "" for what is no letter."""
    if sign < "\x80":
        return sign.lower() if sign.isalpha() else ""
    plain = fold(sign)
    mapped = "".join(_LATIN.get(each, each) for each in plain)
    return "".join(each for each in mapped if each.isalnum())


def skeleton(word: str) -> str:
    """A folded word with every look-alike made the Latin letter that it stands for."""
    return "".join(_LATIN.get(each, each) for each in word)


def without_digits(word: str) -> str:
    """A word with the digits and signs that stand for letters made letters: `1gn0re`."""
    return word.translate(_DIGIT_LETTERS)
