"""A change to the vault, whole: each file before and after, the commits, the vault that results.

Nothing is written. Rules of the side before the change hold: what a change brings must not decide
how it is judged.
"""

import os
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path, PurePosixPath

from mnemos_files.config import CONFIG_PATH, Settings, parse_settings
from mnemos_files.errors import MnemosError, NotFoundError, UnavailableError
from mnemos_files.format.record import parse
from mnemos_files.history.comparing import Blob, Comparing, Delta
from mnemos_files.history.spans import Span
from mnemos_files.history.values import Revision
from mnemos_files.index.index import Indexed
from mnemos_files.index.near_to import Similar
from mnemos_files.model.digest import blob_id
from mnemos_files.model.note import Stamp
from mnemos_files.store import names
from mnemos_files.store.overlay import Overlay
from mnemos_files.store.store import Store
from mnemos_files.vault.files import Vault

__all__ = ["ChangeSet", "Revision", "Similar", "Span", "Touched", "change_set"]

OWN_FOLDER = ".mnemos/"
_NO_STAMP = Stamp(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Touched:
    """A file that a change touches: its bytes on both sides, None where it is not there.

    Bytes are read of notes and of the vault's own files; others have none but are there.
    `revisions` are the commits of the change that touch it, newest first.
    """

    path: str
    before: bytes | None
    after: bytes | None
    is_note: bool = False
    is_link: bool = False
    revisions: tuple[Revision, ...] = ()


class ChangeSet:
    """One change: its files, and the notes that the vault has with it."""

    def __init__(self, store: Store, span: Span, index_file: Path | None = None) -> None:
        self.span = span
        self._store = store
        self._index_file = index_file
        self._comparing = comparing = Comparing.open(store.place.vault.root)
        self._deltas = comparing.deltas(span, index_file)
        self.settings = self._settings()
        self._vault = Vault(store.place.vault.root, self.settings.ignored)

    @property
    def prefix(self) -> str:
        """Way from the root of the repository to the vault, "" when they are the same."""
        return self._comparing.prefix

    @cached_property
    def files(self) -> tuple[Touched, ...]:
        """What it touches, by path.

        Raises:
            UnavailableError: an object of the history cannot be read.
        """
        commits: dict[str, list[Revision]] = defaultdict(list)
        for revision in self._comparing.revisions(self.span):
            for path in revision.paths:
                commits[path].append(revision)
        return tuple(self._touched(delta, tuple(commits[delta.path])) for delta in self._deltas)

    @cached_property
    def after(self) -> Overlay:
        """The notes of the vault with this change, as a catalogue to resolve links in."""
        present = self._present
        known = self._store.index.entries
        absent = [] if present is None else [path for path in known if path not in present]
        gone = [one.path for one in self.files if one.is_note and one.after is None]
        return Overlay(self._store.index, {*absent, *gone}, self._extra)

    def resolve(self, target: str) -> tuple[str, ...]:
        """Paths that a link may mean with this change: one, none (dangling) or several."""
        return names.resolve(target, self.after)

    def similar(self, paths: Collection[str], now: datetime) -> dict[str, list[Similar]]:
        """For each of these notes, those of the vault that hold and say nearly the same."""
        index, present = self._store.index, self._present
        if present is None:
            return index.near_to(paths, now)
        return index.near_to(paths, now, index.view(present, self._extra))

    def read(self, path: str) -> bytes:
        """The bytes of a note of the vault with this change.

        Raises:
            NotFoundError: there is none.
            RefusedError, UnavailableError: it cannot be read.
        """
        touched = {one.path: one for one in self.files}.get(path)
        if touched is not None and touched.after is not None:
            return touched.after
        if self._present is None:
            return self._vault.read(PurePosixPath(path))[0]
        if path not in self._present:
            raise NotFoundError(path)
        return self._blob(self._present[path])

    @cached_property
    def _present(self) -> dict[str, str] | None:
        found = self._comparing.notes(self.span, self._index_file)
        if found is None:
            return None
        ignored = self.settings.ignored
        # What the index holds are notes, so long as both sides ignore the same folders.
        known = self._store.index.entries if ignored == self._store.settings.ignored else {}
        return {path: blob for path, blob in found.items() if path in known or self._is_note(path)}

    @cached_property
    def _extra(self) -> list[Indexed]:
        """Notes of the new side that the index does not have with these bytes."""
        index = self._store.index
        if self._present is None:
            texts = {one.path: one.after for one in self.files if one.is_note}
            found = {path: data for path, data in texts.items() if data is not None}
        else:
            wanted = index.differing(self._present)
            found = {path: self._blob(self._present[path]) for path in wanted}
        return [
            Indexed(parse(PurePosixPath(path), data), _NO_STAMP, blob_id(data))
            for path, data in found.items()
            if index.blob(path) != blob_id(data)
        ]

    def _settings(self) -> Settings:
        """Those of the side before; the defaults where it has none that can be read."""
        data = self._comparing.file(self.span.base, CONFIG_PATH)
        try:
            return parse_settings("" if data is None else data.decode("utf-8"))
        except (MnemosError, UnicodeDecodeError):
            return Settings()

    def _is_note(self, path: str) -> bool:
        return self._vault.is_note(PurePosixPath(path))

    def _touched(self, delta: Delta, revisions: tuple[Revision, ...]) -> Touched:
        is_link = delta.after is not None and delta.after.is_link
        is_note = self._is_note(delta.path)
        is_read = is_note or delta.path.startswith(OWN_FOLDER)
        return Touched(
            path=delta.path,
            before=self._data(delta.path, delta.before, is_read=is_read),
            after=self._data(delta.path, delta.after, is_read=is_read),
            is_note=is_note and not is_link,
            is_link=is_link,
            revisions=revisions,
        )

    def _data(self, path: str, blob: Blob | None, *, is_read: bool) -> bytes | None:
        if blob is None:
            return None
        if blob.is_link or not is_read:
            return b""
        return self._blob(blob.id) if blob.id else self._file(path)

    def _blob(self, blob: str) -> bytes:
        history = self._store.history
        if history is None:
            raise UnavailableError("the vault has no history that can be read")
        return history.read_blob(blob)

    def _file(self, path: str) -> bytes | None:
        """A file of the vault on disk; None when it went away or may not be read."""
        try:
            if not path.startswith(OWN_FOLDER):
                return self._vault.read(PurePosixPath(path))[0]
            with self._vault.own.reading(PurePosixPath(path)) as descriptor:
                return b"".join(_chunks(descriptor))
        except MnemosError:
            return None


def change_set(
    store: Store, named: str = "", *, staged: bool = False, index_file: Path | None = None
) -> ChangeSet:
    """The change that a text names (`A..B`, `A...B`, a branch, a commit), or what is uncommitted.

    Raises:
        InvalidQueryError: the text names no change.
        UnavailableError: there is no history, or the clone is too shallow to tell.
    """
    comparing = Comparing.open(store.place.vault.root)
    span = comparing.span(named) if named else comparing.uncommitted(staged=staged)
    return ChangeSet(store, span, index_file)


def _chunks(descriptor: int) -> Iterator[bytes]:
    while chunk := os.read(descriptor, 1 << 16):
        yield chunk
