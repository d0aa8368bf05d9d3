"""A copy of a vault to try something in: what is done there is seen, and nothing comes of it."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from mnemos_files.config import CONFIG_PATH
from mnemos_files.errors import RefusedError
from mnemos_files.index.embedder import Embedder
from mnemos_files.store.open import index_folder, open_store
from mnemos_files.store.store import Store

_OWN = Path(CONFIG_PATH).parent
_RULES = (".gitignore", ".gitattributes")


@contextmanager
def rehearsal(store: Store, now: datetime, embedder: Embedder | None = None) -> Iterator[Store]:
    """A store on a private copy of the vault as it lies on disk, with a clock that stands still.

    It commits on top of the same commit, so each of its commits is what the same call would make
    in the vault itself. The copy is gone at the end. `embedder` is the one of the store.

    Raises:
        RefusedError: in the vault itself no commit could be made now.
        UnavailableError: there is no room for the copy.
    """
    if store.history is not None and (why := store.history.blocked()):
        raise RefusedError("git-state", why)
    with tempfile.TemporaryDirectory(prefix="mnemos-rehearsal-") as name:
        folder = Path(name)
        root = _copied(store, folder / "files")
        cache = folder / "cache"
        _copy_index(store, index_folder(cache, root))
        copy = open_store(root, cache_folder=cache, clock=lambda: now, embedder=embedder)
        copy.place.allow_secrets = store.place.allow_secrets
        try:
            copy.finish()
            yield copy
        finally:
            copy.close()


def _copied(store: Store, folder: Path) -> Path:
    """The copy of the files that belong to the vault; everything else stays out of it."""
    folder.mkdir()
    root = folder if store.history is None else store.history.copy_to(folder)
    origin = store.place.vault.root
    listing = store.place.vault.listing()
    rules = [f"{inner}/{name}" if inner else name for inner in listing.folders for name in _RULES]
    for path in (*listing.notes, *rules):
        source = origin / path
        if source.is_file() and not source.is_symlink():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    if (origin / _OWN).is_dir():
        shutil.copytree(origin / _OWN, root / _OWN, symlinks=True, dirs_exist_ok=True)
    return root


def _copy_index(store: Store, target: Path) -> None:
    """Spare the copy to read everything anew; what is missing or odd there is read all the same."""
    store.index.flush()
    if store.place.derived is not None:
        with suppress(OSError):  # `shutil.Error` too: another process tidied up meanwhile
            shutil.copytree(store.place.derived, target)
