"""What a folder needs to be a vault, added without touching what is there."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.config import CONFIG_PATH, render_settings
from mnemos_files.errors import ConflictError
from mnemos_files.history.repo import History
from mnemos_files.history.values import Change
from mnemos_files.vault.files import Vault

OWN_IGNORE_PATH = ".mnemos/.gitignore"
OWN_IGNORE = (
    "# Of this machine only: the writer's lock and the watcher's cookies.\n*.lock\ncookie*\n"
)


def own_files(vault_id: str) -> dict[str, bytes]:
    """The files that make a folder a vault: the settings, and what git must not see beside them."""
    return {
        CONFIG_PATH: render_settings(vault_id).encode(),
        OWN_IGNORE_PATH: OWN_IGNORE.encode(),
    }


def set_up(vault: Vault, history: History | None, vault_id: str, now: datetime) -> list[str]:
    """Write and commit the settings of a new vault; the paths that were added."""
    return add_files(vault, history, own_files(vault_id), now)


def add_files(
    vault: Vault, history: History | None, files: Mapping[str, bytes], now: datetime
) -> list[str]:
    """Write those files that are not there yet and commit exactly them; their paths.

    Call it under the writer lock.
    """
    added = {}
    for path, data in files.items():
        try:
            vault.write_own(PurePosixPath(path), data)
        except ConflictError:
            continue
        added[path] = data
    if added and history is not None and not history.blocked():
        known = {
            PurePosixPath(path): data
            for path, data in added.items()
            if not history.is_ignored(PurePosixPath(path))
        }
        history.commit([Change(known, "init(vault): a memory in git")], now)
    return list(added)
