"""Which path arguments may be used at all. Pure: names only, the disk is not asked.

Paths have been looked at before they come here; this is the last line, so it refuses and never
mends.
"""

import re
from pathlib import PurePosixPath
from unicodedata import normalize

from mnemos_files.errors import RefusedError

SUFFIX = ".md"
NAME_BYTES_MAX = 255
"""Longest file name [bytes] that Linux, macOS and Windows file systems take."""

_UNUSABLE = re.compile(r"[\x00-\x1f\x7f\\\ud800-\udfff]")  # surrogates: bytes that are not UTF-8
_FORBIDDEN = re.compile(r'[<>:"|?*]|%(?:2e|2f|5c)', re.IGNORECASE)
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?")
_SHORT_GIT = re.compile(r"git~\d+.*")


def parts_of(path: PurePosixPath) -> tuple[str, ...]:
    """Parts of a path inside the vault that leads to no hidden place.

    Raises:
        RefusedError: absolute, empty, `..`, a hidden part, a backslash or a control character.
    """
    parts = path.parts
    if not parts or path.is_absolute() or ".." in parts:
        raise _refused(path, "is not a path inside the vault")
    for part in parts:
        if part.startswith("."):
            raise _refused(path, "leads to a hidden file or folder")
        if not is_usable(part):
            raise _refused(path, "has a character that file names must not have")
    return parts


def is_usable(name: str) -> bool:
    """False for a name with a control character, a backslash, or bytes that are not UTF-8."""
    return _UNUSABLE.search(name) is None


def is_markdown(name: str) -> bool:
    """True for a visible file name that ends in `.md`, in any case."""
    return name[-3:].lower() == SUFFIX and name[0] != "." and not name.startswith("~$")


def fold(name: str) -> str:
    """Key that is equal for names which some file system takes for the same one."""
    return name.lower() if name.isascii() else normalize("NFC", normalize("NFC", name).casefold())


def new_note_parts(path: PurePosixPath) -> tuple[str, ...]:
    """Parts of a path at which a note may be made: every system can check it out.

    Raises:
        RefusedError: as `parts_of`, no `.md` name, or a name that some system cannot store.
    """
    parts = parts_of(path)
    if not is_markdown(parts[-1]):
        raise _refused(path, "is not the name of a markdown file")
    for part in parts:
        _check_portable(path, part)
    return parts


def own_parts(path: PurePosixPath) -> tuple[str, ...]:
    """Parts of a path at which the vault's own set-up may lie; hidden folders but `.git` are fine.

    Raises:
        RefusedError: absolute, empty, `..`, or a part that git could take for its own folder.
    """
    parts = path.parts
    if not parts or path.is_absolute() or ".." in parts or not all(map(is_usable, parts)):
        raise _refused(path, "is not a path inside the vault")
    if any(_is_git(part) for part in parts):
        raise _refused(path, "leads into git's own folder")
    return parts


def _check_portable(path: PurePosixPath, part: str) -> None:
    folded = part.casefold()
    if _FORBIDDEN.search(part) or part.endswith((".", " ")) or part[0] in "~- ":
        raise _refused(path, "has a name that not every system can store")
    if _DEVICE.fullmatch(folded) or _is_git(part):
        raise _refused(path, "has a name that a system keeps for itself")
    if len(part.encode()) > NAME_BYTES_MAX:
        raise _refused(path, "has a name that is too long")


def _is_git(part: str) -> bool:
    bare = _INVISIBLE.sub("", part).casefold().rstrip(". ")
    return bare == ".git" or _SHORT_GIT.fullmatch(bare) is not None


def _refused(path: PurePosixPath, problem: str) -> RefusedError:
    return RefusedError(
        "outside",
        f"{str(path)!r} {problem}",
        remedy="Use a path as listings show it, such as observations/global/a-note.md.",
    )
