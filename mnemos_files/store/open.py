"""Opening a vault: the one place where the parts of a store are chosen."""

import hashlib
import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from mnemos_files.errors import UnavailableError
from mnemos_files.index.embedder import Embedder, StaticEmbedder
from mnemos_files.index.index import Index
from mnemos_files.model.ulid import make_ulid
from mnemos_files.store.journal import Journal
from mnemos_files.store.kept_count import KeptCount
from mnemos_files.store.machine import machine_name, new_machine_name
from mnemos_files.store.place import Place
from mnemos_files.store.refresh import Refresher
from mnemos_files.store.sources import Sources
from mnemos_files.store.store import Store


def utc_now() -> datetime:
    """The system's clock, UTC."""
    return datetime.now(UTC)


def new_id(now: datetime) -> str:
    """A fresh ULID."""
    return make_ulid(now, secrets.token_bytes(10))


def is_running(process: int) -> bool:
    """False when no process of this machine has this id; true where that cannot be told."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def open_store(  # noqa: PLR0913 - the one place where all parts are chosen
    root: Path,
    *,
    cache_folder: Path,
    clock: Callable[[], datetime] = utc_now,
    embedder: Embedder | None = None,
    background: bool = False,
    process: int | None = None,
) -> Store:
    """A store on the vault in this folder; `background` starts its watcher and worker.

    `process` is the id that the starts of sessions name: by default this process's if it works in
    the background, else 0, as no process waits for the end of a session then.

    Nothing in the folder changes until the first write. The index lies in `cache_folder`, in a
    folder of its own for each real path.

    Raises:
        UnavailableError: the folder does not exist or is none.
        CorruptError: the vault's settings cannot be understood.
    """
    if not root.is_dir():
        raise UnavailableError(f"{root} is no folder", remedy="Name an existing folder.")
    place = Place(root, vault_id=new_id(clock()))
    words = embedder if embedder is not None else StaticEmbedder()
    derived = place.derived = index_folder(cache_folder, place.vault.root)
    index = Index(derived, words)
    watcher = place.watch() if background else None
    refresher = Refresher(place.vault, index, watcher)
    refresher.history = place.history
    machine = machine_name(cache_folder, new_machine_name())
    own = os.getpid() if background else 0
    kept = KeptCount(derived, clock)
    journal = Journal(place, machine, own if process is None else process, kept)
    store = Store(place, index, refresher, journal, Sources(clock, new_id, is_running))
    if background:
        store.start()
    return store


def index_folder(cache_folder: Path, root: Path) -> Path:
    """Where the index of the vault at this real path lies: two vaults never share one."""
    real = root.resolve()
    key = hashlib.sha256(str(real).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return cache_folder / f"{real.name or 'vault'}-{key}"
