"""Two texts compared line by line, as git does it. Pure."""

import pygit2
from pygit2.enums import DiffOption

_NO_NEWLINE = "\\ No newline at end of file"


def unified(old: str, new: str, context_lines: int = 2) -> str:
    """What differs, as hunks of a unified diff without the lines that name files; "" if nothing."""
    patch = pygit2.Patch.create_from(
        _encoded(old), _encoded(new), flag=DiffOption.FORCE_TEXT, context_lines=context_lines
    )
    text = patch.data.decode("utf-8", "replace")
    place = text.find("\n@@ ")
    return text[place + 1 :].replace(f"{_NO_NEWLINE}\n", "") if place >= 0 else ""


def counts(old: bytes, new: bytes) -> tuple[int, int]:
    """How many lines [1] were added and removed; other line ends alone change none."""
    patch = _patch(old, new)
    _, added, removed = patch.line_stats
    return added, removed


def sources(old: bytes, new: bytes) -> list[int | None]:
    """For each line of the new text the number [from 0] of the old line that it is, or None."""
    found: list[int | None] = []
    done = 0
    for hunk in _patch(old, new).hunks:
        # A hunk without lines on one side names the line before it.
        start = hunk.new_start - 1 if hunk.new_lines else hunk.new_start
        found += range(done, done + start - len(found))
        found += [None] * hunk.new_lines
        done = (hunk.old_start - 1 if hunk.old_lines else hunk.old_start) + hunk.old_lines
    found += range(done, done + count_lines(new) - len(found))
    return found


def count_lines(text: bytes) -> int:
    """Number of lines [1], the last one with or without an end."""
    return text.count(b"\n") + (not text.endswith(b"\n") and text != b"")


def _patch(old: bytes, new: bytes) -> pygit2.Patch:
    return pygit2.Patch.create_from(
        _plain(old), _plain(new), flag=DiffOption.FORCE_TEXT, context_lines=0
    )


def _plain(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
