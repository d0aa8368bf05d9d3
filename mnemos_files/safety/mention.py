"""Whether an order is given or only mentioned: quoted, reported, described, or denied."""

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import Final

from mnemos_files.format.fences import closed_fences, may_have_fences
from mnemos_files.safety.expression import Expression
from mnemos_files.safety.found import Found
from mnemos_files.safety.words import Words

_QUOTED: Final = Expression(
    r"`[^`\n]{1,400}`"
    r'|"[^"\n]{1,400}"'
    r"|“[^“”]{1,400}”|„[^„“”]{1,400}[“”]|«[^«»]{1,400}»|\u2039[^\u2039\u203a]{1,400}\u203a"
    r"|「[^「」]{1,400}」|『[^『』]{1,400}』|《[^《》]{1,400}》|\u2018[^\u2018\u2019]{1,400}\u2019(?!\w)"
    r"|'(?<![\w']')[^'\n]{3,300}'(?!\w)"
)
_BLOCK: Final = Expression(r"\n[ \t]{0,3}>[^\n]{0,2000}")
_SENTENCE_END: Final = Expression(
    r"[.!?;。\uff01\uff1f](?=\s|[\"”»)\]」]|[^\x00-\x7f])|\n\s{0,3}\n|\n(?=\s{0,8}(?:[-*+#>|A-Z]|\d{1,3}[.)]))"
)
_LOOK_BACK: Final = 240
_LOOK_AROUND: Final = 400
_PAUSE: Final = Expression(r"[,.:;!?()\n]")
_SOUND: Final = Expression(r"\w")
_LEAST_OUTSIDE: Final = 12
"""Letters [1] outside of quotes below which a text is not one that quotes, but one in quotes."""
_DESCRIBING: Final = frozenset("dU>Q")
_DENIED: Final = frozenset({"ID", "JD"})
_CODE: Final = frozenset({"mcp-spoof", "fake-tool-call"})
"""Rules for calls, which a note of nothing but code may show."""
_ADDRESSED: Final = frozenset("yYGM&")


class Mention:
    """The quotes of a text and the sentences around a place."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._text = words.text
        self._known: dict[int, str] = {}

    def steps(self, found: Found, *, ordering: bool) -> int:
        """Steps [1] by which the risk falls: 0 for an order that is given.

        ``ordering`` is true when the text also gives orders outside of quotes: then quotes are no
        excuse.
        """
        quoted = not ordering and self.is_quoted(found)
        if quoted:
            return 2 if self._is_reported_around(found) else 1
        return int(self._is_reported_before(found) or self._is_described(found))

    def is_quoted(self, found: Found) -> bool:
        """True inside of quotes or code, in a text that says something beside them."""
        start, end = self._words.stretch(found.start, found.end)
        inside = self._in_quotes(start) and self._in_quotes(end - 1)
        return inside and (found.rule in _CODE or self._says_more)

    def _in_quotes(self, place: int) -> bool:
        row = bisect_right(self._quotes, (place, len(self._text) + 1)) - 1
        return row >= 0 and place < self._quotes[row][1]

    def is_denied(self, found: Found) -> bool:
        """True when the words beside it forbid it: "do not ignore earlier rules"."""
        words = self._words
        first = words.token_at(found.start)
        last = words.token_at(found.end - 1)
        if words.classes[last : last + 2] == "VD" or words.classes[first : first + 2] in _DENIED:
            return True  # languages that put the negation behind the verb
        near = range(max(0, first - 2), first)
        denying = next((token for token in near if words.classes[token] == "D"), None)
        if denying is None:
            return False
        return not _PAUSE.search(words.plain, words.end(denying), found.start)

    @cached_property
    def _quotes(self) -> list[tuple[int, int]]:
        spans = [found.span() for found in _QUOTED.finditer(self._text)]
        spans += [found.span() for found in _BLOCK.finditer(self._text)]
        if self._text.startswith(">"):
            spans.append((0, (self._text + "\n").index("\n")))
        spans += _fenced(self._text)
        merged: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        return merged

    @cached_property
    def _says_more(self) -> bool:
        letters, done = 0, 0
        for start, end in [*self._quotes, (len(self._text), 0)]:
            for _each in _SOUND.finditer(self._text, done, start):
                letters += 1
                if letters >= _LEAST_OUTSIDE:
                    return True
            done = end
        return False

    def _before(self, found: Found) -> str:
        """Classes of the words before a place, from the start of its sentence."""
        if found.start not in self._known:
            self._known[found.start] = self._sentence_before(found)
        return self._known[found.start]

    def _sentence_before(self, found: Found) -> str:
        words = self._words
        start = words.place(max(0, found.start - _LOOK_BACK))
        text = self._text[start : words.place(found.start)]
        ends = [each.end() for each in _SENTENCE_END.finditer(text)]
        begin = start + (ends[-1] if ends else 0)
        first, last = words.token_at(words.folded(begin)), words.token_at(found.start)
        return words.classes[first:last]

    def _is_reported_before(self, found: Found) -> bool:
        return "Q" in self._before(found)

    def _is_reported_around(self, found: Found) -> bool:
        first = self._words.token_at(max(0, found.start - _LOOK_AROUND))
        last = self._words.token_at(min(found.end + _LOOK_AROUND, len(self._words.plain)))
        inner = (self._words.token_at(found.start), self._words.token_at(found.end))
        classes = self._words.classes
        return "Q" in classes[first : inner[0]] + classes[inner[1] : last]

    def _is_described(self, found: Found) -> bool:
        before = self._before(found)[-4:]
        return not _DESCRIBING.isdisjoint(before[-2:]) and _ADDRESSED.isdisjoint(before)


def _fenced(text: str) -> list[tuple[int, int]]:
    if not may_have_fences(text):
        return []
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    return [(starts[first], starts[last + 1]) for first, last in closed_fences(lines).items()]
