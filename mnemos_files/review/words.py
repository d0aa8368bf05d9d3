"""The difference of two texts, word by word, cut to what a reader needs. Pure.

The shortest edit script after E. W. Myers, "An O(ND) Difference Algorithm and Its Variations"
(1986), with a bound on D, so that no text costs more than a few milliseconds.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from mnemos_files.review.values import Mark, Piece

EDITS_MAX = 300
"""Words [1] that may go and come together; of texts that differ more, the whole is shown."""

CONTEXT_WORDS = 8
"""Words [1] that stay beside a change on each side."""

SHOWN_MAX = 1_200
"""Characters [1] of a difference that are given."""

GAP = " … "

_WORD = re.compile(r"\s*\S+")


def pieces(before: str, after: str) -> tuple[Piece, ...]:
    """What stayed, went and came; long stretches that stayed are cut, as is what is too long."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle = _script(old[head : len(old) - tail], new[head : len(new) - tail])
    marked: list[tuple[Mark, str]] = [
        *(("=", word) for word in old[:head]),
        *middle,
        *(("=", word) for word in old[len(old) - tail :]),
    ]
    runs = [(mark, [word for _, word in run]) for mark, run in groupby(marked, lambda one: one[0])]
    return tuple(_bounded(_cut(runs)))


def shortened(text: str, limit: int) -> str:
    """The text, or its beginning and an ellipsis: at most `limit` characters."""
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words both begin with alike."""
    for at, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return at
    return min(len(one), len(other))


def _script(old: Sequence[str], new: Sequence[str]) -> list[tuple[Mark, str]]:
    """The words of both in order, marked; all of one, then all of the other beyond the bound."""
    trace = _trace(old, new)
    if trace is None:
        return [*(("-", word) for word in old), *(("+", word) for word in new)]
    return list(_walked(old, new, trace))[::-1]


def _trace(old: Sequence[str], new: Sequence[str]) -> list[dict[int, int]] | None:
    """The furthest place in `old` on each diagonal, before each step; None beyond the bound."""
    furthest = {1: 0}
    trace = []
    for edits in range(min(len(old) + len(new), EDITS_MAX) + 1):
        trace.append(dict(furthest))
        for diagonal in range(-edits, edits + 1, 2):
            at = _start(furthest, diagonal, edits)
            while at < len(old) and at - diagonal < len(new) and old[at] == new[at - diagonal]:
                at += 1
            furthest[diagonal] = at
            if at >= len(old) and at - diagonal >= len(new):
                return trace
    return None


def _start(furthest: dict[int, int], diagonal: int, edits: int) -> int:
    """Where a step onto a diagonal begins: one word came, or one went."""
    if _comes(furthest, diagonal, edits):
        return furthest[diagonal + 1]
    return furthest[diagonal - 1] + 1


def _comes(furthest: dict[int, int], diagonal: int, edits: int) -> bool:
    """True when the step onto a diagonal takes a word of the new text."""
    if abs(diagonal) == edits:
        return diagonal == -edits
    return furthest[diagonal - 1] < furthest[diagonal + 1]


def _walked(
    old: Sequence[str], new: Sequence[str], trace: list[dict[int, int]]
) -> Iterator[tuple[Mark, str]]:
    """The marked words from the last to the first."""
    at, other = len(old), len(new)
    for edits in range(len(trace) - 1, -1, -1):
        diagonal = at - other
        start = _start(trace[edits], diagonal, edits) if edits else 0
        while at > start and other > start - diagonal:
            at, other = at - 1, other - 1
            yield "=", old[at]
        if edits and _comes(trace[edits], diagonal, edits):
            other -= 1
            yield "+", new[other]
        elif edits:
            at -= 1
            yield "-", old[at]


def _cut(runs: Sequence[tuple[Mark, list[str]]]) -> Iterator[Piece]:
    """Pieces of the runs, of those that stayed only what stands beside a change."""
    for number, (mark, words) in enumerate(runs):
        is_first, is_last = number == 0, number == len(runs) - 1
        lead = 0 if is_first else CONTEXT_WORDS
        trail = 0 if is_last else CONTEXT_WORDS
        if mark != "=" or len(words) <= lead + trail:
            yield Piece(mark, "".join(words))
        elif not (is_first and is_last):
            kept = "".join(words[:lead]), "".join(words[len(words) - trail :])
            yield Piece(mark, GAP.join(kept).strip(" ") if is_first else GAP.join(kept))


def _bounded(found: Iterable[Piece]) -> Iterator[Piece]:
    left = SHOWN_MAX
    for piece in found:
        if left <= 0:
            yield Piece("=", GAP)
            return
        yield Piece(piece.mark, shortened(piece.text, max(left, 2)))
        left -= len(piece.text)
