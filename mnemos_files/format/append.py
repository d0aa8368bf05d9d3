"""New text at the end of a file. Pure."""

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
    new = _without_end(_BLANK_START.sub("", text.replace("\r\n", "\n")))
    if not new.strip():
        return data
    front = read(old, path)
    kept = _without_end(old)
    if not kept.strip(f" \t{BOM}"):
        kept = kept[: kept.startswith(BOM)]
    added = f"{_joint(kept, new)}{new}\n".replace("\n", front.split.newline)
    if read(kept + added, path).values != front.values:
        problem = "the file begins with ---, and the new text would close it as front matter"
        raise CorruptError(path, 1, problem, remedy="Close or remove the --- in line 1 first.")
    return (kept + added).encode("utf-8")


def _without_end(text: str) -> str:
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
