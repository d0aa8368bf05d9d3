"""Where a page or a canvas is written, and what it may take the place of."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from mnemos_files.errors import ConflictError, RefusedError, UnavailableError
from mnemos_files.store.store import Store

GENERATOR = "mnemos-files report"
"""Says in a page who made it, so that a later report may replace it."""

_HEAD_BYTES = 4_096
_MARK = f'<meta name="generator" content="{GENERATOR}">'.encode()


def default_place(root: Path) -> Path:
    """Beside the vault, or beside the repository that the vault lies in.

    Not in it: there the page would be committed. Not in a hidden folder or a temporary one:
    browsers that are packed as a snap cannot read these.
    """
    real = root.resolve()
    above = [folder for folder in (real, *real.parents) if (folder / ".git").exists()]
    return (above[0] if above else real).parent / f"{real.name}-report.html"


def check_outside(store: Store, file: Path) -> None:
    """Refuse a place in the vault that git does not ignore: the page would get into a commit.

    Raises:
        RefusedError: it is one (rule `in-vault`).
    """
    root = store.place.vault.root.resolve()
    real = file.resolve()
    if not real.is_relative_to(root):
        return
    path = PurePosixPath(real.relative_to(root).as_posix())
    history = store.history
    is_git = any(part.lower() == ".git" for part in path.parts)
    is_kept = history is None or is_git or real == root or not history.is_ignored(path)
    if is_kept or path.suffix.lower() == ".md":
        raise RefusedError(
            "in-vault",
            f"{file} lies in the vault, where it would be committed or read as a note",
            remedy="Write it outside of the vault, or to a place that .gitignore names.",
        )


def is_report(data: bytes) -> bool:
    """True for the text of an earlier report."""
    return _MARK in data[:_HEAD_BYTES]


def write(file: Path, text: str, *, is_ours: Callable[[bytes], bool], force: bool = False) -> None:
    """Put a text into a file, whole or not at all; only the person who runs this may read it.

    Raises:
        ConflictError: something else than an earlier one of ours is there, and not `force`.
        UnavailableError: the folder is not there or cannot be written to.
    """
    try:
        real = file.resolve()
        if not force and os.path.lexists(real) and not _may_replace(real, is_ours):
            raise ConflictError(
                f"{file} is there already and was not made by this command, or changed since",
                remedy="Name another file with --out, or give --force to replace it.",
            )
        _replace(real, text.encode("utf-8", "replace"))
    except OSError as error:
        raise UnavailableError(
            f"{file} cannot be written ({error.strerror})",
            remedy="Name a file in a folder of yours with --out.",
        ) from error


def _may_replace(file: Path, is_ours: Callable[[bytes], bool]) -> bool:
    return file.is_file() and is_ours(file.read_bytes())


def _replace(file: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(
        prefix=f".{file.name[:40]}.", suffix=".tmp", dir=file.parent
    )
    try:
        with os.fdopen(descriptor, "wb") as temporary:
            temporary.write(data)
        Path(name).replace(file)
    except OSError:
        with suppress(OSError):
            Path(name).unlink()
        raise
