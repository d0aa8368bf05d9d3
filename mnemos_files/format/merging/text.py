"""A text merged by blocks, then by lines or items within a block. Pure.

What two people add at the same place is no contradiction: both stay, the older first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mnemos_files.format.merging.blocks import (
    Block,
    Blocks,
    headings,
    items,
    join_blocks,
    split_blocks,
)
from mnemos_files.format.merging.three_way import Origin, Region, common, three_way

Show = Callable[[str, str], str]
"""How two texts that contradict each other stand in the merged one; the newer comes first."""


@dataclass(slots=True)
class TextMerge:
    """Merges texts; `clashes` counts the places where both sides said something else."""

    show: Show
    clashes: int = field(default=0)

    def merge(self, base: str | None, first: str, second: str) -> str:
        """One text of both; `first` is the newer. No base: neither came from the other."""
        if second in (first, base):
            return first
        if first == base:
            return second
        one, other = split_blocks(first), split_blocks(second)
        if base is None:
            shared = common(one.texts, other.texts)
            old = Blocks("", tuple(Block(text, None) for text in shared), "")
        else:
            old = split_blocks(base)
        regions = three_way(old.texts, one.texts, other.texts)
        merged: list[Block] = []
        for region in regions:
            merged += self._region(region, (old, one, other), is_new=base is None)
        end = pick(old.end, one.end, other.end)
        return pick(old.head, one.head, other.head) + join_blocks(merged, end)

    def _region(
        self, region: Region, texts: tuple[Blocks, Blocks, Blocks], *, is_new: bool
    ) -> Sequence[Block]:
        old, one, other = texts
        first, second = one.blocks[region.first], other.blocks[region.second]
        if region.origin is Origin.SECOND:
            return second
        if region.origin is Origin.FIRST:
            return first
        if region.origin is Origin.CLASH:
            return self._clash(old.blocks[region.base], first, second, is_new=is_new)
        base = old.blocks[region.base] if region.origin is Origin.NEITHER else first
        tails = [_tail(*each) for each in zip(base, first, second, strict=True)]
        return [Block(block.text, tail) for block, tail in zip(first, tails, strict=True)]

    def _clash(
        self,
        base: Sequence[Block],
        first: Sequence[Block],
        second: Sequence[Block],
        *,
        is_new: bool,
    ) -> Sequence[Block]:
        if not base and not is_new and first and second:
            both = _both_added(first, second)
            if both is not None:
                return both
        texts = [join_blocks(blocks, "") for blocks in (base, first, second)]
        merged = _merged_items(*texts)
        if merged is None and base:
            merged = _merged_lines(*texts)
        tail = first[-1].tail if first else second[-1].tail if second else None
        if merged is None:
            self.clashes += 1
            return [Block(self.show(texts[1], texts[2]), None)]
        return [Block(merged, tail)] if merged else []


def pick(base: str, first: str, second: str) -> str:
    """The value of the side that changed it; of two changes the newer."""
    return second if first == base else first


def _tail(base: Block, first: Block, second: Block) -> str | None:
    if first.tail is None or second.tail is None:
        return first.tail or second.tail
    return second.tail if first.tail == base.tail else first.tail


def _both_added(first: Sequence[Block], second: Sequence[Block]) -> Sequence[Block] | None:
    """What both added at one place; None when it is about the same headings."""
    one, other = [each.text for each in first], [each.text for each in second]
    merged: list[Block] = []
    for region in three_way(common(one, other), one, other):
        mine, theirs = first[region.first], second[region.second]
        if region.origin is not Origin.CLASH:
            merged += theirs if region.origin is Origin.SECOND else mine
            continue
        if headings(mine) & headings(theirs):
            return None
        is_one_list = len(mine) == len(theirs) == 1
        both = _merged_items("", mine[0].text, theirs[0].text) if is_one_list else None
        merged += [*theirs, *mine] if both is None else [Block(both, mine[0].tail)]
    return merged


def _merged_items(base: str, first: str, second: str) -> str | None:
    """Lists or tables merged item by item; None when they are none, or an item has two changes."""
    one, other = items(first), items(second)
    old = items(base) if base else []
    if one is None or other is None:
        return None
    if old is None:
        return None
    if not base:
        old = common(one, other)
    merged: list[str] = []
    for region in three_way(old, one, other):
        if region.origin is Origin.CLASH:
            if region.base.start != region.base.stop:
                return None
            merged += other[region.second]
        takes_second = region.origin is Origin.SECOND
        merged += other[region.second] if takes_second else one[region.first]
    return "".join(merged).rstrip("\n")


def _merged_lines(base: str, first: str, second: str) -> str | None:
    """The lines of both; None when they changed the same ones or lines that touch."""
    old, one, other = (text.split("\n") for text in (base, first, second))
    merged: list[str] = []
    for region in three_way(old, one, other, gap=True):
        if region.origin is Origin.CLASH:
            return None
        takes_second = region.origin is Origin.SECOND
        merged += other[region.second] if takes_second else one[region.first]
    return "\n".join(merged)
