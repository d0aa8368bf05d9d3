"""What a folder needs to be a vault, added without touching what is there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from mnemos_files.config import CONFIG_PATH, render_settings
from mnemos_files.errors import ConflictError, RefusedError
from mnemos_files.history.repo import History
from mnemos_files.history.values import Change
from mnemos_files.vault.files import Vault

SUBJECT = "init(vault): a memory in git"
OWN_IGNORE_PATH = ".mnemos/.gitignore"
OWN_IGNORE = (
    "# Of this machine only: the writer's lock and the watcher's cookies.\n*.lock\ncookie*\n"
)


def own_files(vault_id: str, ignored: Sequence[str] = ()) -> dict[str, bytes]:
    """The files that make a folder a vault: the settings, and what git must not see beside them."""
    return {
        # Settings last: where they are, a run that was killed has written the rest.
        OWN_IGNORE_PATH: OWN_IGNORE.encode(),
        CONFIG_PATH: render_settings(vault_id, ignored).encode(),
    }


def set_up(vault: Vault, vault_id: str) -> None:
    """Write the settings of a new vault; `unsettled` tells what is to be committed of them."""
    _write_missing(vault, own_files(vault_id))


def unsettled(vault: Vault, history: History, vault_id: str) -> list[Change]:
    """The commit of a vault's own files, while they are as we wrote them and in no commit yet."""
    files = _uncommitted(vault, history, own_files(vault_id))
    return [Change(files, SUBJECT)] if files else []


@dataclass(frozen=True, slots=True)
class Added:
    """Paths of files that are new, and why others could not be made, by path."""

    paths: tuple[str, ...]
    refused: Mapping[str, str]


def add_files(
    vault: Vault, history: History | None, files: Mapping[str, bytes], now: datetime
) -> Added:
    """Write those files that are not there yet and commit them.

    One that would be the same as another one on some systems is left out. A file that an earlier,
    killed run has written is committed too: it holds our very bytes and is in no commit. Call it
    under the writer lock.
    """
    refused: dict[str, str] = {}
    added = _write_missing(vault, files, refused)
    if history is None or history.blocked():
        return Added(tuple(added), refused)
    known = _uncommitted(vault, history, files)
    if known:
        history.commit([Change(known, SUBJECT)], now)
    new = tuple(path for path in files if path in added or PurePosixPath(path) in known)
    return Added(new, refused)


def _uncommitted(
    vault: Vault, history: History, files: Mapping[str, bytes]
) -> dict[PurePosixPath, bytes]:
    return {
        PurePosixPath(path): data
        for path, data in files.items()
        if _holds(vault.root / path, data) and _is_new(PurePosixPath(path), history)
    }


def _write_missing(
    vault: Vault, files: Mapping[str, bytes], refused: dict[str, str] | None = None
) -> dict[str, bytes]:
    """Write what is not there; what is new. Given `refused`, reasons are put there, not raised."""
    added = {}
    for path, data in files.items():
        try:
            vault.write_own(PurePosixPath(path), data)
        except ConflictError:
            continue
        except RefusedError as error:
            if refused is None or path in (OWN_IGNORE_PATH, CONFIG_PATH):
                raise
            refused[path] = error.message
            continue
        added[path] = data
    return added


def _holds(file: Path, data: bytes) -> bool:
    try:
        return file.read_bytes() == data
    except OSError:
        return False


def _is_new(path: PurePosixPath, history: History) -> bool:
    return not (history.committed(path) or history.staged(path) or history.unversioned(path))
