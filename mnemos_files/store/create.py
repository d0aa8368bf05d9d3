"""Making a vault out of a new or an existing folder."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.resources.abc import Traversable
from pathlib import Path

from mnemos_files.history.repo import History
from mnemos_files.history.values import NoHistory
from mnemos_files.store.open import new_id
from mnemos_files.store.settings import read_settings
from mnemos_files.store.setup import add_files, own_files
from mnemos_files.vault.failures import file_failure
from mnemos_files.vault.files import Vault
from mnemos_files.vault.lock import VaultLock

_LOCK_SECONDS = 10.0
GUIDE = "Home.md"


@dataclass(frozen=True, slots=True)
class Created:
    """What was added: paths in the vault, and whether a git repository was made."""

    added: tuple[str, ...]
    made_repository: bool
    notices: tuple[str, ...] = ()


def create_vault(root: Path, template: Traversable, now: datetime) -> Created:
    """Turn a folder into a vault: add what the template has and it lacks, in one commit.

    Nothing that is there is changed. A repository is made only when none is found upwards.

    Raises:
        UnavailableError: the folder cannot be written.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_failure(error, str(root)) from error
    settings = read_settings(root)
    vault = Vault(root, settings.ignored)
    with VaultLock(vault.root / ".mnemos").hold(_LOCK_SECONDS):
        opened = History.open(vault.root)
        made = isinstance(opened, NoHistory) and not opened.exists
        history = History.create(vault.root) if made else opened
        usable = history if isinstance(history, History) else None
        # The guide is for people; agents who search for "supersede" look for memories.
        files = _files(template)
        guide = [f"/{GUIDE}"] if _is_ours(vault.root / GUIDE, files) else []
        files |= own_files(settings.vault_id or new_id(now), guide)
        added = add_files(vault, usable, files, now)
    notices = (f"history is off: {history.reason}",) if isinstance(history, NoHistory) else ()
    return Created(tuple(added), made, notices)


def _is_ours(guide: Path, files: Mapping[str, bytes]) -> bool:
    return not guide.exists() or guide.read_bytes() == files.get(guide.name)


def _files(template: Traversable) -> dict[str, bytes]:
    return dict(_walk(template, ""))


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for item in sorted(folder.iterdir(), key=lambda each: each.name):
        if item.is_dir():
            yield from _walk(item, f"{prefix}{item.name}/")
        elif not item.name.endswith((".pyc", ".pyo")):
            yield f"{prefix}{item.name}", item.read_bytes()
