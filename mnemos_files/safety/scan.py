"""A text judged by every rule."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import Final

from mnemos_files.safety.calls import calls
from mnemos_files.safety.encoded import blobs, decoded
from mnemos_files.safety.found import Found
from mnemos_files.safety.frames import frames
from mnemos_files.safety.hidden import addresses_agent, hidden_places
from mnemos_files.safety.invisible import ZERO_WIDTH, invisible
from mnemos_files.safety.letters import disguises
from mnemos_files.safety.links import links
from mnemos_files.safety.mention import Mention
from mnemos_files.safety.phrases import HIDE, ORDER, OVERRIDE, ROLE, phrases
from mnemos_files.safety.verdict import RISKS, Finding, Risk, Verdict, worst
from mnemos_files.safety.wordings import wordings
from mnemos_files.safety.words import Words

_ORDERS: Final = frozenset({OVERRIDE, ROLE, ORDER, HIDE, "data-exfil", "mcp-spoof"})
"""Rules for what is said to the reader; the others are about marks and hidden text."""
_OF_SOURCE: Final = frozenset({ORDER, HIDE})
"""Rules that trust a person more: people do tell their assistants what to do."""
_NO_ORDERS: Final = frozenset({"exfil-link", "fake-tool-call"})
_NEAR: Final = 240
"""Characters [1] within which two orders of different rules make each other worse."""
_DEPTH: Final = 2
"""Writings inside of each other [1] that are read."""

_BY_WRITING: Final = _ORDERS | {"encoded-payload", "frame-break", "hidden-comment"}

_DETECTORS: Final[tuple[Callable[[str], Iterable[Found]], ...]] = (frames, calls, links)


def scan(text: str, *, source: str = "tool") -> Verdict:
    """The findings in a text.

    ``source`` is where the text came from, as `source_kind` of a record: what a person wrote
    ("user") may speak to an assistant, what came in by any other way is judged harder for it.
    """
    return Verdict(tuple(sorted(_merged(_Scan(text, source, _DEPTH).findings()))))


class _Scan:
    """One text, its words and what is said in it."""

    def __init__(self, text: str, source: str, depth: int) -> None:
        self._words = Words(text)
        self._mention = Mention(self._words)
        self._source = source
        self._depth = depth

    def findings(self) -> Iterator[Finding]:
        """Everything that a rule names, in no order."""
        words, said = self._words, self._weighed
        for found in [*said, *map(self._lowered, self._hidden())]:
            yield Finding(*words.stretch(found.start, found.end), found.rule, found.risk)
        yield from disguises(words, said)
        yield from self._split_words()
        yield from self._encoded()
        yield from invisible(words.text)

    @cached_property
    def _said(self) -> list[Found]:
        """What is said, each with the risk that it has when it is said plainly."""
        words = self._words
        found = [*phrases(words), *wordings(words)]
        for detector in _DETECTORS:
            found += detector(words.plain)
        kept = [
            each for each in found if each.rule != OVERRIDE or not self._mention.is_denied(each)
        ]
        return _inner(_worst_of_place(kept))

    @cached_property
    def _gives_orders(self) -> bool:
        """True when an order stands outside of quotes, so that the quotes are part of it."""
        return any(
            each.rule in _ORDERS
            and each.risk in ("medium", "high")
            and not self._mention.is_quoted(each)
            and self._mention.steps(each, ordering=False) == 0
            for each in self._said
        )

    def _lowered(self, found: Found) -> Found:
        return found.lowered(self._mention.steps(found, ordering=self._gives_orders))

    @cached_property
    def _weighed(self) -> list[Found]:
        """What is said, each with the risk that its surroundings and source leave."""
        weighed = [self._lowered(each) for each in self._said]
        if self._source == "user":
            return [each.lowered(1) if each.rule in _OF_SOURCE else each for each in weighed]
        return _raised(weighed)

    def _hidden(self) -> Iterator[Found]:
        """Places that a rendered page does not show and that hold an order."""
        for start, end in hidden_places(self._words.plain):
            risks = [
                each.risk
                for each in self._said
                if start <= each.start and each.end <= end and each.rule not in _NO_ORDERS
            ]
            if addresses_agent(self._words, start, end):
                risks.append("medium")
            if risks:
                risk: Risk = "low" if worst(risks) == "low" else "high"
                yield Found("hidden-comment", risk, start, end)

    def _split_words(self) -> Iterator[Finding]:
        """Characters of no width inside of an order."""
        for found in self._weighed:
            if found.rule in _ORDERS and found.risk != "low":
                start, end = self._words.stretch(found.start, found.end)
                for finding in invisible(self._words.text[start:end]):
                    place = (start + finding.start, start + finding.end)
                    if finding.rule == ZERO_WIDTH:
                        yield Finding(*place, ZERO_WIDTH, found.risk)

    def _encoded(self) -> Iterator[Finding]:
        """Orders in another writing, and long runs of base64."""
        for start, end in blobs(self._words):
            yield Finding(start, end, "base64-blob", "low")
        if self._depth == 0:
            return
        for start, end, plain in decoded(self._words):
            inner = _Scan(plain, self._source, self._depth - 1).findings()
            risk = worst(each.risk for each in inner if each.rule in _BY_WRITING)
            if risk in ("medium", "high"):
                yield Finding(start, end, "encoded-payload", risk)


def _worst_of_place(said: Iterable[Found]) -> Iterable[Found]:
    """Of what one rule found at one place, the worst; of two as bad, the longer."""
    worst_of: dict[tuple[str, int], Found] = {}
    for found in said:
        key = (found.rule, found.start)
        other = worst_of.get(key)
        if other is None or _badness(found) > _badness(other):
            worst_of[key] = found
    return worst_of.values()


def _inner(said: Iterable[Found]) -> list[Found]:
    """What is said, without what only begins earlier than another and is no worse."""
    ordered = sorted(said, key=lambda found: (found.rule, found.start))
    return [
        found
        for found, after in zip_longest(ordered, ordered[1:])
        if after is None
        or after.rule != found.rule
        or after.start >= found.end
        or _level(after) < _level(found)
    ]


def _level(found: Found) -> int:
    return RISKS.index(found.risk)


def _badness(found: Found) -> tuple[int, int]:
    return _level(found), found.end


def _raised(said: list[Found]) -> list[Found]:
    """Two orders of different rules side by side: each of medium risk, together high."""
    orders = sorted(
        (each for each in said if each.rule in _ORDERS and each.risk != "low"),
        key=lambda each: each.start,
    )
    raised = set()
    for first, second in pairwise(orders):
        if first.rule != second.rule and 0 <= second.start - first.end <= _NEAR:
            raised |= {first, second}
    return [replace(each, risk="high") if each in raised else each for each in said]


def _merged(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Of findings of one rule that overlap, one with the whole stretch and the worst risk."""
    last: dict[str, Finding] = {}
    for finding in sorted(findings):
        before = last.get(finding.rule)
        if before is not None and finding.start < before.end:
            worse = max(before.risk, finding.risk, key=RISKS.index)
            last[finding.rule] = replace(before, end=max(before.end, finding.end), risk=worse)
            continue
        last[finding.rule] = finding
        if before is not None:
            yield before
    yield from last.values()
