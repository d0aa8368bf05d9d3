"""Index folders of earlier versions: nobody reads them any more, so they go.

A process of an earlier version that still runs builds its own again from the files.
"""

import re
from contextlib import suppress
from pathlib import Path

from whoosh.filedb.filestore import FileStorage

UNUSED_DAYS = 7
"""Days without a write after which the index of another model goes: both may be in use for now."""

_DAY_NS = 86_400 * 10**9
_NAME = re.compile(r"v(\d+)-[0-9a-f]{12}")


def remove_leftovers(own: Path, lock: str) -> None:
    """Delete the folders beside `own` that are of a lower format, or of another model and unused.

    `lock` names the file whose lock a writer of such a folder holds; those that are being written
    stay. What cannot be deleted stays, too.
    """
    for folder in _others(own):
        with suppress(OSError):
            if _is_older(folder, own) or _is_unused(folder, own):
                _remove(folder, lock)


def _others(own: Path) -> list[Path]:
    with suppress(OSError):
        return [one for one in own.parent.iterdir() if one != own and _NAME.fullmatch(one.name)]
    return []


def _is_older(folder: Path, own: Path) -> bool:
    return _format(folder) < _format(own)


def _is_unused(folder: Path, own: Path) -> bool:
    """True for a folder of our format that lay still so long; the newest of our files tells now."""
    idle = _last_write(own) - _last_write(folder)
    return _format(folder) == _format(own) and idle > UNUSED_DAYS * _DAY_NS


def _format(folder: Path) -> int:
    match = _NAME.fullmatch(folder.name)
    return int(match[1]) if match else 0


def _last_write(folder: Path) -> int:
    return max((path.stat().st_mtime_ns for path in folder.iterdir()), default=0)


def _remove(folder: Path, lock_name: str) -> None:
    if folder.is_symlink():
        return
    lock = FileStorage(str(folder)).lock(lock_name)
    if not lock.acquire():
        return
    try:
        # Without its table of contents the index is empty, not damaged.
        files = sorted(
            folder.iterdir(), key=lambda path: (path.name == lock_name, path.suffix != ".toc")
        )
        for path in files:
            path.unlink()
    finally:
        lock.release()
    folder.rmdir()
