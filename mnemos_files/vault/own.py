"""The vault's own hidden files that grow: opened part by part, so that no link leads out."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath
from stat import S_ISDIR, S_ISREG

from mnemos_files.errors import MnemosError, NotFoundError, RefusedError, UnavailableError
from mnemos_files.model.note import Stamp
from mnemos_files.vault.failures import file_failure
from mnemos_files.vault.folder import Root, is_repository, open_folder, stamp_of, status
from mnemos_files.vault.paths import own_parts

_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_LINE_END = b"\n"


class OwnFiles:
    """Files below the vault's `.mnemos`, for appending and for reading from an offset.

    Every path is relative to the vault. Links are refused, never followed.
    """

    def __init__(self, root: Root) -> None:
        self._root = root

    def append(self, path: PurePosixPath, data: bytes) -> None:
        """Add whole lines to a file in one write; folders and file are made when missing.

        Writers of one machine never mix their lines. A last line that a crash left without its end
        gets one first; so may one that is just being written, which leaves a blank line. The
        system writes the bytes to the disk when it likes.

        Raises:
            RefusedError: the path goes through a link, a repository, or to something that is no
                file.
            UnavailableError: the vault is gone, or the disk is full, read-only or forbidden.
        """
        *folders, name = own_parts(path)
        with _failures(path):
            folder = self._entered(folders, path)
            try:
                descriptor = os.open(name, _APPEND, 0o666, dir_fd=folder)
            finally:
                os.close(folder)
            try:
                _append(descriptor, data, path)
            finally:
                os.close(descriptor)

    def stamps(self, folder: PurePosixPath) -> dict[str, Stamp]:
        """Stamps of the regular files in a folder, by name; empty when there is none.

        Raises:
            UnavailableError: the vault is gone, or the system refuses.
        """
        listed = self._listed(folder).items()
        return {name: stamp_of(found) for name, found in listed if S_ISREG(found.st_mode)}

    def folders(self, folder: PurePosixPath) -> list[str]:
        """Names of the folders in a folder, links left out; empty when there is none.

        Raises:
            UnavailableError: the vault is gone, or the system refuses.
        """
        listed = self._listed(folder).items()
        return [name for name, found in listed if S_ISDIR(found.st_mode)]

    @contextmanager
    def reading(self, path: PurePosixPath) -> Iterator[int]:
        """Descriptor of a regular file, closed at the end.

        Raises:
            NotFoundError: there is no such file.
            RefusedError: the path goes through a link or to something that is no file.
            UnavailableError: the vault is gone, or the system refuses.
        """
        *folders, name = own_parts(path)
        with _failures(path), self._root.folder(folders) as folder:
            descriptor = os.open(name, _READ, dir_fd=folder)
            try:
                _regular(descriptor, path)
                yield descriptor
            finally:
                os.close(descriptor)

    def _listed(self, folder: PurePosixPath) -> dict[str, os.stat_result]:
        try:
            with _failures(folder), self._root.folder(own_parts(folder)) as descriptor:
                return _statuses(descriptor)
        except (NotFoundError, RefusedError):
            return {}

    def _entered(self, folders: list[str], path: PurePosixPath) -> int:
        """Descriptor of a folder, the caller's to close; what is missing of it is made."""
        descriptor = self._root.open()
        try:
            for part in folders:
                below = _open_or_make(descriptor, part)
                os.close(descriptor)
                descriptor = below
                _must_be_ours(descriptor, path)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


def _statuses(folder: int) -> dict[str, os.stat_result]:
    found = {name: status(folder, name) for name in os.listdir(folder)}
    return {name: each for name, each in found.items() if each is not None}


def _must_be_ours(folder: int, path: PurePosixPath) -> None:
    if is_repository(folder):
        raise RefusedError(
            "other-repository",
            f"{path} lies in a git repository of its own",
            remedy="Move that repository out of the vault's folder.",
        )


def _open_or_make(parent: int, name: str) -> int:
    with suppress(FileNotFoundError):
        return open_folder(parent, name)
    with suppress(FileExistsError):
        os.mkdir(name, dir_fd=parent)
    return open_folder(parent, name)


def _append(descriptor: int, data: bytes, path: PurePosixPath) -> None:
    size = _regular(descriptor, path).st_size
    is_torn = size > 0 and os.pread(descriptor, 1, size - 1) != _LINE_END
    whole = _LINE_END + data if is_torn else data
    if os.write(descriptor, whole) != len(whole):
        raise UnavailableError(
            f"{path}: the disk is full", remedy="Free some space and repeat the call."
        )


@contextmanager
def _failures(path: PurePosixPath) -> Iterator[None]:
    try:
        yield
    except MnemosError:
        raise
    except FileNotFoundError as error:
        raise NotFoundError(str(path)) from error
    except OSError as error:
        raise file_failure(error, str(path)) from error


def _regular(descriptor: int, path: PurePosixPath) -> os.stat_result:
    found = os.fstat(descriptor)
    if not S_ISREG(found.st_mode):
        raise RefusedError("not-a-file", f"{path} is not a regular file", remedy="Remove it.")
    return found
