"""Several files written as one: all of them, or none."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from mnemos_files.errors import ChangedOnDiskError, RefusedError
from mnemos_files.vault.failures import file_failure
from mnemos_files.vault.folder import Root, is_repository, open_folder
from mnemos_files.vault.paths import fold
from mnemos_files.vault.rename import Renames
from mnemos_files.vault.steps import Create, Delete, Place, Replace, Step


@dataclass(frozen=True, slots=True)
class Job:
    """One file of a group: the parts of a path that was checked, the new bytes, the old blob id.

    `data` None deletes. `replaces` None = there must be no file.
    """

    parts: tuple[str, ...]
    data: bytes | None
    replaces: str | None

    @property
    def path(self) -> str:
        """The path for messages, relative to the vault."""
        return "/".join(self.parts)


class Group:
    """One run of jobs. Use it once."""

    def __init__(self, root: Root, renames: Renames, *, is_durable: bool = True) -> None:
        self._root = root
        self._renames = renames
        self._is_durable = is_durable
        self._folders: dict[tuple[str, ...], int] = {}
        self._made: list[tuple[int, str]] = []
        self._steps: list[Step] = []
        self._current = ""

    def run(self, jobs: Sequence[Job]) -> None:
        """Check everything, write everything beside, then publish one after the other.

        Raises:
            ChangedOnDiskError: a file is not what the caller saw; nothing was changed.
            RefusedError: a path comes twice, or is not one to write to.
            UnavailableError: the system refuses: full, read-only, no permission, folder gone.
        """
        try:
            self._check_once(jobs)
            self._do(jobs)
            self._finish()
        finally:
            for descriptor in self._folders.values():
                os.close(descriptor)

    def _check_once(self, jobs: Sequence[Job]) -> None:
        seen: set[str] = set()
        for job in jobs:
            key = fold(job.path)
            if key in seen:
                raise RefusedError(
                    "twice", f"{job.path} comes twice in one write", remedy="Name each file once."
                )
            seen.add(key)

    def _do(self, jobs: Sequence[Job]) -> None:
        try:
            for job in jobs:
                self._current = job.path
                step = self._step(job)
                step.check()
                self._steps.append(step)
            self._each(lambda step: step.stage())
            if self._is_durable:
                self._each(lambda step: step.sync())
            self._each(lambda step: step.publish())
            if self._is_durable:
                self._sync_folders()
        except OSError as error:
            self._undo()
            raise file_failure(error, self._current) from error
        except BaseException:
            self._undo()
            raise

    def _each(self, act: Callable[[Step], None]) -> None:
        for step in self._steps:
            self._current = step.place.path
            act(step)

    def _step(self, job: Job) -> Step:
        is_new = job.data is not None and job.replaces is None
        folder = self._folder(job.parts[:-1], may_make=is_new)
        place = Place(folder, job.parts[-1], job.path, self._renames)
        if job.data is None:
            return Delete(place, job.replaces or "")
        return Create(place, job.data) if is_new else Replace(place, job.data, job.replaces or "")

    def _folder(self, parts: tuple[str, ...], *, may_make: bool) -> int:
        known = self._folders.get(parts)
        if known is not None:
            return known
        if not parts:
            opened = self._root.open()
        else:
            parent = self._folder(parts[:-1], may_make=may_make)
            opened = self._enter(parent, parts[-1], may_make=may_make)
        self._folders[parts] = opened
        if parts and is_repository(opened):
            raise RefusedError(
                "other-repository",
                f"{'/'.join(parts)} is a git repository of its own",
                remedy="Write to a folder of the vault itself.",
            )
        return opened

    def _enter(self, parent: int, name: str, *, may_make: bool) -> int:
        try:
            return open_folder(parent, name)
        except FileNotFoundError as error:
            if not may_make:
                raise ChangedOnDiskError(self._current) from error
        _check_no_twin(parent, name)
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=parent)
            self._made.append((parent, name))
        return open_folder(parent, name)

    def _sync_folders(self) -> None:
        touched = {step.place.folder for step in self._steps}
        for folder in touched | {parent for parent, _ in self._made}:
            os.fsync(folder)

    def _undo(self) -> None:
        for step in reversed(self._steps):
            step.undo()
        for parent, name in reversed(self._made):
            with suppress(OSError):
                os.rmdir(name, dir_fd=parent)

    def _finish(self) -> None:
        for step in self._steps:
            step.finish()
        # All is done and safe: a disk that fails now can only keep a leftover for the next sweep.
        with suppress(OSError):
            for folder in {s.place.folder for s in self._steps if s.needs_second_sync}:
                os.fsync(folder)


def _check_no_twin(parent: int, name: str) -> None:
    for other in os.listdir(parent):
        if fold(other) == fold(name):
            raise RefusedError(
                "name-twin",
                f"a folder {other!r} exists, {name!r} would be the same on some systems",
                remedy=f"Use {other!r}.",
            )
