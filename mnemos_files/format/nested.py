"""A mapping one level below a key of the front matter, such as `metadata:` of a skill. Pure.

Its lines are taken out of the block, read and changed like a block of their own, and put back: so
the simple form needs no YAML parser here either, and a change touches single lines.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from mnemos_files.format.block import Block, read_block
from mnemos_files.format.flat import FIRST_LINE
from mnemos_files.format.scalar import quote
from mnemos_files.format.spelling import ITEM_INDENT, Head, read_head

_INDENT = re.compile(r" +(?=[^ \t\r\n])")
_ITEM = re.compile(r"([ ]*- +)(.*)")
_END = re.compile(r"\r?\n\Z")
_RULE = "---"
_NO_RULE = "--\\u002d"
_ALONE = re.compile(r"[ \t]*(?:[ \t]#.*)?\r?\n")
_FLUSH = "#\ue001"
"""Marks a comment that stands at the left margin of the file, among lines that do not."""


@dataclass(frozen=True, slots=True)
class Nested:
    """A block in parts that join to the same text: `above + inner, each line indented + below`.

    `above` ends with the line of the key, `inner` stands at the left margin.
    """

    above: str
    indent: str
    inner: str
    below: str

    @property
    def first_line(self) -> int:
        """Line of the file [from 1] where `inner` begins."""
        return self.above.count("\n") + FIRST_LINE

    def joined(self) -> str:
        """The whole block."""
        return self.above + "".join(map(self._indented, _rows(self.inner))) + self.below

    def _indented(self, row: str) -> str:
        if row.startswith(_FLUSH):
            return row.replace(_FLUSH, "#", 1)
        return self.indent + row if row.strip() else row


class TwoLevels(NamedTuple):
    """The keys of a block, and those below one of them; lines and problems as in the file."""

    outer: Block
    nested: Block


def take_out(block: str, name: str) -> Nested | None:
    """The lines below the key, which stands alone on its line; None when it is written otherwise.

    None too when the key is there twice, or the lines have no common indent.
    """
    rows = _rows(block)
    heads = [i for i, row in enumerate(rows) if row.startswith(f"{name}:")]
    if len(heads) != 1 or not _ALONE.fullmatch(rows[heads[0]], len(name) + 1):
        return None
    start = end = heads[0] + 1
    for index in range(start, len(rows)):
        if _INDENT.match(rows[index]):
            end = index + 1
        elif rows[index].strip() and rows[index][0] != "#":
            break
    indents = (_INDENT.match(row) for row in rows[start:end])
    indent = next((match[0] for match in indents if match), ITEM_INDENT)
    inner = [_dedented(row, indent) for row in rows[start:end]]
    if None in inner:
        return None
    text = "".join(row or "" for row in inner)
    return Nested("".join(rows[:start]), indent, text, "".join(rows[end:]))


def _rows(text: str) -> list[str]:
    return [row + "\n" for row in text.split("\n")[:-1]]


def _dedented(row: str, indent: str) -> str | None:
    if not row.strip():
        return row
    if row[0] == "#":
        return _FLUSH + row[1:]
    return row[len(indent) :] if row.startswith(indent) else None


def read_levels(block: str, name: str, path: str) -> TwoLevels | None:
    """Keys of a block with LF line ends, in two levels; None when it has not this simple shape."""
    parts = take_out(block, name)
    if parts is None:
        return None
    blanks = "\n" * parts.inner.count("\n")
    outer = read_block(f"{parts.above}{blanks}{parts.below}"[:-1], path)
    # Blank lines above, so that lines and problems are those of the file.
    padded = "\n" * (parts.first_line - FIRST_LINE) + parts.inner
    nested = read_block(padded[:-1], path) if parts.inner.strip() else Block({}, {})
    if outer is None or nested is None or outer.is_broken or nested.is_broken:
        return None
    return TwoLevels(outer, nested)


def without_rule(row: str) -> str:
    r"""The line of a key or an item whose value holds no `---`, but `--\u002d` in quotes.

    Readers of skills are known that end the front matter at the first `---`, wherever it stands.
    """
    if _RULE not in row:
        return row
    text = _END.sub("", row)
    item = _ITEM.fullmatch(text)
    head = None if item else read_head(text)
    if item is not None:
        before, value, tail = item[1], item[2], ""
    elif head is not None:
        before, value, tail = _shielded_label(head), head.value, head.tail
    else:
        return row
    return f"{before}{_shielded(value)}{tail}{row[len(text) :]}"


def _shielded_label(head: Head) -> str:
    label = head.label.replace(_RULE, _NO_RULE) if head.label[0] == '"' else head.label
    return label + head.gap


def _shielded(value: str) -> str:
    if _RULE not in value:
        return value
    if value[0] == "'":
        value = quote(value[1:-1])
    elif value[0] != '"':
        value = quote(value)
    return value.replace(_RULE, _NO_RULE)
