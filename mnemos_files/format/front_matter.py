"""A file in its parts, and the change of single keys in it. Pure.

A change of a key touches the lines of this key and nothing else: comments, order, quotes, blank
lines, line ends and a byte-order mark stay as they are.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from mnemos_files.errors import CorruptError
from mnemos_files.format.block import Block, read_block
from mnemos_files.format.conflict import conflict_problems
from mnemos_files.format.flat import Value
from mnemos_files.format.keys import LIST_KEYS, TAG_KEYS
from mnemos_files.format.rewrite import rewrite_block
from mnemos_files.format.salvage import looks_like_keys
from mnemos_files.format.scalar import check_text
from mnemos_files.format.spelling import Written
from mnemos_files.model.problem import Problem

BOM = "\ufeff"
NOT_UTF8_REMEDY = "Save the file as UTF-8 in an editor; it is left as it is until then."
_OPEN = re.compile(r"\ufeff?---[ \t]*(\r?\n)")
_CLOSE = re.compile(r"---[ \t]*(?:\r?\n|\r?\Z)")
_NO_BLOCK = Block({}, {})


@dataclass(frozen=True, slots=True)
class Split:
    """A file in parts that join to the same text: `head + block + fence + body`.

    `head` is a byte-order mark and the opening fence, `fence` the closing one; both are "" in a
    file without front matter, but for the mark. `newline` is how lines end here.
    """

    head: str
    block: str
    fence: str
    body: str
    newline: str


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the keys of a file say (`block`), the file in its parts, and its problems."""

    split: Split
    block: Block
    problems: tuple[Problem, ...]

    @property
    def values(self) -> Mapping[str, Value]:
        """Texts and lists of texts by key, in file order."""
        return self.block.values

    @property
    def last_line(self) -> int:
        """Line of the closing fence [from 1], 0 without front matter."""
        return self.split.block.count("\n") + 2 if self.split.fence else 0

    @property
    def body(self) -> str:
        """Text after the front matter as it stands in the file."""
        return self.split.body

    @property
    def lf_body(self) -> str:
        """The body with LF line ends, below whatever a broken block has that belongs to no key."""
        body = self.body
        if self.split.newline == "\r\n":
            body = body.replace("\r\n", "\n")
        return "\n".join((*self.block.loose, body)) if self.block.loose else body


def split(text: str) -> Split | None:
    """Parts of a file that begins with a block between two fences, else None."""
    opening = _OPEN.match(text)
    if opening is None:
        return None
    start = opening.end()
    closing = _closing(text, start)
    if closing is None:
        return None
    low, end = closing
    return Split(text[:start], text[start:low], text[low:end], text[end:], opening[1])


def _closing(text: str, start: int) -> tuple[int, int] | None:
    """Where the closing fence begins and where its line ends, else None."""
    low = start - 1
    while (low := text.find("\n---", low)) >= 0:
        fence = _CLOSE.match(text, low + 1)
        if fence is not None:
            return low + 1, fence.end()
        low += 1
    return None


def read(text: str, path: str = "") -> FrontMatter:
    """Keys and body of a file; what cannot be read becomes a problem, never an error."""
    parts = split(text)
    if parts is None:
        return FrontMatter(_bare(text), _NO_BLOCK, _unclosed(text, path))
    lines = parts.block.replace("\r\n", "\n") if "\r" in parts.block else parts.block
    block = read_block(lines[:-1], path)
    if block is None:
        return FrontMatter(_bare(text), _NO_BLOCK, ())
    return FrontMatter(parts, block, block.problems)


def edit(data: bytes, changes: Mapping[str, Written | None], path: str = "") -> bytes:
    """The file with these keys changed, None taking a key out, and all other lines as they were.

    A key that says so already is left alone, so the same change again gives identical bytes. A
    file without front matter gets a block at its top.

    Raises:
        CorruptError: the file cannot be changed safely: it is not UTF-8, its block does not parse,
            a key that would change is there twice, or a merge conflict is open in it.
        InvalidRecordError: a new value holds what no file can.
    """
    text = decode(data, path)
    front = read(text, path)
    check_editable(front, text, path)
    wanted = {name: value for name, value in changes.items() if _differs(front.values, name, value)}
    if not wanted:
        return data
    check_single(front.block, wanted, path)
    for name, value in wanted.items():
        _check_value(name, value)
    parts = with_block(front.split)
    block = rewrite_block(parts.block, front.block, wanted, parts.newline)
    changed = f"{parts.head}{block}{parts.fence}{parts.body}"
    if not _verify(front, read(changed, path), wanted):
        line = min(front.block.lines.get(name, 1) for name in wanted)
        remedy = "Write this key in the simple form `key: value`, then try again."
        raise CorruptError(path, line, "a key cannot be changed in place", remedy=remedy)
    return changed.encode("utf-8")


def decode(data: bytes, path: str = "") -> str:
    """Text of a file.

    Raises:
        CorruptError: the bytes are not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CorruptError(path, line, "the file is not UTF-8", remedy=NOT_UTF8_REMEDY) from error


def check_whole(text: str, path: str) -> None:
    """Let pass a text without open merge conflict.

    Raises:
        CorruptError: a conflict is open; the error names its first line.
    """
    for problem in conflict_problems(text, path):
        raise CorruptError(path, problem.line, problem.message, remedy=problem.remedy)


def with_body(data: bytes, body: str) -> bytes:
    """The file with another text [LF line ends] below its front matter, in its own line ends."""
    parts = read(decode(data)).split
    ending = "" if not parts.fence or parts.fence.endswith("\n") else parts.newline
    body = body.replace("\n", parts.newline)
    return f"{parts.head}{parts.block}{parts.fence}{ending}{body}".encode()


def ends_with_block(text: str) -> bool:
    """True when the text is front matter and nothing else; its last line end may be missing."""
    parts = split(text)
    return parts is not None and parts.body == "" and read(text).split.fence != ""


def as_list(name: str, value: Value) -> tuple[str, ...]:
    """A value as a list: one text is a list of one, and tags on one line part at commas."""
    if isinstance(value, tuple):
        return value
    if name in TAG_KEYS:
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return (value,) if value else ()


def _bare(text: str) -> Split:
    head = BOM if text.startswith(BOM) else ""
    end = text.find("\n")
    newline = "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"
    return Split(head, "", "", text[len(head) :], newline)


def _unclosed(text: str, path: str) -> tuple[Problem, ...]:
    """The problem of a block without end; a rule above prose is none."""
    opening = _OPEN.match(text)
    if opening is None:
        return ()
    first_row = text[opening.end() :].split("\n", 1)[0]
    if not looks_like_keys(first_row):
        return ()
    message = "the front matter has no closing ---, so the whole file counts as text"
    remedy = "Write a line --- behind the last key."
    return (Problem(path, 1, "front-matter-unclosed", message, remedy),)


def check_editable(front: FrontMatter, text: str, path: str) -> None:
    """Let pass a file whose keys can be changed.

    Raises:
        CorruptError: its block does not parse, or a merge conflict is open in it.
    """
    check_whole(text, path)
    for problem in front.problems:
        if front.block.is_broken or front.block is _NO_BLOCK:
            raise CorruptError(path, problem.line, problem.message, remedy=problem.remedy)


def check_single(block: Block, wanted: Mapping[str, object], path: str) -> None:
    """Let pass a change of keys that are there once.

    Raises:
        CorruptError: one of them is there twice.
    """
    for problem in block.problems:
        if any(block.lines[name] == problem.line for name in block.doubled & wanted.keys()):
            raise CorruptError(path, problem.line, problem.message, remedy=problem.remedy)


def _check_value(name: str, value: Written | None) -> None:
    for text in (name, *(value if isinstance(value, tuple) else (str(value),))):
        check_text(name, text)


def _differs(values: Mapping[str, Value], name: str, value: Written | None) -> bool:
    present = values.get(name)
    if present is None or value is None:
        return present is not value
    if isinstance(value, tuple) and name in LIST_KEYS:
        return as_list(name, present) != value
    return present != (str(value) if isinstance(value, int) else value)


def with_block(parts: Split) -> Split:
    """The parts with an empty block at the top where there was none."""
    fence = f"---{parts.newline}"
    return parts if parts.fence else replace(parts, head=parts.head + fence, fence=fence)


def _verify(before: FrontMatter, after: FrontMatter, wanted: Mapping[str, Written | None]) -> bool:
    """True when a reader finds the wanted values, and every other key and the body as before."""
    kept = {name: value for name, value in before.values.items() if name not in wanted}
    return (
        not after.block.is_broken
        and after.body == before.body
        and kept == {name: value for name, value in after.values.items() if name not in wanted}
        and not any(_differs(after.values, name, value) for name, value in wanted.items())
    )
