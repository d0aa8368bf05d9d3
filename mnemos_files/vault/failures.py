"""What the operating system refuses, as errors that a caller can act on."""

import errno

from mnemos_files.errors import MnemosError, RefusedError, UnavailableError

_CAUSES = {
    errno.ENOSPC: ("the disk is full", "Free some space and repeat the call."),
    errno.EDQUOT: ("the disk quota is used up", "Free some space and repeat the call."),
    errno.EROFS: ("the file system is read-only", "Make it writable and repeat the call."),
    errno.EACCES: ("the system forbids it", "Give yourself access to the file and its folder."),
    errno.EPERM: ("the system forbids it", "Give yourself access to the file and its folder."),
    errno.EIO: ("the disk reports an error", "Check the disk; nothing else was changed."),
    errno.ESTALE: ("the network folder is gone", "Mount it again and repeat the call."),
}


def file_failure(error: OSError, path: str) -> MnemosError:
    """The error to raise for a system error met at this path; never holds an absolute path."""
    if error.errno == errno.ENAMETOOLONG:
        return RefusedError(
            "file-name", f"{path}: the name is too long", remedy="Use a shorter name."
        )
    if error.errno in {errno.ENOTDIR, errno.ELOOP}:
        return RefusedError(
            "outside",
            f"{path}: a part of this path is a link or no folder",
            remedy="Use the path of the file itself, as a listing shows it.",
        )
    cause, remedy = _CAUSES.get(
        error.errno or 0, (error.strerror or "unknown error", "Try again later.")
    )
    return UnavailableError(f"{path}: {cause}", remedy=remedy)


def gone() -> UnavailableError:
    """The error for a vault whose folder is not there, or is another one than at the start."""
    return UnavailableError(
        "the vault's folder is gone or was replaced by another one",
        remedy="Mount or restore it and try again; nothing was changed.",
    )
