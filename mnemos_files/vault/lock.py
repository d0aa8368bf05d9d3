"""One writer at a time, between threads and processes."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from mnemos_files.errors import UnavailableError
from mnemos_files.vault.failures import file_failure

_POLL_SECONDS = 0.005
"""Between two tries while another process writes; a write takes a few milliseconds."""


class VaultLock:
    """The right to write to a vault, held by one thread of one process.

    The lock is the system's on a file in `folder`: it ends with the process, whatever ends that;
    the file stays and means nothing. `folder` is made when it is missing, its parent is not, so
    that a vault that is gone is not made anew. Not re-entrant.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._turn = threading.Lock()
        self._lock = FileLock(folder / "writer.lock", thread_local=False)

    @contextmanager
    def hold(self, seconds: float = 10.0) -> Iterator[None]:
        """Wait for the right to write, at most so long.

        Raises:
            UnavailableError: another writer had it all the time, or the lock file cannot be made.
        """
        deadline = time.monotonic() + seconds
        if not self._turn.acquire(timeout=max(seconds, 0)):
            raise _busy(seconds)
        try:
            self._acquire(deadline, seconds)
            try:
                yield
            finally:
                self._lock.release()
        finally:
            self._turn.release()

    def _acquire(self, deadline: float, seconds: float) -> None:
        left = max(deadline - time.monotonic(), 0)
        try:
            self._folder.mkdir(exist_ok=True)
            self._lock.acquire(timeout=left, poll_interval=_POLL_SECONDS)
        except Timeout as error:
            raise _busy(seconds) from error
        except FileExistsError as error:
            problem = f"{self._folder.name} is a file, but a vault keeps a folder of that name"
            raise UnavailableError(problem, remedy="Give that file another name.") from error
        except OSError as error:
            raise file_failure(error, "the writer's lock") from error


def _busy(seconds: float) -> UnavailableError:
    return UnavailableError(
        f"another program has been writing to this vault for {seconds:g} s",
        remedy="Try again; if it lasts, look for a program that hangs and end it.",
    )
