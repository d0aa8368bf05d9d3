r"""The text below the front matter: the content and the parts of a kind. Pure.

A part begins with a line that is its heading, such as `## Why`. A line of the content that could
be taken for one is written with a leading backslash, and so is a fence that would hide one.
"""

import re
from collections.abc import Mapping, Sequence

from mnemos_files.errors import InvalidRecordError
from mnemos_files.format.fences import closed_fences, may_have_fences, opens_fence
from mnemos_files.format.scalar import check_text
from mnemos_files.model.kind import Kind
from mnemos_files.model.record import Record

Sections = tuple[tuple[str, str], ...]

_FENCE = re.compile(r"( {0,3})(\\*)(?:`{3}|~{3})")


def render_body(record: Record) -> str:
    """Content and parts of a record as they stand below its front matter.

    Raises:
        InvalidRecordError: a part that the kind has not, or one there twice, or a text that no
            file can hold.
    """
    known = [section.key for section in record.kind.sections]
    check_text("content", record.content)
    for key, text in record.sections:
        if key not in known:
            raise InvalidRecordError(key, f"a {record.type} has no such part, or has it twice")
        known.remove(key)
        check_text(key, text)
    return join_body(record)


def join_body(record: Record) -> str:
    """As `render_body`, for a record that came from a file: nothing is checked."""
    headings = {section.key: section.heading for section in record.kind.sections}
    names = frozenset(headings.values())
    pieces = [escape(record.content, names)]
    for key, text in record.sections:
        if text:
            pieces.append(f"## {headings[key]}\n\n{escape(text, names)}")
    return "\n\n".join(pieces) + "\n"


def split_body(text: str, kind: Kind) -> tuple[str, Sections]:
    """Content and parts of a body with LF line ends; a text without parts is all content.

    A heading that was there already, and one in closed fenced code, is text. Parts come in the
    order of the kind.
    """
    text = text.removesuffix("\n")
    if "## " not in text and not may_have_fences(text):
        return text, ()
    content, found = _parts(text, {section.heading: section.key for section in kind.sections})
    keys = [section.key for section in kind.sections]
    return content, tuple((key, found[key]) for key in keys if found.get(key))


def part_lines(lines: Sequence[str], kind: Kind, fences: Mapping[int, int]) -> dict[int, str]:
    """Key of each part by the index of the line that begins it, as `split_body` reads them.

    `fences` are the closed ones (`fences.closed_fences`).
    """
    keys = {section.heading: section.key for section in kind.sections}
    found: dict[int, str] = {}
    hidden = -1
    for index, line in enumerate(lines):
        hidden = fences.get(index, hidden)
        if index > hidden and line[:3] == "## ":
            key = _key_of(line, keys)
            if key and key not in found.values():
                found[index] = key
    return found


def escape(text: str, headings: frozenset[str]) -> str:
    """The text with one more backslash before each line that would count as structure."""
    if "## " not in text and not may_have_fences(text):
        return text
    lines = text.split("\n")
    fences = closed_fences(lines)
    index = 0
    while index < len(lines):
        if index in fences:
            index = fences[index]
        else:
            lines[index] = _escape_line(lines[index], headings)
        index += 1
    return "\n".join(lines)


def _escape_line(line: str, headings: frozenset[str]) -> str:
    if _heading_of(line.lstrip("\\")) in headings:
        return f"\\{line}"
    fence = _FENCE.match(line)
    if fence is not None and (fence[2] or opens_fence(line)):
        return f"{fence[1]}\\{line[len(fence[1]) :]}"
    return line


def _parts(text: str, keys: dict[str, str]) -> tuple[str, dict[str, str]]:
    lines = text.split("\n")
    fences = closed_fences(lines) if may_have_fences(text) else {}
    found: dict[str, list[str]] = {"": []}
    rows = found[""]
    index = 0
    while index < len(lines):
        key = "" if index in fences else _key_of(lines[index], keys)
        if key and key not in found:
            _drop_blank(rows)
            rows = found[key] = []
            index += lines[index + 1 : index + 2] == [""]
        elif index in fences:
            rows += lines[index : fences[index] + 1]
            index = fences[index]
        else:
            rows.append(_unescape_line(lines[index], keys))
        index += 1
    texts = {key: "\n".join(rows) for key, rows in found.items()}
    return texts.pop(""), texts


def _key_of(line: str, keys: dict[str, str]) -> str:
    return keys.get(_heading_of(line) or "", "")


def _heading_of(line: str) -> str | None:
    """Text of a heading of level two, None for another line."""
    return line[3:].rstrip(" \t\r") if line[:3] == "## " else None


def _drop_blank(rows: list[str]) -> None:
    if rows and rows[-1] == "":
        rows.pop()


def _unescape_line(line: str, keys: dict[str, str]) -> str:
    if "\\" not in line:
        return line
    if line[0] == "\\" and _heading_of(line.lstrip("\\")) in keys:
        return line[1:]
    fence = _FENCE.match(line)
    if fence is not None and fence[2]:
        return f"{fence[1]}{line[len(fence[1]) + 1 :]}"
    return line
