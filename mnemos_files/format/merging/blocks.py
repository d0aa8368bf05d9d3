"""A markdown text as blocks, each with the white space behind it. Pure.

A block is a heading, a closed fenced code, or what stands between blank lines. Two texts that
differ in one paragraph differ in one block, and a block can be quoted without being torn apart.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mnemos_files.format.fences import closed_fences, may_have_fences

BETWEEN = "\n\n"
"""What parts a block from the next where its file does not tell."""

_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t\r]|$)")
_ITEM = re.compile(r"(?: {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)| {0,3}\|)")
_MORE = re.compile(r"[ \t]")


@dataclass(frozen=True, slots=True)
class Block:
    """Text without white space at its end, and `tail`: that up to the next block.

    The last block of a text has no tail: what ends the text belongs to the text.
    """

    text: str
    tail: str | None


@dataclass(frozen=True, slots=True)
class Blocks:
    """A text in parts that join to the same text: `head`, each block with its tail, `end`."""

    head: str
    blocks: tuple[Block, ...]
    end: str

    @property
    def texts(self) -> list[str]:
        """What the blocks say, without what stands between them."""
        return [block.text for block in self.blocks]


def split_blocks(text: str) -> Blocks:
    """The blocks of a text with LF line ends."""
    body = text.lstrip("\n")
    head = text[: len(text) - len(body)]
    stripped = body.rstrip(" \t\n")
    end = body[len(stripped) :]
    if not stripped:
        return Blocks("", (), text)
    rows = [f"{row}\n" for row in stripped.split("\n")]
    pieces = ["".join(rows[low:high]) for low, high in _places(rows)]
    return Blocks(head, tuple(_blocks(pieces)), end)


def join_blocks(blocks: Sequence[Block], end: str) -> str:
    """One text; a block that was the last of its text is parted by a blank line."""
    pieces = []
    for place, block in enumerate(blocks):
        is_last = place == len(blocks) - 1
        tail = end if is_last else block.tail or BETWEEN
        pieces.append(block.text + tail)
    return "".join(pieces)


def items(text: str) -> list[str] | None:
    """The items of a block that is a list or a table, line ends included; None for others."""
    rows = text.split("\n")
    if not _ITEM.match(rows[0]):
        return None
    found: list[str] = []
    for row in rows:
        if _ITEM.match(row):
            found.append(f"{row}\n")
        elif _MORE.match(row) or not row:
            found[-1] += f"{row}\n"
        else:
            return None
    return found


def headings(blocks: Iterable[Block]) -> set[str]:
    """The blocks that are headings."""
    return {block.text for block in blocks if _HEADING.match(block.text)}


def _blocks(pieces: Sequence[str]) -> Iterator[Block]:
    for place, piece in enumerate(pieces):
        text = piece.rstrip(" \t\n")
        is_last = place == len(pieces) - 1
        yield Block(text, None if is_last else piece[len(text) :])


def _places(rows: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First row of each block and the row behind its blank lines."""
    lines = [row[:-1] for row in rows]
    fences = closed_fences(lines) if may_have_fences("".join(rows)) else {}
    start = index = 0
    while index < len(rows):
        is_alone = index in fences or _HEADING.match(lines[index]) is not None
        if is_alone and index > start:
            yield start, index
            start = index
        end = fences.get(index, index) + 1
        while end < len(rows) and not lines[end].strip():
            end += 1
        if is_alone or (end > index + 1):
            yield start, end
            start = end
        index = end
    if start < len(rows):
        yield start, len(rows)
