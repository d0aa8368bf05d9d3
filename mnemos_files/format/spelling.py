"""How keys and values are written in front matter lines. Pure."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from mnemos_files.format.flat import LINK
from mnemos_files.format.keys import TIME_KEYS, TIME_PROPERTIES
from mnemos_files.format.scalar import quote, write_scalar

Written = str | int | tuple[str, ...]
"""What can be written under a key; a whole number is written without quotes."""

ITEM_INDENT = "  "
_KEY = re.compile(r"[A-Za-z_][\w.-]*")
_TIMES = frozenset((*TIME_KEYS, *TIME_PROPERTIES))
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_LABEL = re.compile(r"""(?:"[^"\\]*(?:\\.[^"\\]*)*"|'(?:[^']|'')*'|[^"'?].*?)[ \t]*+:(?=[ \t]|$)""")
_QUOTED = re.compile(r""""[^"\\]*(?:\\.[^"\\]*)*"|'(?:[^']|'')*'""")
_FLOW_TOKEN = re.compile(r"""[ \t]*("[^"\\]*(?:\\.[^"\\]*)*"|'(?:[^']|'')*'|[^,\[\]{}"']*)[ \t]*""")
_TAIL = re.compile(r"[ \t]*(?:[ \t]#.*)?")


class Head(NamedTuple):
    """The line of a key in parts: `label` with its colon, `gap`, `value`, `tail` (a comment)."""

    label: str
    gap: str
    value: str
    tail: str


def key_rows(name: str, value: Written, newline: str) -> list[str]:
    """Lines of a key that is new in a block."""
    label = f"{write_key(name)}:"
    if value == ():
        return [f"{label} []{newline}"]
    if isinstance(value, tuple):
        return [label + newline, *(item_row(ITEM_INDENT, item, newline) for item in value)]
    return [f"{label} {write_value(name, value)}{newline}" if value != "" else label + newline]


def item_row(indent: str, item: str, newline: str) -> str:
    """Line of one item of a list."""
    return f"{indent}- {write_scalar(item)}{newline}"


def write_key(name: str) -> str:
    """The key bare where that is safe, else in double quotes."""
    return name if _KEY.fullmatch(name) and write_scalar(name) == name else quote(name)


def write_value(name: str, value: str | int) -> str:
    """One value as it stands behind its key; our own times need no quotes."""
    if isinstance(value, int) or (name in _TIMES and _TIME.fullmatch(value)):
        return str(value)
    return write_scalar(value)


def write_like(old: str, name: str, value: str | int) -> str:
    """One value in the quotes that the old one, as it stands in the file, has."""
    if isinstance(value, str) and old[:1] == '"':
        return quote(value)
    if isinstance(value, str) and old[:1] == "'" and value.isprintable() and "'" not in value:
        return f"'{value}'"
    return write_value(name, value) if value != "" else ""


def read_head(row: str) -> Head | None:
    """Parts of the line of a key without its line end; None for a form that has no colon here."""
    label = _LABEL.match(row)
    if label is None:
        return None
    rest = row[label.end() :]
    text = rest.lstrip(" \t")
    value = _value_end(text)
    if value is None:
        return None
    return Head(label[0], rest[: len(rest) - len(text)], text[:value], text[value:])


def _value_end(text: str) -> int | None:
    """Where the value ends and blanks and a comment begin."""
    if text[:1] in ('"', "'"):
        match = _QUOTED.match(text)
        end = match.end() if match else len(text)
    elif text[:1] == "[" and not LINK.match(text):
        flow = read_flow(text)
        end = flow.end if flow else len(text)
    else:
        comment = 0 if text[:1] == "#" else _comment_start(text)
        end = len(text[:comment].rstrip(" \t"))
    return end if text[end : end + 1] == "#" or _TAIL.fullmatch(text, end) else None


def _comment_start(text: str) -> int:
    match = re.search(r"[ \t]#", text)
    return match.start() if match else len(text)


class Flow(NamedTuple):
    """A list on one line: its items as they stand in the file, and the index behind its end."""

    items: list[str]
    end: int


def read_flow(text: str) -> Flow | None:
    """Parts of a text that begins with a list of single items in brackets, else None."""
    items, place = list[str](), 1
    while place < len(text):
        token = _FLOW_TOKEN.match(text, place)
        if token is None:
            return None
        items.append(token[1].strip(" \t"))
        place = token.end() + 1
        if text[place - 1 : place] == "]":
            return Flow([item for item in items if item], place)
        if text[place - 1 : place] != ",":
            return None
    return None


def write_flow(known: Mapping[str, str], items: tuple[str, ...]) -> str:
    """A list on one line; an item that was there (`known`) keeps its spelling."""
    return f"[{', '.join(known.get(item) or write_scalar(item, in_flow=True) for item in items)}]"
