"""A vault: a folder of markdown files, read and written so that nothing is lost."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from stat import S_ISREG

from mnemos_files.errors import NotFoundError, RefusedError
from mnemos_files.model.note import Stamp
from mnemos_files.model.problem import Problem
from mnemos_files.vault.failures import file_failure
from mnemos_files.vault.folder import Root, change_mode, read_file, stamp_of, status
from mnemos_files.vault.group import Group, Job
from mnemos_files.vault.listing import NOTES_MAX, Listing, walk
from mnemos_files.vault.own import OwnFiles
from mnemos_files.vault.paths import is_markdown, new_note_parts, own_parts, parts_of
from mnemos_files.vault.rename import SYSTEM, Renames
from mnemos_files.vault.rules import Rules
from mnemos_files.vault.sweep import own_temporaries, sweep_file

SWEEP_AGE_SECONDS = 3600.0
"""Age of a leftover [s] at which no running write can still want it."""


@dataclass(frozen=True, slots=True)
class Write:
    """What to do with one file.

    `data` None deletes it. `replaces` is the blob id [40 hex digits, `model.digest.blob_id`] of the
    bytes that the caller saw there; None = there must be no file.
    """

    path: PurePosixPath
    data: bytes | None
    replaces: str | None = None


class Vault:
    """A folder of notes. Thread-safe; who writes holds the `VaultLock`.

    `root` is the real path, links resolved. Patterns in `ignored` match one part of a path. No
    method ever follows a link below the root.

    Raises:
        UnavailableError: there is no such folder.
    """

    def __init__(
        self,
        root: Path,
        ignored: tuple[str, ...],
        *,
        renames: Renames = SYSTEM,
        notes_max: int = NOTES_MAX,
    ) -> None:
        self._root = Root(root)
        self._rules = Rules(ignored)
        self._renames = renames
        self._notes_max = notes_max

    @property
    def root(self) -> Path:
        """Real path of the vault's folder."""
        return self._root.path

    @property
    def own(self) -> OwnFiles:
        """The vault's own hidden files that grow, such as journals."""
        return OwnFiles(self._root)

    def alive(self) -> bool:
        """True when the folder that was opened is still at its path."""
        return self._root.is_alive()

    def reopen(self) -> None:
        """Take the folder that is at the path now for the vault, such as a disk mounted anew.

        Raises:
            UnavailableError: there is none.
        """
        self._root.reopen()

    def listing(self, below: str = "") -> Listing:
        """Notes, folders and problems at or below a folder ("" = the whole vault).

        Raises:
            UnavailableError: the vault is gone or cannot be read.
            RefusedError: `below` leads out of the vault.
        """
        if below and not self._is_inside(parts_of(PurePosixPath(below))):
            return Listing()
        try:
            found = walk(self._root, self._rules, below, self._notes_max)
        except OSError as error:
            raise file_failure(error, below or "the vault") from error
        if not below:
            found.temporaries.update(own_temporaries(self._root))
        return found

    def folders(self) -> list[str]:
        """All folders of the vault, "" for the root.

        Raises:
            UnavailableError: the vault is gone, or the system refuses.
        """
        found, waiting = [], [""]
        while waiting:
            folder = waiting.pop()
            names = self.subfolders(folder)
            if names is not None:
                found.append(folder)
                waiting += [f"{folder}/{name}" if folder else name for name in names]
        return found

    def subfolders(self, folder: str) -> list[str] | None:
        """Names of the folders in a folder that may belong to the vault.

        None when the folder itself does not: it is gone, closed to us, or another repository.

        Raises:
            UnavailableError: the vault is gone, or the system refuses.
        """
        try:
            with (
                self._root.folder(folder.split("/") if folder else ()) as descriptor,
                os.scandir(descriptor) as scan,
            ):
                return [e.name for e in scan if self._is_folder(e)]
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return None
        except OSError as error:
            raise file_failure(error, folder or "the vault") from error

    def is_note(self, path: PurePosixPath) -> bool:
        """True when a regular file at this path would be a note; the disk is not asked."""
        *folders, name = path.parts or ("",)
        return (
            bool(name)
            and not path.is_absolute()
            and self._rules.is_note(name)
            and not any(map(self._rules.is_ignored, folders))
            and not (not folders and self._rules.is_left_out(name))
        )

    def is_candidate(self, name: str) -> bool:
        """True for a file name that concerns a listing: a note, or a copy that is a problem."""
        return self._rules.is_candidate(name)

    def enters(self, name: str) -> bool:
        """True for the name of a folder that is not ignored."""
        return not self._rules.is_ignored(name)

    def stamp(self, path: PurePosixPath) -> Stamp | None:
        """Stamp of a note; None when there is no note at this path.

        Raises:
            RefusedError: the path leads out of the vault or to a hidden place.
            UnavailableError: the vault is gone.
        """
        parts = parts_of(path)
        if not self.is_note(path) or not self._is_inside(parts[:-1]):
            return None
        try:
            with self._root.folder(parts[:-1]) as folder:
                found = status(folder, parts[-1])
        except OSError:
            return None
        return stamp_of(found) if found is not None and S_ISREG(found.st_mode) else None

    def read(self, path: PurePosixPath) -> tuple[bytes, Stamp]:
        """Bytes of a markdown file in the vault, and the stamp that belongs to them.

        Raises:
            NotFoundError: there is no such file in the vault.
            RefusedError: the path leads out of the vault, to a hidden place or through a link.
            UnavailableError: the vault is gone, or the system refuses.
        """
        parts = parts_of(path)
        if not is_markdown(parts[-1]) or not self._is_inside(parts[:-1]):
            raise NotFoundError(str(path))
        try:
            with self._root.folder(parts[:-1]) as folder:
                return read_file(folder, parts[-1])
        except FileNotFoundError as error:
            raise NotFoundError(str(path)) from error
        except OSError as error:
            raise file_failure(error, str(path)) from error

    def apply(self, writes: Sequence[Write], *, is_durable: bool = True) -> None:
        """Carry out all of these writes, or none.

        New folders are made. A file that is replaced keeps its mode. Everything is on the disk when
        this returns; if it need not be durable, whenever the system likes.

        Raises:
            ChangedOnDiskError: a file is not what the caller saw.
            RefusedError: a path is not one to write to, or comes twice.
            UnavailableError: the vault is gone, or the disk is full, read-only or forbidden.
        """
        jobs = [Job(self._target(write), write.data, write.replaces) for write in writes]
        Group(self._root, self._renames, is_durable=is_durable).run(jobs)

    def read_any(self, path: PurePosixPath) -> bytes | None:
        """Bytes of any file of the vault but git's own, None when there is no such file.

        Raises:
            RefusedError: the path leads out of the vault, into git's folder or through a link.
            UnavailableError: the vault is gone, or the system refuses.
        """
        parts = own_parts(path)
        try:
            with self._root.folder(parts[:-1]) as folder:
                return read_file(folder, parts[-1])[0]
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise file_failure(error, str(path)) from error

    def apply_any(self, writes: Sequence[Write]) -> None:
        """As `apply`, for any files of the vault but git's own: those that a merge brings.

        Raises:
            ChangedOnDiskError, RefusedError, UnavailableError: as `apply`.
        """
        jobs = [Job(own_parts(write.path), write.data, write.replaces) for write in writes]
        Group(self._root, self._renames).run(jobs)

    def set_executable(self, path: PurePosixPath, *, is_executable: bool) -> None:
        """Let a file be run by those who may read it, or by nobody.

        Raises:
            RefusedError: the path leads out of the vault or into git's folder.
            UnavailableError: the system refuses.
        """
        parts = own_parts(path)
        try:
            with self._root.folder(parts[:-1]) as folder:
                change_mode(folder, parts[-1], is_executable=is_executable)
        except OSError as error:
            raise file_failure(error, str(path)) from error

    def write_own(self, path: PurePosixPath, data: bytes) -> None:
        """Add a file of the vault's set-up, such as `.mnemos/config.toml`; none is ever replaced.

        Raises:
            ChangedOnDiskError: there is a file of this name.
            RefusedError: the path leads out of the vault or into git's folder.
            UnavailableError: the vault is gone, or the disk is full, read-only or forbidden.
        """
        Group(self._root, self._renames).run([Job(own_parts(path), data, None)])

    def sweep_temporaries(
        self, now: datetime, age_seconds: float = SWEEP_AGE_SECONDS
    ) -> list[Problem]:
        """Clean up what interrupted writes left; what holds a text of its own is kept and reported.

        Only files whose name is exactly of our pattern and that rest for `age_seconds` are touched;
        0 is right when the caller holds the writer's lock.

        Raises:
            UnavailableError: the vault is gone or cannot be read.
        """
        last = int((now.timestamp() - age_seconds) * 1e9)
        problems = []
        for path, stamp in self.listing().temporaries.items():
            if stamp.mtime_ns <= last:
                problems.append(self._swept(path))
        return [problem for problem in problems if problem is not None]

    def _swept(self, path: str) -> Problem | None:
        *folders, name = path.split("/")
        try:
            with self._root.folder(folders) as folder:
                return sweep_file(folder, name, path, self._renames)
        except OSError:
            return None

    def _target(self, write: Write) -> tuple[str, ...]:
        is_new = write.data is not None and write.replaces is None
        parts = new_note_parts(write.path) if is_new else parts_of(write.path)
        if not self.is_note(write.path):
            raise RefusedError(
                "not-a-note",
                f"{write.path} would not be a note of this vault: its name or folder is ignored",
                remedy="Use a name that ends in .md, in a folder that the settings do not ignore.",
            )
        return parts

    def _is_folder(self, entry: os.DirEntry[str]) -> bool:
        is_one = entry.is_dir(follow_symlinks=False)
        return is_one and not self._rules.is_ignored(entry.name)

    def _is_inside(self, folders: Sequence[str]) -> bool:
        return not any(map(self._rules.is_ignored, folders))
