"""Two changes of one sequence brought together: the diff3 rule on any tokens. Pure.

Khanna, Kunal, Pierce: A Formal Investigation of Diff3 (FSTTCS 2007). Here changes that only touch
are two changes, unless the caller wants a token between them.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from typing import TypeVar

Token = TypeVar("Token", bound=Hashable)
Tokens = Sequence[Hashable]


class Origin(Enum):
    """Who changed a region; CLASH is both, to different tokens."""

    NEITHER = "neither"
    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    CLASH = "clash"


@dataclass(frozen=True, slots=True)
class Region:
    """A run of tokens: who changed it, and where it lies in the base and in both sides."""

    origin: Origin
    base: slice
    first: slice
    second: slice


@dataclass(frozen=True, slots=True)
class _Hunk:
    """A change: base[low:high] became as many tokens more as `growth` tells."""

    low: int
    high: int
    growth: int
    is_first: bool


@dataclass(slots=True)
class _Group:
    """Changes of both sides that concern the same place."""

    low: int
    high: int
    hunks: list[_Hunk]

    def takes(self, hunk: _Hunk, *, gap: bool) -> bool:
        if gap and hunk.low <= self.high:
            return True
        both_insert = self.low == self.high == hunk.low == hunk.high
        return hunk.low < self.high or both_insert

    def growth(self, *, is_first: bool) -> int:
        return sum(hunk.growth for hunk in self.hunks if hunk.is_first == is_first)


def three_way(base: Tokens, first: Tokens, second: Tokens, *, gap: bool = False) -> list[Region]:
    """The regions of a merge in order; `gap` wants an unchanged token between two changes."""
    regions: list[Region] = []
    at = first_shift = second_shift = 0
    hunks = [*_hunks(base, first, is_first=True), *_hunks(base, second, is_first=False)]
    for group in _groups(sorted(hunks, key=_order), gap=gap):
        if at < group.low:
            regions.append(_region(Origin.NEITHER, (at, group.low), first_shift, second_shift))
        ends = (
            group.high + first_shift + group.growth(is_first=True),
            group.high + second_shift + group.growth(is_first=False),
        )
        ours = slice(group.low + first_shift, ends[0])
        theirs = slice(group.low + second_shift, ends[1])
        origin = _origin(group, first[ours], second[theirs])
        regions.append(Region(origin, slice(group.low, group.high), ours, theirs))
        first_shift, second_shift = ends[0] - group.high, ends[1] - group.high
        at = group.high
    if at < len(base):
        regions.append(_region(Origin.NEITHER, (at, len(base)), first_shift, second_shift))
    return regions


def common(first: Sequence[Token], second: Sequence[Token]) -> list[Token]:
    """The tokens that both have in the same order: what stands for a base where there is none."""
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return [
        token for at, _, size in matcher.get_matching_blocks() for token in first[at : at + size]
    ]


def _order(hunk: _Hunk) -> tuple[int, int]:
    return hunk.low, hunk.high


def _hunks(base: Tokens, side: Tokens, *, is_first: bool) -> Iterator[_Hunk]:
    matcher = SequenceMatcher(None, base, side, autojunk=False)
    for tag, low, high, side_low, side_high in matcher.get_opcodes():
        growth = side_high - side_low - (high - low)
        if tag == "replace" and not growth:
            # As many as there were: each one took the place of one.
            for at in range(low, high):
                yield _Hunk(at, at + 1, 0, is_first)
        elif tag != "equal":
            yield _Hunk(low, high, growth, is_first)


def _groups(hunks: Sequence[_Hunk], *, gap: bool) -> list[_Group]:
    groups: list[_Group] = []
    for hunk in hunks:
        if groups and groups[-1].takes(hunk, gap=gap):
            groups[-1].hunks.append(hunk)
            groups[-1].high = max(groups[-1].high, hunk.high)
        else:
            groups.append(_Group(hunk.low, hunk.high, [hunk]))
    return groups


def _origin(group: _Group, first: Tokens, second: Tokens) -> Origin:
    sides = {hunk.is_first for hunk in group.hunks}
    if len(sides) == 1:
        return Origin.FIRST if True in sides else Origin.SECOND
    return Origin.BOTH if list(first) == list(second) else Origin.CLASH


def _region(origin: Origin, place: tuple[int, int], first: int, second: int) -> Region:
    low, high = place
    return Region(
        origin,
        slice(low, high),
        slice(low + first, high + first),
        slice(low + second, high + second),
    )
