"""The words of a question and which terms of the index answer each of them."""

from dataclasses import dataclass
from itertools import pairwise

from mnemos_files.index.scripts import normalise
from mnemos_files.index.terms import COMPOUND, Word, names, words

WORDS_MAX = 200
"""Words [1] of a question that are looked at; what is longer is a pasted text."""

LETTERS_MAX = 10_000
"""Characters [1] of a question that are looked at: 200 words, however long they are."""

PREFIX_LETTERS_MIN = 5
"""Letters [1] from which a word also stands for longer ones that begin with it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One word of the question: the term it stands for and the terms that may stand in for it.

    `others` always count beside the term, `parts` and longer words with this `prefix` only when
    the term is rare or absent ("" = never).
    """

    term: str
    others: tuple[str, ...]
    parts: tuple[str, ...]
    prefix: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a text asks for.

    `slots` are its distinct words without stop words, `pairs` those that stand side by side,
    `stops` the numbers of its stop words, `words` every word as typed with the place of its slot
    or -1 - the number of the stop word.
    """

    slots: tuple[Slot, ...]
    pairs: tuple[tuple[int, int], ...]
    stops: tuple[int, ...]
    words: tuple[tuple[str, int], ...]


def ask(text: str) -> Question:
    """The question in any text; punctuation, quotes, operators and field names are just text."""
    text = normalise(text[:LETTERS_MAX])
    asked = [word for word, _ in zip(words(text), range(WORDS_MAX), strict=False)]
    content = [word for word in asked if word.stop < 0]
    whole = _whole_names(text, {word.term for word in content})
    places: dict[str, int] = {}
    slots: list[Slot] = []
    for word in content:
        if word.term not in places:
            places[word.term] = len(slots)
            slots.append(_slot(word, whole.get(word.term, ())))
    order = [places[word.term] for word in content]
    pairs = dict.fromkeys((a, b) for a, b in pairwise(order) if a != b)
    stops = dict.fromkeys(word.stop for word in asked if word.stop >= 0)
    typed = ((word.text, places[word.term] if word.stop < 0 else -1 - word.stop) for word in asked)
    return Question(tuple(slots), tuple(pairs), tuple(stops), tuple(typed))


def _slot(word: Word, whole: tuple[str, ...]) -> Slot:
    others = tuple(term for term in dict.fromkeys(word.others + whole) if term != word.term)
    one_letter = len(word.text) == 1 and not word.text.isascii()
    long = word.term.isalpha() and len(word.term) >= PREFIX_LETTERS_MIN
    return Slot(word.term, others, word.parts, word.term if long or one_letter else "")


def _whole_names(text: str, asked: set[str]) -> dict[str, tuple[str, ...]]:
    """Terms of the words of an identifier -> terms of the identifier as a whole."""
    whole: dict[str, dict[str, None]] = {}
    for compound in COMPOUND.findall(text):
        found = dict.fromkeys(names(compound))
        for term in {word.term for word in words(compound)} & asked:
            whole.setdefault(term, {}).update(found)
    return {term: tuple(found) for term, found in whole.items()}
