"""New lines for single keys of a block; every other line stays as it is. Pure."""

import re
from collections.abc import Mapping
from difflib import SequenceMatcher

from mnemos_files.format.block import Block
from mnemos_files.format.flat import FIRST_LINE, Value
from mnemos_files.format.keys import ORDER
from mnemos_files.format.spelling import (
    ITEM_INDENT,
    Head,
    Written,
    item_row,
    key_rows,
    read_flow,
    read_head,
    write_flow,
    write_like,
)

Segment = tuple[str | None, list[str]]
"""A key with its lines, or None with lines between keys (comments, blank lines)."""

_ITEM = re.compile(r"([ \t]*)-(?=[ \t\r\n])")
_END = re.compile(r"\r?\n\Z")


def rewrite_block(
    text: str, block: Block, changes: Mapping[str, Written | None], newline: str
) -> str:
    """The block after the changes; None takes a key out, a new key gets its usual place.

    A key written in a form that is not known here keeps its lines; the caller looks at the result.
    """
    found = segments(text, block)
    for place, (name, rows) in enumerate(found):
        if name is not None and name in changes:
            values = (block.values[name], changes[name])
            found[place] = (name, _new_rows(name, rows, values, newline))
    added = [name for name in changes if name not in block.values]
    for name in sorted(added, key=lambda name: ORDER.get(name, len(ORDER))):
        value = changes[name]
        if value is not None:
            found.insert(place_of(found, name), (name, key_rows(name, value, newline)))
    return "".join(row for _, rows in found for row in rows)


def segments(text: str, block: Block) -> list[Segment]:
    """The lines of a block by key; comments and blank lines behind a key belong to none."""
    rows = [row + "\n" for row in text.split("\n")[:-1]]
    starts = sorted((line - FIRST_LINE, name) for name, line in block.lines.items())
    ends = [*(start for start, _ in starts), len(rows)][1:]
    found: list[Segment] = [(None, rows[: starts[0][0]] if starts else rows)]
    for (start, name), limit in zip(starts, ends, strict=True):
        end = limit
        while end > start + 1 and (not rows[end - 1].strip() or rows[end - 1][0] == "#"):
            end -= 1
        found += [(name, rows[start:end]), (None, rows[end:limit])]
    return found


def place_of(found: list[Segment], name: str) -> int:
    """Index for a new key: behind the keys that come before it in `KEYS`, others at the end."""
    if name not in ORDER:
        return len(found)
    mine = ORDER[name]
    before = [i for i, (other, _) in enumerate(found) if ORDER.get(other or "", mine) < mine]
    if before:
        return before[-1] + 1
    after = [i for i, (other, _) in enumerate(found) if ORDER.get(other or "", mine) > mine]
    return after[0] if after else len(found)


def _new_rows(
    name: str, rows: list[str], values: tuple[Value, Written | None], newline: str
) -> list[str]:
    """Lines of a key after its change; the old ones when its form is not known."""
    old, new = values
    if new is None:
        return []
    head = read_head(_END.sub("", rows[0]))
    if head is None:
        return rows
    if isinstance(new, tuple):
        return _list_rows(rows, head, (old, new), newline)
    return [_head_row(rows[0], head, write_like(head.value, name, new))]


def _head_row(row: str, head: Head, value: str) -> str:
    """The line of a key with another value; its comment keeps its distance."""
    end = row[len(_END.sub("", row)) :]
    has_comment = bool(head.tail.strip())
    gap, tail = (head.gap, head.tail) if head.value else (" ", head.gap + head.tail)
    shown = f"{gap or ' '}{value}" if value else ""
    return head.label + shown + (tail if has_comment else "") + end


def _list_rows(
    rows: list[str], head: Head, values: tuple[Value, tuple[str, ...]], newline: str
) -> list[str]:
    old, new = values
    flow = read_flow(head.value) if head.value[:1] == "[" and len(rows) == 1 else None
    if flow and isinstance(old, tuple) and len(flow.items) == len(old):
        known = dict(zip(old, flow.items, strict=True))
        return [_head_row(rows[0], head, write_flow(known, new))]
    if not new:
        return [_head_row(rows[0], head, "[]")]
    if head.value == "" and isinstance(old, tuple):
        changed = _changed_items(rows[1:], old, new, newline)
        if changed is not None:
            return [rows[0], *changed]
    return [_head_row(rows[0], head, ""), *(item_row(ITEM_INDENT, i, newline) for i in new)]


def _changed_items(
    rows: list[str], old: tuple[str, ...], new: tuple[str, ...], newline: str
) -> list[str] | None:
    """Lines of a list with only the changed items new; None when an item takes several lines."""
    places = [i for i, row in enumerate(rows) if _ITEM.match(row)]
    others = [row.strip() for i, row in enumerate(rows) if i not in places]
    if len(places) != len(old) or any(row and row[0] != "#" for row in others):
        return None
    indent = _indent(rows[places[0]]) if places else ITEM_INDENT
    starts = [0, *(place + 1 for place in places)]
    result: list[str] = []
    for tag, low, high, new_low, new_high in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        taken = rows[starts[low] : starts[high]]
        result += taken if tag == "equal" else [row for row in taken if not _ITEM.match(row)]
        if tag != "equal":
            result += [item_row(indent, item, newline) for item in new[new_low:new_high]]
    return result + rows[starts[-1] :]


def _indent(row: str) -> str:
    match = _ITEM.match(row)
    return match[1] if match else ITEM_INDENT
