"""Findings of characters that nobody sees."""

import re
from collections.abc import Iterator
from typing import Final

from mnemos_files.safety.characters import (
    INVISIBLE_RUN,
    SELECTORS,
    TAGS,
    WORD_SPACED,
    one_of,
)
from mnemos_files.safety.fitting import Fitting, line_around
from mnemos_files.safety.verdict import Finding, Risk

ZERO_WIDTH, TAG, SELECTOR = "zero-width-unicode", "tag-chars", "variation-selectors"

_TAGS: Final = one_of(TAGS)
_SELECTORS: Final = one_of(SELECTORS)
_TURNS: Final = one_of("\u202d\u202e")
_ISOLATES: Final = one_of("\u2066\u2067")
_HARMLESS_ALONE: Final = "\u00ad\u200e\u200f\u061c\u202a\u202c\u2060\u2068\u2069\ufe0e\ufe0f"
"""Soft hyphen, marks of direction and what programs leave behind when text is copied."""
_WORD_SPACED: Final = one_of(WORD_SPACED)
_RUN: Final = 3
"""Characters of no width in a row [1] that no program leaves behind."""
_IN_WORDS: Final = 3
"""Words with a character of no width between two small letters [1] that make a pattern."""
_SCATTERED: Final = 12
"""Stray characters of no width in one text [1] that can spell a hidden message."""


def invisible(text: str) -> Iterator[Finding]:
    """Findings in a text, by place; what emoji and scripts need is none."""
    if text.isascii():
        return
    fitting = Fitting(text)
    stray: list[Finding] = []
    for run in INVISIBLE_RUN.finditer(text):
        hidden = _without(run.group(), fitting.needed(run))
        if not hidden or (run.start() == 0 and hidden == "\ufeff"):
            continue
        finding = _judge(text, run, hidden, fitting)
        if finding.rule == ZERO_WIDTH and finding.risk != "high":
            stray.append(finding)
        else:
            yield finding
    yield from _together(stray)


def _without(hidden: str, needed_part: str) -> str:
    """A run without one of each character that is needed."""
    for sign in needed_part:
        hidden = hidden.replace(sign, "", 1)
    return hidden


def _judge(text: str, run: re.Match[str], hidden: str, fitting: Fitting) -> Finding:
    if _TAGS.search(hidden):
        return Finding(*run.span(), TAG, "high")
    selectors = len(_SELECTORS.findall(hidden))
    if selectors:
        alone = selectors == 1 and hidden in "\ufe0e\ufe0f"
        return Finding(*run.span(), SELECTOR, "low" if alone else "high")
    return Finding(*run.span(), ZERO_WIDTH, _risk(text, run, hidden, fitting))


def _risk(text: str, run: re.Match[str], hidden: str, fitting: Fitting) -> Risk:
    if len(hidden) >= _RUN:
        return "high"
    line = text[slice(*line_around(text, run))]
    if _TURNS.search(hidden) or (_ISOLATES.search(hidden) and "\u2069" not in line):
        return "medium" if fitting.is_right_to_left(run) else "high"
    before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
    if _WORD_SPACED.match(before) or _WORD_SPACED.match(after) or hidden in _HARMLESS_ALONE:
        return "low"
    return "medium" if before.isalnum() and after.islower() else "low"


def _together(stray: list[Finding]) -> Iterator[Finding]:
    """Single ones as they are, unless there are so many that they are no accident."""
    in_words = sum(finding.risk == "medium" for finding in stray)
    many = in_words >= _IN_WORDS
    for finding in stray:
        risk: Risk = "high" if many and finding.risk == "medium" else finding.risk
        yield Finding(finding.start, finding.end, finding.rule, risk)
