"""The simple subset of YAML that we write and that Obsidian writes, read line by line. Pure.

One key on a line, its value a text or `[a, b]` on that line, or a list of `- item` lines below.
Every function gives None when a line leaves the subset; the caller asks a YAML parser then.
"""

import re
from dataclasses import dataclass, field

from mnemos_files.format.scalar import read_plain, unquote

Value = str | tuple[str, ...]
"""What a key says: a text or a list of texts, never a number, a date or a truth value."""

FIRST_LINE = 2
"""Line of the file in which a block begins: the opening fence has line 1."""

LINK = re.compile(r"\[\[[^\[\]]+\]\]")
"""A wikilink that is the whole value."""

_LINE = re.compile(
    r"""
    (?: (\w[\w.-]*): | ([ ]*)- )                            # key, or indent of an item
    (?: [ ]++
      (?: ([\w(/] [^\n:#]*+ (?: :[^\s:#] [^\n:#]*+ )*+ )    # bare text
        | "([^"\\\n]*+)"                                    # quoted text without escapes
      )
    )?
    [ ]*+\n
    | ([^\n]*+)\n                                           # any other line
    """,
    re.VERBOSE,
)
"""Finds the lines met most in one step; the fifth group takes the rest to `_add_other`.

Possessive, so that a line of spaces takes no quadratic time.
"""

_PAIR = re.compile(r'(\w[\w .-]*|"[^"\\]*(?:\\.[^"\\]*)*"):(?: +(.*))?')
_ITEM = re.compile(r"( *)- +(.+)")
_DOUBLE = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"')
_SINGLE = re.compile(r"'([^']*)'")
_FLOW_LIST = re.compile(r"""\[([^\[\]{}"'#&*!|>%@`:?]*)\]""")
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_UNSET = -1


@dataclass(slots=True)
class Draft:
    """Keys of a block as they are met; `doubles` are (key, first line, later line).

    While a list is read, `name` is its key, `items` what it has and `indent` the column of its
    dashes; `name` is "" when no list may follow.
    """

    values: dict[str, Value] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    doubles: list[tuple[str, int, int]] = field(default_factory=list)
    name: str = ""
    indent: int = _UNSET
    items: list[str] = field(default_factory=list)

    def add(self, name: str, value: Value, line: int) -> None:
        """Note a key; one that was there already is a double, and the later value counts."""
        if name in self.lines:
            self.doubles.append((name, self.lines[name], line))
        self.values[name] = value
        self.lines[name] = line

    def open_list(self, name: str) -> None:
        """Let items follow for this key; "" says that none may."""
        if self.items:
            self.values[self.name] = tuple(self.items)
            self.items = []
        self.name = name
        self.indent = _UNSET

    def add_item(self, indent: int, text: str | None) -> bool:
        """Note an item of the open list; False when there is none, or its column is another."""
        if not self.name or text is None or self.indent not in (_UNSET, indent):
            return False
        self.indent = indent
        self.items.append(text)
        return True


def read_flat(text: str) -> Draft | None:
    """Keys of a block with LF line ends."""
    if _CONTROL.search(text):
        return None
    draft = Draft()
    for number, match in enumerate(_LINE.finditer(text + "\n"), FIRST_LINE):
        key, indent, bare, quoted, other = match.groups()
        value = bare.rstrip(" ") if bare else quoted
        if key is not None:
            if draft.name or value is None:
                draft.open_list(key if value is None else "")
            draft.add(key, value or "", number)
        elif not (
            draft.add_item(len(indent), value)
            if other is None
            else _add_other(draft, other, number)
        ):
            return None
    draft.open_list("")
    return draft


def _add_other(draft: Draft, line: str, number: int) -> bool:
    """Note a line that is not of the commonest form; False when it leaves the subset."""
    if not line or line[0] == "#":
        return True
    pair = _PAIR.fullmatch(line)
    if pair is None:
        item = _ITEM.fullmatch(line)
        return item is not None and draft.add_item(len(item[1]), read_item(item[2]))
    name = read_key(pair[1])
    value = read_value(pair[2] or "")
    if name is None or value is None:
        return False
    draft.open_list("" if pair[2] else name)
    draft.add(name, value, number)
    return True


def read_key(text: str) -> str | None:
    """Name of a key, bare or in double quotes."""
    if text[0] == '"':
        return unquote(text[1:-1])
    return text if text[-1] != " " else None


def read_value(text: str) -> Value | None:
    """Value on the line of its key."""
    text = text.rstrip(" ")
    if text[:1] == "[" and not LINK.fullmatch(text):
        return _read_flow(text)
    return read_item(text)


def read_item(text: str) -> str | None:
    """One text: bare, in quotes, or a wikilink without quotes, which stays as typed."""
    text = text.rstrip(" ")
    sign = text[:1]
    if sign == '"':
        match = _DOUBLE.fullmatch(text)
        return unquote(match[1]) if match else None
    if sign == "'":
        match = _SINGLE.fullmatch(text)
        return match[1] if match else None
    if sign == "[":
        return text if LINK.fullmatch(text) else None
    return read_plain(text) if text else ""


def _read_flow(text: str) -> tuple[str, ...] | None:
    match = _FLOW_LIST.fullmatch(text)
    if match is None:
        return None
    items = tuple(item.strip(" ") for item in match[1].split(","))
    if items == ("",):
        return ()
    return items if all(item and item[0] != "-" for item in items) else None
