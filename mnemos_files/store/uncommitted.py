"""Notes that differ from the current commit: what a person has not committed yet."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from mnemos_files.errors import NotFoundError
from mnemos_files.history.repo import History
from mnemos_files.index.index import Index
from mnemos_files.vault.files import Vault

What = Literal["added", "edited", "deleted"]


@dataclass(frozen=True, slots=True)
class Uncommitted:
    """A note and what was done to it since the current commit."""

    path: PurePosixPath
    what: What


def uncommitted(vault: Vault, index: Index, history: History) -> list[Uncommitted]:
    """Notes on disk that the current commit has otherwise, or not, and those it has alone.

    What git ignores is left out. The index must be up to date.
    """
    head = history.head()
    committed = history.tree(head) if head else {}
    found = [*_on_disk(vault, index, history, committed), *_missing(vault, index, committed)]
    return sorted(found, key=lambda one: str(one.path))


def _on_disk(
    vault: Vault, index: Index, history: History, committed: dict[str, str]
) -> Iterator[Uncommitted]:
    for name, entry in index.entries.items():
        blob = committed.get(name)
        if blob == entry.blob:
            continue
        path = PurePosixPath(name)
        if blob is None:
            if not history.is_ignored(path):
                yield Uncommitted(path, "added")
        elif _differs(vault, history, path, blob):
            yield Uncommitted(path, "edited")


def _differs(vault: Vault, history: History, path: PurePosixPath, blob: str) -> bool:
    """False as well where git only keeps other line ends than the file has."""
    try:
        return history.blob_id(path, vault.read(path)[0]) != blob
    except NotFoundError:  # gone meanwhile
        return False


def _missing(vault: Vault, index: Index, committed: dict[str, str]) -> Iterator[Uncommitted]:
    for name in committed:
        path = PurePosixPath(name)
        if name not in index.entries and vault.is_note(path) and vault.stamp(path) is None:
            yield Uncommitted(path, "deleted")
