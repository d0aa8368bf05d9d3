"""Text -> numbers of the pieces that the model knows, a word at a time, each word once.

The model's own tokenizer gives the same for a whole text, at ten times the cost: it keeps the place
of every letter, and meets the same words again and again.
"""

import re
from collections.abc import Callable, Collection, Sequence
from itertools import chain

Ids = list[int]

WORDS_MAX = 100_000
"""Words [1] whose pieces are kept (about 20 MB); when there are more, all are forgotten."""

LETTERS_MAX = 40
"""Letters [1] of the longest word that is kept; longer ones are no words."""

# BERT's normaliser drops control characters; its pre-tokenizer parts words at blanks and makes
# each sign a word of its own. What it does beyond ASCII stays inside of a run.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
_WORD = re.compile(r"[A-Za-z0-9\x80-\U0010ffff]+|[!-/:-@\[-`{-~]")


class Pieces:
    """Pieces of texts. Not safe in threads.

    `encode` gives those of several texts; `marks` are texts that it takes for a piece each,
    wherever they stand.
    """

    def __init__(
        self, encode: Callable[[Sequence[str]], list[Ids]], marks: Collection[str]
    ) -> None:
        self._encode = encode
        self._marks = tuple(marks)
        self._known: dict[str, Ids] = {}

    def of(self, sentences: Sequence[str]) -> list[Ids]:
        """The pieces of each text."""
        parted = [self._words(text) for text in sentences]
        found = self._look_up(set().union(*parted))
        return [list(chain.from_iterable(map(found.__getitem__, words))) for words in parted]

    def _look_up(self, words: set[str]) -> dict[str, Ids]:
        if len(self._known) > WORDS_MAX:
            self._known = {}
        known = self._known
        new = [word for word in words if word not in known]
        made = dict(zip(new, self._encode(new), strict=True)) if new else {}
        known.update((word, ids) for word, ids in made.items() if len(word) <= LETTERS_MAX)
        return {word: made[word] if word in made else known[word] for word in words}

    def _words(self, text: str) -> list[str]:
        """Parts of a text that mean the same alone as they do in it."""
        if any(mark in text for mark in self._marks):
            return [text]
        return _WORD.findall(_CONTROL.sub("", text))
