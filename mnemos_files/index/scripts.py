"""Letters: which ones make a word, and one spelling for many."""

import re
import unicodedata

# Combining marks that `\w` leaves out but that stand inside words: Latin, Hebrew, Arabic accents
# and the vowel signs of the scripts of India and South East Asia (Unicode 16 block ranges).
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09d7\u0a01-\u0a51"
    "\u0a81-\u0acd\u0b01-\u0b57\u0b82-\u0bcd\u0c00-\u0c56\u0c81-\u0cd6\u0d00-\u0d57\u0d82-\u0ddf"
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f71-\u0f84"
    "\u102b-\u103e\u17b4-\u17d3\u3099\u309a"
)
# Scripts written without spaces between words, and Hangul, whose words carry endings.
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0eff\u1000-\u109f\u1780-\u17d3\u1100-\u11ff"
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003134f"
)
_PICTURES = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
# A letter of a word in a script with spaces: no sign, no underscore, none of the above.
_SPACED = f"(?:[^\\W_{_UNSPACED}]|[{_MARKS}])"
_CODE = r"(?<![^\W_])[A-Za-z](?:\+\+|#)"

UNSPACED = re.compile(f"[{_UNSPACED}]")
"""A letter of a script without spaces between words."""

TOKEN = re.compile(f"{_CODE}|[{_UNSPACED}]+|{_SPACED}+|[{_PICTURES}]")
"""What is searched as one word: `C++`, a run without spaces, a word, a picture."""

_TOKEN_ASCII = re.compile(f"{_CODE}|[A-Za-z0-9]+")
_HAS_CODE = re.compile(_CODE)
_TO_BLANKS = {sign: " " for sign in range(128) if not chr(sign).isalnum()}

_ACCENTS = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")
# Letters that Unicode does not decompose, as their readers spell them in ASCII.
_LETTERS = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "đ": "d",
        "ł": "l",
        "ħ": "h",
        "\u0131": "i",
        "þ": "th",
    }
)
# DIN 5007-2: how German writes its umlauts where there are none.
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def tokens(text: str) -> list[str]:
    """What is searched as words, in its order; for plain ASCII without a regular expression."""
    if not text.isascii():
        return TOKEN.findall(text)
    if ("#" in text or "++" in text) and _HAS_CODE.search(text):
        return _TOKEN_ASCII.findall(text)
    return text.translate(_TO_BLANKS).split()


def normalise(text: str) -> str:
    """The text in Unicode's compatibility form (NFKC): full-width letters and ligatures plain."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def fold(word: str) -> str:
    """The word in lower case without accents; other scripts keep their own letters."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFD", word.casefold().translate(_LETTERS))
    return unicodedata.normalize("NFC", _ACCENTS.sub("", plain))


def spellings(word: str) -> tuple[str, ...]:
    """Other ways to write the word than its folded form: with its accents, German without umlauts.

    Empty for plain words, so that most words cost nothing.
    """
    if word.isascii():
        return ()
    exact = word.lower()
    found = {exact, exact.translate(_GERMAN)} - {fold(word)}
    return tuple(sorted(found))
