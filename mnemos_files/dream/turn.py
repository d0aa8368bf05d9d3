"""One dream at a time: two at once would write the same things twice."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from mnemos_files.config import CONFIG_PATH
from mnemos_files.errors import UnavailableError

WAIT_SECONDS = 30.0
FILE_NAME = "dream.lock"


@contextmanager
def turn(vault: Path, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Wait for the dream that another process or thread dreams in this vault, at most so long.

    The lock is the system's on a file beside the vault's settings; it ends with its process. A
    vault without that folder, or where nothing can be written, is not locked.

    Raises:
        UnavailableError: the other one dreams on.
    """
    folder = (vault / CONFIG_PATH).parent
    with ExitStack() as held:
        if folder.is_dir():
            try:
                held.enter_context(FileLock(folder / FILE_NAME, timeout=seconds))
            except Timeout as error:
                problem = f"another dream has been going on in this vault for {seconds:g} s"
                raise UnavailableError(problem, remedy="Try again when it has ended.") from error
            except OSError:  # read-only: what a pass cannot write it tells itself
                pass
        yield
