"""A block that is no YAML: what is wrong, and the keys that can be read all the same. Pure."""

import re
from typing import NamedTuple

from mnemos_files.format.flat import FIRST_LINE, Draft, read_item, read_value
from mnemos_files.model.problem import Problem

RULE = "front-matter-invalid"

_PAIR = re.compile(
    r"""([^\s#\-?:,\[\]{}&*!|>'"%@`][^:]*+|"[^"\\]*"|'[^']*')[ \t]*+:(?:[ \t]+(.*))?"""
)
_KEY_LIKE = re.compile(r"^[\w-]+(?: [\w-]+)?:(?:[ \t]|$)", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_TAB = re.compile(r" *\t")
_NO_BLANK = re.compile(r"[\w-]+:[^\s/]")
_SIGNS = "-?:,[]{}#&*!|>'\"%@`"
_SHOWN_MAX = 60


class Salvage(NamedTuple):
    """Keys that could be read, the lines that belong to none, and the fault."""

    draft: Draft
    loose: tuple[str, ...]
    problem: Problem


def looks_like_keys(text: str) -> bool:
    """True when some line begins as a key does: broken front matter rather than prose."""
    return _KEY_LIKE.search(text) is not None


def salvage(text: str, path: str, line: int, reason: str) -> Salvage:
    """What a broken block says, line by line; `line` and `reason` are the YAML parser's view."""
    draft, loose = Draft(), list[str]()
    for number, row in enumerate(text.split("\n"), FIRST_LINE):
        if not row.strip() or row.lstrip()[0] == "#":
            continue
        pair = _PAIR.fullmatch(row.rstrip())
        if pair is not None:
            _add_pair(draft, pair, number)
        elif not _extend(draft, row):
            loose.append(row)
    draft.open_list("")
    return Salvage(draft, tuple(loose), _diagnose(text, path, (line + FIRST_LINE, reason)))


def _add_pair(draft: Draft, pair: re.Match[str], number: int) -> None:
    name = pair[1].strip(" \t\"'")
    rest = (pair[2] or "").strip()
    value = read_value(rest)
    draft.open_list("" if rest else name)
    draft.add(name, rest if value is None else value, number)


def _extend(draft: Draft, row: str) -> bool:
    """Give an item or an indented line to the key above it; False when there is none."""
    item = _ITEM.fullmatch(row)
    if item is not None and draft.name:
        text = read_item(item[1])
        draft.items.append(item[1].strip() if text is None else text)
        return True
    if row[0] not in " \t" or not draft.values:
        return False
    name = next(reversed(draft.values))
    value = draft.values[name]
    draft.open_list("")
    if isinstance(value, tuple):
        draft.values[name] = (*value, row.strip())
    else:
        draft.values[name] = f"{value}\n{row.strip()}".strip()
    return True


def _diagnose(text: str, path: str, found: tuple[int, str]) -> Problem:
    """The fault in a person's words: the first line with a known mistake, else YAML's own view."""
    for number, row in enumerate(text.split("\n"), FIRST_LINE):
        known = _mistake(row)
        if known is not None:
            return Problem(path, number, RULE, f"front matter: {known[0]}", known[1])
    line, reason = found
    remedy = "Mend this line, or put the value in double quotes."
    return Problem(path, line, RULE, f"front matter: {reason}", remedy)


def _mistake(row: str) -> tuple[str, str] | None:
    """Cause and remedy of a mistake that people make, when this line alone shows it."""
    control = _CONTROL.search(row)
    if control is not None:
        sign = ord(control[0])
        return f"control character U+{sign:04X} in the line", "Take the character out."
    if _TAB.match(row) and row.strip():
        return "a tab begins the line", "Indent with spaces."
    pair = _PAIR.fullmatch(row.rstrip())
    if pair is None:
        return _line_mistake(row)
    return _value_mistake(pair[1].strip(), pair[2].strip()) if pair[2] else None


def _line_mistake(row: str) -> tuple[str, str] | None:
    if _NO_BLANK.match(row):
        return "a colon has no blank behind it", "Write `key: value`."
    if row[:1].isalnum():
        return "the line is no key with a value", "Write `key: value`, or move the line below ---."
    return None


def _value_mistake(name: str, value: str) -> tuple[str, str] | None:
    if read_value(value) is not None:
        return None
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    remedy = "Put the value in double quotes."
    if len(value) <= _SHOWN_MAX:
        remedy = f'Put the value in double quotes: {name}: "{quoted}"'
    cause = None
    if value[0] in "@`%*&!":
        cause = f"the value of {name} begins with {value[0]}"
    elif value[0] not in _SIGNS and (": " in value or value[-1] == ":"):
        cause = f"the value of {name} has a colon and no quotes"
    elif value.startswith("[[") and "]], [[" in value:
        cause = f"{name} holds several links and no list"
        remedy = f"Write them as a list below {name}: with a line for each."
    return (cause, remedy) if cause else None
