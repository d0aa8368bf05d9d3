"""Two versions of a text or of a value that stand side by side in a note until a person chooses.

Markdown and YAML stay what they are: of a text both versions are callouts, one below the other; of
a key the value that counts stands where it stood, and the other one in a key of its own. Pure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mnemos_files.format.fences import closed_fences
from mnemos_files.format.flat import Value
from mnemos_files.model.problem import Problem

RULE = "merge-conflict"
KEY_PREFIX = "x_conflict_"
SKILL_PREFIX = "x-conflict-"
DELETED_KEY = f"{KEY_PREFIX}deleted"
"""Says that one side deleted the file which the other one changed."""

MARK = "[!conflict]"
_WHOLE = ", the whole file"
_NOTHING = " (no text)"
_HEADER = re.compile(
    rf"> \[!conflict\] Version (?P<number>\d+) of (?P<count>\d+)"
    rf"(?P<whole>{re.escape(_WHOLE)})?(?P<nothing>{re.escape(_NOTHING)})?"
)
_REMEDY = "Choose one with `mnemos-files resolve`, or edit the note."


class Callouts(NamedTuple):
    """Versions of one place of a text, and the lines [from 0, end excluded] that they take."""

    versions: tuple[str, ...]
    low: int
    high: int
    is_whole_file: bool


def show_versions(first: str, second: str) -> str:
    """Both texts [LF line ends] as callouts."""
    return f"{_callout(first, 1)}\n\n{_callout(second, 2)}"


def show_whole(text: str) -> str:
    """The whole text of another version of the file, as a callout at its end."""
    return _callout(text, 2, _WHOLE)


def _callout(text: str, number: int, whole: str = "") -> str:
    rows = text.rstrip("\n").split("\n") if text.strip("\n") else []
    header = f"> {MARK} Version {number} of 2{whole}{'' if rows else _NOTHING}"
    return "\n".join([header, *(f"> {row}" if row else ">" for row in rows)])


def find_versions(text: str) -> Iterator[Callouts]:
    """Open conflicts of a text [LF line ends], in file order."""
    if MARK not in text:
        return
    rows = text.split("\n")
    found = list(_callouts(rows))
    for place, (header, low, high) in enumerate(found):
        texts = [_unquoted(rows[low + 1 : high])]
        if header["whole"]:
            yield Callouts((*texts,), low, high, is_whole_file=True)
        elif header["number"] == "1" and place + 1 < len(found):
            other, start, end = found[place + 1]
            if other["number"] == "2" and not "".join(rows[high:start]).strip():
                texts.append(_unquoted(rows[start + 1 : end]))
                yield Callouts((*texts,), low, end, is_whole_file=False)


def _callouts(rows: Sequence[str]) -> Iterator[tuple[re.Match[str], int, int]]:
    """Header, first row and the row behind the last of each callout of ours."""
    fences = closed_fences(rows)
    shown = {row for low, high in fences.items() for row in range(low, high)}
    for at, row in enumerate(rows):
        header = None if at in shown else _HEADER.fullmatch(row.rstrip())
        if header is not None:
            end = at + 1
            while end < len(rows) and rows[end].startswith(">"):
                end += 1
            yield header, at, end


def _unquoted(rows: list[str]) -> str:
    return "\n".join(row[1:].removeprefix(" ") for row in rows)


def conflicting_keys(values: Mapping[str, Value]) -> list[str]:
    """Keys that hold another version of a value."""
    return [key for key in values if key.startswith((KEY_PREFIX, SKILL_PREFIX))]


def versions_problems(text: str, lines: Mapping[str, int], path: str) -> tuple[Problem, ...]:
    """One problem for each open conflict; `lines` are those of the keys of the file."""
    found = []
    for key in conflicting_keys(dict.fromkeys(lines, "")):
        name = key.removeprefix(KEY_PREFIX).removeprefix(SKILL_PREFIX)
        message = f"{name} was changed in two ways; the other value is in {key}"
        if key == DELETED_KEY:
            message = "the note was deleted on one side and changed on the other; the change stays"
        found.append(Problem(path, lines[key], RULE, message, _REMEDY))
    for place in find_versions(text.replace("\r\n", "\n")):
        message = "a text was changed in two ways; both versions stand here"
        found.append(Problem(path, place.low + 1, RULE, message, _REMEDY))
    return tuple(found)
