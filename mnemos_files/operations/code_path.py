"""Paths of code files as clients write them. Nothing is opened, and no file need be there."""

import posixpath
import re
import unicodedata
from typing import TYPE_CHECKING

from mnemos_files.errors import InvalidRecordError

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_SEPARATORS = "\u2028\u2029"


def code_path(store: "Store", text: str) -> str:
    """The path with `/` between its parts, and without parts that say nothing.

    A path into the repository that the vault lies in is given from that repository's folder on,
    so that one file has one name.

    Raises:
        InvalidRecordError: it is blank, names a folder only by dots, or has control characters.
    """
    path = text.strip()
    if not path:
        raise InvalidRecordError("path", "is required", remedy="Give the path of a file.")
    if any(unicodedata.category(sign) in ("Cc", "Cs") or sign in _SEPARATORS for sign in path):
        raise InvalidRecordError("path", "has a control character", remedy="Take it out.")
    if _DRIVE.match(path) or "/" not in path:
        path = path.replace("\\", "/")
    tidy = posixpath.normpath(path)
    tidy = f"/{tidy.lstrip('/')}" if tidy.startswith("/") else tidy
    tidy = _from_repository(store, tidy)
    if not tidy.strip("./"):
        raise InvalidRecordError("path", f"{text.strip()!r} names no file")
    return tidy


def _from_repository(store: "Store", path: str) -> str:
    history = store.history
    if history is None or history.git_dir.name != ".git" or not path.startswith("/"):
        return path
    return path.removeprefix(f"{history.git_dir.parent.as_posix()}/")
