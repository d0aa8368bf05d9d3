"""Text -> the terms it is found by.

A text gives a *sequence* of terms (words in their order, stemmed, stop words left out; BM25 counts
it and pairs are looked up in it) and *extras*: other names of the same words, such as a whole
identifier beside its parts, that are found but do not make the note longer.
"""

import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from mnemos_files.index.scripts import UNSPACED, fold, normalise, spellings, tokens

TERM_LENGTH_MAX = 64
"""Letters [1] of the longest term; longer runs (keys, hashes, data) are cut, not dropped."""

ACCENTED_WEIGHT = 0.9
"""Frequency [1] of a word with accents under its plain spelling: the exact spelling wins a tie."""

_STOP_TEXT = (
    "a about above after again against all also am an and any are aren as at be because been "
    "before being below between both but by can could couldn d did didn do does doesn doing "
    "don down during each few for from further had hadn has hasn have haven having he her "
    "here hers herself him himself his how i if in into is isn it its itself just ll m me "
    "more most my myself no nor not now of off on once only or other our ours ourselves out "
    "over own re s same she should shouldn so some such t than that the their theirs them "
    "themselves then there these they this those through to too under until up ve very was "
    "wasn we were weren what when where which while who whom why will with would wouldn you "
    "your yours yourself yourselves"
)
STOP_WORDS: tuple[str, ...] = tuple(_STOP_TEXT.split())
"""English words left out of a query that has others; numbered by their place."""

STOP_NUMBER = {word: number for number, word in enumerate(STOP_WORDS)}

# The look-behind keeps a long run without signs from being tried at each of its letters.
COMPOUND = re.compile(r"(?<![^\W_])[^\W_]++(?:[_./\\:@'\u2019+-]+[^\W_]+)+")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+")
_LEVELS = (re.compile(r"[/\\:@]+"), re.compile(r"[.'\u2019+]+"), re.compile(r"[_-]+"))
_WORDS = re.compile(r"[^\W_]+")
_VERSION = re.compile(r"v[0-9]+")
_STEMMER = Stemmer.Stemmer("english")
_STEMMER_LOCK = threading.Lock()  # a stemmer object keeps state between calls


@dataclass(frozen=True, slots=True)
class Terms:
    """What a text is found by; `stops` are the numbers of the stop words in it."""

    sequence: tuple[str, ...]
    extras: dict[str, float]
    stops: frozenset[int]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text and the term that it counts for, with the frequency [1] it adds there.

    `others` are terms of other spellings, `parts` those of the parts of a name in camel case,
    `stop` is the number of a stop word or -1.
    """

    text: str
    term: str
    weight: float = 1.0
    others: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    stop: int = -1


@lru_cache(maxsize=60_000)
def stem(word: str) -> str:
    """Snowball's English stem of a folded word; words with digits or of other scripts stay."""
    if not (word.isascii() and word.isalpha()):
        return word
    with _STEMMER_LOCK:
        return str(_STEMMER.stemWord(word))


@lru_cache(maxsize=60_000)
def word_of(text: str) -> Word:
    """The word with its term: folded, `v1` as `1`, cut to length, stemmed."""
    plain = fold(text)[:TERM_LENGTH_MAX]
    if _VERSION.fullmatch(plain):
        plain = plain[1:]
    others = tuple(stem(other[:TERM_LENGTH_MAX]) for other in spellings(text))
    weight = ACCENTED_WEIGHT if others else 1.0
    return Word(text, stem(plain), weight, others, _camel_parts(text), STOP_NUMBER.get(plain, -1))


def _camel_parts(name: str) -> tuple[str, ...]:
    """Terms of the parts of `getUserById` and `HTTPServer`, stop words among them left out."""
    if not _CAMEL.search(name):
        return ()
    parts = [part.lower() for part in _CAMEL_PART.findall(name)]
    return tuple(stem(part) for part in parts if part not in STOP_NUMBER and len(parts) > 1)


def words(text: str) -> list[Word]:
    """Words of a normalised text in their order; runs without spaces as overlapping pairs."""
    return [word for token in tokens(text) for word in _words_of(token)]


@lru_cache(maxsize=60_000)
def _words_of(token: str) -> tuple[Word, ...]:
    if token[-1] in "+#":
        return (Word(token, token.lower()),)
    if UNSPACED.match(token):
        return tuple(_pairs(fold(token)))
    word = word_of(token)
    return (word,) if word.term else ()  # a lone accent is no word


def _pairs(run: str) -> Iterator[Word]:
    """Overlapping pairs of letters; the last one stands for the last letter, too.

    So a question of one letter finds it at the start of a pair (by prefix) and at the end of a run.
    """
    if len(run) == 1:
        yield Word(run, run)
        return
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    yield from (Word(pair, pair) for pair in pairs[:-1])
    yield Word(pairs[-1], pairs[-1], others=(run[-1],))


def analyse(text: str) -> Terms:
    """Terms of a text that is to be found."""
    text = normalise(text)
    sequence: list[str] = []
    stops: set[int] = set()
    extras: defaultdict[str, float] = defaultdict(float)
    for word in words(text):
        if word.stop >= 0:
            stops.add(word.stop)
            continue
        sequence.append(word.term)
        if word.others or word.parts:
            extras[word.term] += word.weight - 1.0
            for other in word.others + word.parts:
                extras[other] += 1.0
    for chunk in text.split():
        if not chunk.isalnum():
            for name in _names_in(chunk):
                extras[name] += 1.0
    return Terms(tuple(sequence), dict(extras), frozenset(stops))


@lru_cache(maxsize=60_000)
def _names_in(chunk: str) -> tuple[str, ...]:
    return tuple(name for compound in COMPOUND.findall(chunk) for name in names(compound))


def names(compound: str) -> tuple[str, ...]:
    """Whole names inside a run of words joined by signs, the longest first, without the signs.

    `src/auth/login_handler.py` gives `srcauthloginhandlerpy`, `loginhandlerpy`, `loginhandler`.
    """
    found: dict[str, None] = {}
    level = [compound]
    for separator in _LEVELS:
        for name in level:
            parts = [fold(word) for word in _WORDS.findall(name)]
            if len(parts) > 1:
                found[_joined(parts)] = None
        level = [part for name in level for part in separator.split(name) if part]
    return tuple(found)


def _joined(parts: list[str]) -> str:
    first = parts[0][1:] if _VERSION.fullmatch(parts[0]) else parts[0]
    return stem("".join([first, *parts[1:]])[:TERM_LENGTH_MAX])
