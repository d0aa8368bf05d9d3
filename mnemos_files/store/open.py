"""Opening a vault: the one place where the parts of a store are chosen."""

import hashlib
import logging
import os
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from mnemos_files.errors import MnemosError, UnavailableError
from mnemos_files.index.embedder import Embedder, StaticEmbedder
from mnemos_files.index.index import Index
from mnemos_files.model.ulid import make_ulid
from mnemos_files.store.desk import Desk
from mnemos_files.store.journal import Journal
from mnemos_files.store.kept_count import KeptCount
from mnemos_files.store.machine import machine_name, new_machine_name
from mnemos_files.store.place import Place
from mnemos_files.store.refresh import Refresher
from mnemos_files.store.rejections import Rejections
from mnemos_files.store.settings import read_settings
from mnemos_files.store.sources import Sources
from mnemos_files.store.store import Store
from mnemos_files.vault.files import Vault

INDEX_FOLDERS = "v*-*"
"""What the folders of indexes are called, one for each format and model."""

_log = logging.getLogger(__name__)


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
    agent: str = "",
) -> Store:
    """A store on the vault in this folder; `background` starts its watcher and worker.

    `agent` is who works with it, "" for a person. Where the settings want an agent's writes
    reviewed, it is a store on the agent's own work tree of the vault; where that cannot be had it
    is one that refuses to write.

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
    desk, refusal = _desk(root, agent, cache_folder, clock())
    place = _place(root, desk, new_id(clock()))
    place.refusal = refusal
    words = embedder if embedder is not None else StaticEmbedder()
    derived = place.derived = index_folder(cache_folder, place.vault.root)
    if desk is not None:
        _seed(index_folder(cache_folder, root), derived)
    index = Index(derived, words)
    watcher = place.watch() if background else None
    refresher = Refresher(place.vault, index, watcher)
    refresher.history = place.history
    machine = machine_name(cache_folder, new_machine_name())
    own = os.getpid() if background else 0
    kept = KeptCount(derived, clock)
    name = machine if desk is None else f"{machine}-{desk.slug}"
    journal = Journal(place, name, own if process is None else process, kept)
    store = Store(place, index, refresher, journal, Sources(clock, new_id, is_running))
    store.desk = desk
    if background:
        store.start()
    return store


def _desk(
    root: Path, agent: str, cache_folder: Path, now: datetime
) -> tuple[Desk | None, MnemosError | None]:
    """The agent's work tree, or why it cannot be had; neither where agents write directly."""
    settings = read_settings(root)
    if not agent or settings.review_mode != "branch":
        return None, None
    desk = Desk(root, agent, (cache_folder, index_folder(cache_folder, root).name), settings)
    try:
        desk.renew(now)
    except MnemosError as error:
        _log.warning("no proposals can be made: %s", error)
        return None, error
    return desk, None


def _place(root: Path, desk: Desk | None, vault_id: str) -> Place:
    if desk is None:
        return Place(root, vault_id=vault_id)
    place = Place(desk.root, vault_id=vault_id, owner=root)
    place.rejections = Rejections((Vault(root, ()), place.vault))
    return place


def _seed(known: Path, target: Path) -> None:
    """Begin with the index of the vault itself: most texts are the same, so few are read anew."""
    if target.exists():
        return
    with suppress(OSError):  # `shutil.Error` too: another process tidied up meanwhile
        for folder in known.glob(INDEX_FOLDERS):
            shutil.copytree(folder, target / folder.name)


def index_folder(cache_folder: Path, root: Path) -> Path:
    """Where the index of the vault at this real path lies: two vaults never share one."""
    real = root.resolve()
    key = hashlib.sha256(str(real).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return cache_folder / f"{real.name or 'vault'}-{key}"
