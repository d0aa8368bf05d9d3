"""The three things that a write can do to a file: create, replace, delete.

Each runs as `check`, `stage`, `sync`, `publish`, then `finish`, or `undo` after any of them. All
names of a step lie in one folder, whose descriptor the caller keeps open.
"""

import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from mnemos_files.errors import ChangedOnDiskError, RefusedError
from mnemos_files.model.digest import blob_id
from mnemos_files.vault.folder import blob_of, create_file, read_file, status, sync_file
from mnemos_files.vault.rename import Renames
from mnemos_files.vault.temporaries import part_name, ready_name


@dataclass(frozen=True, slots=True)
class Place:
    """Where a step works: an open folder, a name in it, the path for messages, the renames."""

    folder: int
    name: str
    path: str
    renames: Renames


class Step(Protocol):
    """One file of a group. Errors are `OSError`, `ChangedOnDiskError` or `RefusedError`."""

    place: Place
    needs_second_sync: bool

    def check(self) -> None:
        """See that the file is what the caller saw; changes nothing."""

    def stage(self) -> None:
        """Write the new text beside the file."""

    def sync(self) -> None:
        """Wait until that text is on the disk."""

    def publish(self) -> None:
        """Put the new text in its place, or refuse and leave all as it was."""

    def undo(self) -> None:
        """Put everything back as far as it is still ours; never raises."""

    def finish(self) -> None:
        """Remove what only an undo would need."""


class Create:
    """A file where none is."""

    needs_second_sync = False

    def __init__(self, place: Place, data: bytes) -> None:
        self.place = place
        self._data = data
        self._part = part_name(place.name, secrets.token_hex(4))
        self._is_published = False

    def check(self) -> None:
        """See that the name is free."""
        if status(self.place.folder, self.place.name) is not None:
            raise ChangedOnDiskError(self.place.path)

    def stage(self) -> None:
        """Write the text under a hidden name."""
        create_file(self.place.folder, self._part, self._data, None)

    def sync(self) -> None:
        """Wait until it is on the disk."""
        sync_file(self.place.folder, self._part)

    def publish(self) -> None:
        """Give it its name, unless somebody took that in the meantime."""
        place = self.place
        try:
            place.renames.move(place.folder, self._part, place.name)
        except FileExistsError as error:
            raise ChangedOnDiskError(place.path) from error
        self._is_published = True

    def undo(self) -> None:
        """Take it away again, unless somebody changed it in the meantime."""
        if self._is_published:
            _withdraw(self.place, self._part, blob_id(self._data))
        _remove(self.place, self._part)

    def finish(self) -> None:
        """Nothing is left over."""


class Replace:
    """New text for a file, which keeps its mode."""

    needs_second_sync = False

    def __init__(self, place: Place, data: bytes, replaces: str) -> None:
        self.place = place
        self._data = data
        self._replaces = replaces
        self._old = b""
        self._like: os.stat_result | None = None
        random = secrets.token_hex(4)
        self._part = part_name(place.name, random)
        self._ready = ready_name(place.name, random, blob_id(data), replaces)
        self._is_published = False
        self._is_swapped = False

    def check(self) -> None:
        """See that the file has the text that the caller saw."""
        self._old, self._like = _checked(self.place, self._replaces)

    def stage(self) -> None:
        """Write the text under a hidden name."""
        create_file(self.place.folder, self._part, self._data, self._like)

    def sync(self) -> None:
        """Wait until it is on the disk."""
        sync_file(self.place.folder, self._part)

    def publish(self) -> None:
        """Swap the two files and look at what came out; swap back when it is not what was seen."""
        folder, name = self.place.folder, self.place.name
        if blob_of(folder, name) != self._replaces:
            # Seen before the swap: a swap that is taken back shows our text for a moment, and an
            # editor that reads it then would save without the person's last line.
            raise ChangedOnDiskError(self.place.path)
        os.rename(self._part, self._ready, src_dir_fd=folder, dst_dir_fd=folder)
        try:
            self._is_swapped = self.place.renames.swap(folder, self._ready, name)
        except FileNotFoundError as error:
            raise ChangedOnDiskError(self.place.path) from error
        if self._is_swapped and blob_of(folder, self._ready) != self._replaces:
            self._swap_back()
            raise ChangedOnDiskError(self.place.path)
        if not self._is_swapped:
            self._put()
        self._is_published = True

    def undo(self) -> None:
        """Put the old text back, unless somebody changed the new one in the meantime."""
        if self._is_published:
            with suppress(OSError):
                self._unpublish()
        _remove(self.place, self._part)
        if blob_of(self.place.folder, self._ready) in {blob_id(self._data), self._replaces}:
            _remove(self.place, self._ready)

    def finish(self) -> None:
        """Remove the old text."""
        _remove(self.place, self._ready)

    def _swap_back(self) -> None:
        folder, name = self.place.folder, self.place.name
        self.place.renames.swap(folder, self._ready, name)
        if blob_of(folder, self._ready) != blob_id(self._data):
            # A person has saved once more between the two swaps: that save is the latest. The one
            # before it stays aside, for a sweep to report.
            self.place.renames.swap(folder, self._ready, name)

    def _put(self) -> None:
        # No swap here: look once more, then replace. An edit between the two would be lost.
        folder, name = self.place.folder, self.place.name
        if blob_of(folder, name) != self._replaces:
            raise ChangedOnDiskError(self.place.path)
        os.replace(self._ready, name, src_dir_fd=folder, dst_dir_fd=folder)

    def _unpublish(self) -> None:
        folder, name = self.place.folder, self.place.name
        if blob_of(folder, name) != blob_id(self._data):
            return
        if not self._is_swapped:
            create_file(folder, self._ready, self._old, self._like)
            os.replace(self._ready, name, src_dir_fd=folder, dst_dir_fd=folder)
            return
        self.place.renames.swap(folder, self._ready, name)
        if blob_of(folder, self._ready) != blob_id(self._data):
            self.place.renames.swap(folder, self._ready, name)


class Delete:
    """No file where one was."""

    # A removal that is not on disk yet would come back with the next sweep after a power cut.
    needs_second_sync = True

    def __init__(self, place: Place, replaces: str) -> None:
        self.place = place
        self._replaces = replaces
        self._aside = ready_name(place.name, secrets.token_hex(4), "", replaces)
        self._is_published = False

    def check(self) -> None:
        """See that the file has the text that the caller saw."""
        _checked(self.place, self._replaces)

    def stage(self) -> None:
        """Nothing is written."""

    def sync(self) -> None:
        """Nothing was written."""

    def publish(self) -> None:
        """Move the file aside and look at it; put it back when it is not what was seen."""
        folder = self.place.folder
        if blob_of(folder, self.place.name) != self._replaces:
            raise ChangedOnDiskError(self.place.path)
        try:
            os.rename(self.place.name, self._aside, src_dir_fd=folder, dst_dir_fd=folder)
        except FileNotFoundError as error:
            raise ChangedOnDiskError(self.place.path) from error
        self._is_published = True
        if blob_of(folder, self._aside) != self._replaces:
            raise ChangedOnDiskError(self.place.path)

    def undo(self) -> None:
        """Put the file back, unless somebody has made another one; then a sweep reports it."""
        if self._is_published:
            with suppress(OSError):
                self.place.renames.move(self.place.folder, self._aside, self.place.name)

    def finish(self) -> None:
        """Remove what was moved aside."""
        _remove(self.place, self._aside)


def _checked(place: Place, replaces: str) -> tuple[bytes, os.stat_result]:
    """Bytes of the file, which must be the ones that the caller saw, and its status."""
    found = status(place.folder, place.name)
    if found is None:
        raise ChangedOnDiskError(place.path)
    if stat.S_ISREG(found.st_mode) and not found.st_mode & 0o222:
        raise RefusedError(
            "read-only", f"{place.path} is write-protected", remedy="Take the protection away."
        )
    try:
        data, _ = read_file(place.folder, place.name)
    except FileNotFoundError as error:
        raise ChangedOnDiskError(place.path) from error
    if blob_id(data) != replaces:
        raise ChangedOnDiskError(place.path)
    return data, found


def _withdraw(place: Place, aside: str, blob: str) -> None:
    with suppress(OSError):
        os.rename(place.name, aside, src_dir_fd=place.folder, dst_dir_fd=place.folder)
        if blob_of(place.folder, aside) != blob:
            place.renames.move(place.folder, aside, place.name)


def _remove(place: Place, name: str) -> None:
    with suppress(OSError):
        os.unlink(name, dir_fd=place.folder)
