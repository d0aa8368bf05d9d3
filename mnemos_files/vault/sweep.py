"""Cleaning up after writes that were cut short."""

import os
from contextlib import suppress

from mnemos_files.model.note import Stamp
from mnemos_files.model.problem import Problem
from mnemos_files.vault import findings
from mnemos_files.vault.folder import Root, blob_of, exists, stamp_of
from mnemos_files.vault.rename import Renames
from mnemos_files.vault.temporaries import Temporary, read_name

_OWN = ".mnemos"


def own_temporaries(root: Root) -> dict[str, Stamp]:
    """Leftovers beside the vault's settings, which no listing looks at: path to stamp."""
    found = {}
    try:
        with root.folder((_OWN,)) as folder, os.scandir(folder) as scan:
            for entry in scan:
                if read_name(entry.name) is not None:
                    found[f"{_OWN}/{entry.name}"] = stamp_of(entry.stat(follow_symlinks=False))
    except OSError:
        return {}
    return found


def sweep_file(folder: int, name: str, path: str, renames: Renames) -> Problem | None:
    """Deal with one leftover file of ours.

    - New text that was never published, whole or not: removed (its caller never got an answer).
    - Old text after a swap, and the new one is in place: removed (the write is done).
    - A file that was moved aside to be deleted: put back (the deletion never got an answer).
    - Any other text, so an edit that came in the very moment of the swap: put back when the name is
      free, else kept and reported.
    """
    temporary = read_name(name)
    if temporary is None:
        return None
    is_taken = exists(folder, temporary.name)
    if _is_spent(temporary, blob_of(folder, name), is_taken=is_taken):
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        return None
    try:
        renames.move(folder, name, temporary.name)
    except OSError:
        return findings.leftover(path, temporary.name)
    return None


def _is_spent(temporary: Temporary, blob: str, *, is_taken: bool) -> bool:
    if not temporary.new:
        return True
    if temporary.is_deletion:
        return is_taken and temporary.is_old(blob)
    return temporary.is_new(blob) or temporary.is_old(blob)
