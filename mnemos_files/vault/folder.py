"""The vault's root and the folders in it, opened part by part so that no link leads out."""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from mnemos_files.errors import RefusedError, UnavailableError
from mnemos_files.model.digest import blob_id
from mnemos_files.model.note import Stamp
from mnemos_files.vault.failures import gone
from mnemos_files.vault.rules import GIT

READ_BYTES_MAX = 64 * 2**20
"""Largest file [bytes] that is read at all; a note of this size is a mistake."""

_READ_ATTEMPTS = 5

if os.name == "posix":
    _FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    # O_NONBLOCK: opening a named pipe must not wait for a writer.
    _FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
else:
    _FOLDER = _FILE = os.O_RDONLY


class Root:
    """A folder, and the means to see that it is still the same one.

    Raises:
        UnavailableError: there is no such folder, or the system cannot open files below a folder.
    """

    def __init__(self, path: Path) -> None:
        if os.open not in os.supports_dir_fd:
            raise UnavailableError("vaults need a POSIX system", remedy="Use Linux, macOS or WSL.")
        self.path = Path(os.path.realpath(path))
        self._identity = (0, 0)
        self.reopen()

    def reopen(self) -> None:
        """Take the folder that is at this path now as the vault's.

        Raises:
            UnavailableError: there is none.
        """
        try:
            found = self.path.stat()
        except OSError as error:
            raise gone() from error
        if not stat.S_ISDIR(found.st_mode):
            raise gone()
        self._identity = (found.st_dev, found.st_ino)

    def is_alive(self) -> bool:
        """True when the folder that was opened is still at its path."""
        try:
            found = self.path.stat()
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self._identity

    def open(self) -> int:
        """A descriptor of the root, the caller's to close.

        Raises:
            UnavailableError: it is gone, or another folder is at its path.
        """
        try:
            descriptor = os.open(self.path, _FOLDER)
        except OSError as error:
            raise gone() from error
        found = os.fstat(descriptor)
        if (found.st_dev, found.st_ino) != self._identity:
            os.close(descriptor)
            raise gone()
        return descriptor

    @contextmanager
    def folder(self, parts: Sequence[str]) -> Iterator[int]:
        """Descriptor of a folder of the vault, closed at the end.

        Raises:
            FileNotFoundError: a part is missing, or is another repository.
            OSError: a part is a link or no folder, or the system refuses.
            UnavailableError: the vault is gone.
        """
        descriptor = self.open()
        try:
            for part in parts:
                descriptor = _replace(descriptor, open_folder(descriptor, part))
                if is_repository(descriptor):
                    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            yield descriptor
        finally:
            os.close(descriptor)


def open_folder(parent: int, name: str) -> int:
    """Descriptor of a folder in an open folder; a link is never followed.

    Raises:
        OSError: missing, a link, or no folder.
    """
    return os.open(name, _FOLDER, dir_fd=parent)


def is_repository(folder: int) -> bool:
    """True when this open folder is the top of a git repository or a submodule."""
    return exists(folder, GIT)


def exists(folder: int, name: str) -> bool:
    """True when the folder has an entry of this name, a dangling link included."""
    return status(folder, name) is not None


def status(folder: int, name: str) -> os.stat_result | None:
    """What the system says of an entry itself, not of what it links to; None when it is missing."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def stamp_of(found: os.stat_result) -> Stamp:
    """Size, time of the last change [ns] and inode.

    The time is the inode's (ctime): a tool can put the modification time back after an edit, this
    one nobody can.
    """
    return Stamp(found.st_size, found.st_ctime_ns, found.st_ino)


def read_file(folder: int, name: str) -> tuple[bytes, Stamp]:
    """Bytes of a regular file and the stamp that belongs to them.

    A file that moves while it is read is read again; when it never rests, the stamp is the one from
    before the last reading, so that a later look sees a difference.

    Raises:
        OSError: missing, a link, or the system refuses.
        RefusedError: not a regular file, or larger than `READ_BYTES_MAX`.
    """
    descriptor = os.open(name, _FILE, dir_fd=folder)
    attempts = 0
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        while True:
            before = _regular(descriptor, name)
            file.seek(0)
            data = file.readall()
            attempts += 1
            is_settled = stamp_of(before) == stamp_of(os.fstat(descriptor))
            if attempts == _READ_ATTEMPTS or (is_settled and len(data) == before.st_size):
                return data, stamp_of(before)


def blob_of(folder: int, name: str) -> str:
    """Blob id of a file's bytes; "" when there is no regular file of this name."""
    try:
        return blob_id(read_file(folder, name)[0])
    except (OSError, RefusedError):
        return ""


def change_mode(folder: int, name: str, *, is_executable: bool) -> None:
    """Let a file be run by those who may read it, or by nobody; a link is not followed.

    Raises:
        OSError: missing, a link, or the system refuses.
    """
    descriptor = os.open(name, _FILE, dir_fd=folder)
    try:
        mode = os.fstat(descriptor).st_mode
        bits = (mode & 0o444) >> 2
        os.fchmod(descriptor, stat.S_IMODE(mode | bits if is_executable else mode & ~0o111))
    finally:
        os.close(descriptor)


def create_file(folder: int, name: str, data: bytes, like: os.stat_result | None) -> None:
    """Make a file with these bytes, or leave nothing.

    Mode and, where the system lets us, owner are those of the file that it is to be `like`; None
    takes the usual ones for new files.

    Raises:
        OSError: the name is taken, or the system refuses.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    mode = 0o666 if like is None else stat.S_IMODE(like.st_mode)
    descriptor = os.open(name, flags, mode, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            if like is not None:
                _make_like(descriptor, like)
            view = memoryview(data)
            while view:
                view = view[file.write(view) :]
    except BaseException:
        os.unlink(name, dir_fd=folder)
        raise


def sync_file(folder: int, name: str) -> None:
    """Wait until the bytes of a file are on the disk.

    Raises:
        OSError: the disk is full or broken.
    """
    descriptor = os.open(name, _FILE, dir_fd=folder)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _replace(old: int, new: int) -> int:
    os.close(old)
    return new


def _make_like(descriptor: int, like: os.stat_result) -> None:
    made = os.fstat(descriptor)
    if (made.st_uid, made.st_gid) != (like.st_uid, like.st_gid):
        with suppress(PermissionError):
            os.fchown(descriptor, like.st_uid, like.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(like.st_mode))


def _regular(descriptor: int, name: str) -> os.stat_result:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise RefusedError("not-a-file", f"{name} is not a regular file", remedy="Remove it.")
    if found.st_size > READ_BYTES_MAX:
        limit = READ_BYTES_MAX // 2**20
        raise RefusedError("too-large", f"{name} is larger than {limit} MiB", remedy="Split it.")
    return found
