"""New text at the end of a file, or at the end of a part of it. Pure."""

import re

from mnemos_files.errors import CorruptError
from mnemos_files.format.front_matter import BOM, check_whole, decode, ends_with_block, read
from mnemos_files.format.scalar import check_text

_BLANK_START = re.compile(r"\A(?:[ \t]*\n)+")
_ITEM = re.compile(r"[ \t]*(?:([-*+])|\d{1,9}([.)]))(?=[ \t]|$)")
_FENCE = re.compile(r"---[ \t]*(?:\n|\Z)")


def append(data: bytes, text: str, path: str = "") -> bytes:
    """The file with the text below it and one line end at its end, in the file's own line ends.

    One blank line parts the new block from the old one, none where an item continues a list.
    Nothing changes when the text is blank.

    Raises:
        CorruptError: the file is not UTF-8, a merge conflict is open in it, or the text would
            close front matter that begins there and has no end.
        InvalidRecordError: the text has a NUL character or half a surrogate pair.
    """
    old = decode(data, path)
    check_whole(old, path)
    check_text("text", text)
    new = tidy(text)
    if not new.strip():
        return data
    front = read(old, path)
    changed = insert(old, len(old), new, front.split.newline)
    if read(changed, path).values != front.values:
        problem = "the file begins with ---, and the new text would close it as front matter"
        raise CorruptError(path, 1, problem, remedy="Close or remove the --- in line 1 first.")
    return changed.encode("utf-8")


def tidy(text: str) -> str:
    """The text with LF line ends and without blank lines at its beginning and end."""
    return without_end(_BLANK_START.sub("", text.replace("\r\n", "\n")))


def insert(old: str, place: int, new: str, newline: str) -> str:
    """A file with a tidy text below what ends at this place, as `append` joins them.

    The blank lines that stood between this place and the text above it stand below the new text
    now; at the end of the file they become one line end.
    """
    kept = without_end(old[:place])
    if not kept.strip(f" \t{BOM}"):
        kept = kept[: kept.startswith(BOM)]
    below = old[len(kept) :] if place < len(old) else newline
    return kept + f"{_joint(kept, new)}{new}".replace("\n", newline) + below


def without_end(text: str) -> str:
    """The text without the line ends and blank lines at its end; blanks in its last line stay."""
    end = text.find("\n", len(text.rstrip(" \t\r\n")))
    return text if end < 0 else text[:end].removesuffix("\r")


def _joint(kept: str, new: str) -> str:
    """What comes between the old text without its last line ends and the new text."""
    if kept in ("", BOM):
        # A fence in line 1 would turn the new text into front matter.
        return "\n" if _FENCE.match(new) else ""
    if ends_with_block(kept) or _continues_list(kept, new):
        return "\n"
    return "\n\n"


def _continues_list(kept: str, new: str) -> bool:
    """True when the old text ends with a list item and the new one begins with its next."""
    first = _ITEM.match(new)
    if first is None:
        return False
    for line in reversed(kept.split("\n")):
        item = _ITEM.match(line)
        if item is not None:
            return item.groups() == first.groups()
        if not line.strip() or line[0] not in " \t":
            return False
    return False
