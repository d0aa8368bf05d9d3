"""Renames that replace nothing, and the swap of two names. Linux and macOS have a call for both."""

import ctypes
import errno
import os
import sys
from collections.abc import Callable

_Call = Callable[[int, bytes, int, bytes, int], int]

_NAMES = {"linux": ("renameat2", 1, 2), "darwin": ("renameatx_np", 4, 2)}
"""By platform: the function, its flag for no-replace, its flag for swap (from the man pages)."""

_MISSING = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
"""What file systems and old kernels answer to a flag that they do not know."""

_NO_LINKS = {errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK}


class Renames:
    """Renames within one open folder; `call` is the system's, None = there is none."""

    def __init__(self, call: _Call | None) -> None:
        self._call = call
        _, self._no_replace, self._swap = _NAMES.get(sys.platform, ("", 0, 0))

    def swap(self, folder: int, one: str, two: str) -> bool:
        """Exchange two names at one instant; False when this place has no such call.

        Raises:
            OSError: one of the two is not there, or the system refuses.
        """
        return self._try(folder, one, two, self._swap)

    def move(self, folder: int, source: str, target: str) -> None:
        """Give a file another name that nothing has.

        Without the system's call a hard link does it; where there are no links either, the name
        is checked just before.

        Raises:
            FileExistsError: something has that name; nothing was changed.
            OSError: the source is not there, or the system refuses.
        """
        if self._try(folder, source, target, self._no_replace):
            return
        try:
            os.link(source, target, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            _check_free(folder, target)
            os.rename(source, target, src_dir_fd=folder, dst_dir_fd=folder)
        else:
            os.unlink(source, dir_fd=folder)

    def _try(self, folder: int, source: str, target: str, flag: int) -> bool:
        if self._call is None:
            return False
        if self._call(folder, os.fsencode(source), folder, os.fsencode(target), flag) == 0:
            return True
        number = ctypes.get_errno()
        if number in _MISSING:
            return False
        raise OSError(number, os.strerror(number))


def _check_free(folder: int, name: str) -> None:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def _find_call() -> _Call | None:
    name = _NAMES.get(sys.platform, ("", 0, 0))[0]
    if not name:
        return None
    function = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if function is None:
        return None
    function.argtypes = (ctypes.c_int, ctypes.c_char_p) * 2 + (ctypes.c_uint,)
    function.restype = ctypes.c_int
    found: _Call = function
    return found


SYSTEM = Renames(_find_call())
"""The calls of the system that this process runs on."""
