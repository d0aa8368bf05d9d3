"""A text judged by every rule."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from mnemos_files.safety.calls import calls
from mnemos_files.safety.encoded import BLOB, decoded
from mnemos_files.safety.found import Found
from mnemos_files.safety.frames import frames
from mnemos_files.safety.hidden import hidden_places
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
_NEAR: Final = 240
"""Characters [1] within which two orders of different rules make each other worse."""
_DEPTH: Final = 2
"""Writings inside of each other [1] that are read."""

_DETECTORS: Final[tuple[Callable[[str], Iterable[Found]], ...]] = (wordings, frames, calls, links)


def scan(text: str, *, source: str = "tool") -> Verdict:
    """The findings in a text.

    ``source`` is where the text came from, as `source_kind` of a record: what a person wrote
    ("user") may speak to an assistant, what came in by any other way is judged harder for it.
    """
    return Verdict(tuple(_merged(_scan(text, source, _DEPTH))))


def _scan(text: str, source: str, depth: int) -> Iterator[Finding]:
    words = Words(text)
    said = _weighed(words, source)
    for found in said:
        yield _in_text(words, found)
    yield from _disguised(words, said)
    yield from _hidden(words, said)
    yield from _encoded(words, source, depth)
    yield from invisible(text)


def _weighed(words: Words, source: str) -> list[Found]:
    """What is said in a text, each with the risk that its surroundings and source leave."""
    found = [*phrases(words)]
    for detector in _DETECTORS:
        found += detector(words.plain)
    if not found:
        return []
    mention = Mention(words)
    said = [each for each in found if each.rule != OVERRIDE or not mention.is_denied(each)]
    ordering = _gives_orders(said, mention)
    weighed = [each.lowered(mention.steps(each, ordering=ordering)) for each in said]
    if source == "user":
        return [each.lowered(1) if each.rule in _OF_SOURCE else each for each in weighed]
    return _raised(weighed)


def _gives_orders(said: list[Found], mention: Mention) -> bool:
    """True when an order stands outside of quotes, so that the quotes are part of it."""
    return any(
        found.rule in _ORDERS
        and found.risk in ("medium", "high")
        and not mention.is_quoted(found)
        and mention.steps(found, ordering=False) == 0
        for found in said
    )


def _raised(said: list[Found]) -> list[Found]:
    """Two orders of different rules side by side: each of medium risk, together high."""
    orders = sorted(
        (each for each in said if each.rule in _ORDERS and each.risk != "low"),
        key=lambda each: each.start,
    )
    raised = set()
    for first, second in pairwise(orders):
        if first.rule != second.rule and second.start - first.end <= _NEAR:
            raised |= {first, second}
    return [replace(each, risk="high") if each in raised else each for each in said]


def _in_text(words: Words, found: Found) -> Finding:
    return Finding(*words.stretch(found.start, found.end), found.rule, found.risk)


def _disguised(words: Words, said: list[Found]) -> Iterator[Finding]:
    """Orders in look-alike letters, and orders with characters of no width inside."""
    yield from disguises(words, said)
    for found in said:
        start, end = words.stretch(found.start, found.end)
        for finding in invisible(words.text[start:end]):
            if finding.rule == ZERO_WIDTH and found.rule in _ORDERS and found.risk != "low":
                yield Finding(start + finding.start, start + finding.end, ZERO_WIDTH, found.risk)


def _hidden(words: Words, said: list[Found]) -> Iterator[Finding]:
    """Places that a rendered page does not show and that hold an order."""
    for start, end in hidden_places(words.plain):
        inside = [each for each in said if start <= each.start and each.end <= end]
        risks = [each.risk for each in inside if each.rule in _ORDERS or each.rule == "frame-break"]
        if risks:
            risk: Risk = "low" if worst(risks) == "low" else "high"
            yield Finding(*words.stretch(start, end), "hidden-comment", risk)


def _encoded(words: Words, source: str, depth: int) -> Iterator[Finding]:
    text = words.text
    for blob in BLOB.finditer(text) if len(text) > len("base64") else ():
        yield Finding(*blob.span(), "base64-blob", "low")
    if depth == 0:
        return
    for start, end, plain in decoded(words):
        risks = [each.risk for each in _scan(plain, source, depth - 1) if each.rule in _BY_WRITING]
        risk = worst(risks)
        if risk in ("medium", "high"):
            yield Finding(start, end, "encoded-payload", risk)


_BY_WRITING: Final = _ORDERS | {"encoded-payload", "frame-break", "hidden-comment"}


def _merged(findings: Iterable[Finding]) -> Iterator[Finding]:
    """By place; of findings of one rule that overlap, one with the whole stretch and the worst."""
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
