"""git's lock files: taken as git takes them, waited for, and known again after a crash.

Every lock of ours is a hard link to one token file. After a kill the token still has more than one
name, and a lock file that is the token is ours; any other belongs to another program and is never
touched. Where the file system has no hard links, locks are plain files that a kill leaves behind.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from filelock import FileLock, Timeout

from mnemos_files.errors import UnavailableError
from mnemos_files.history.layout import Layout

PATIENCE_SECONDS = 2.0
"""Longest wait [s] for other programs' locks in one call; git holds one for milliseconds."""

_FIRST_PAUSE_SECONDS = 0.004
_LONGEST_PAUSE_SECONDS = 0.1
_MUTEX_SECONDS = 30.0


class Patience:
    """Time left to wait in one call, spent over all its locks."""

    def __init__(self, seconds: float = PATIENCE_SECONDS) -> None:
        self._end = time.monotonic() + seconds
        self._pause = _FIRST_PAUSE_SECONDS

    def wait(self, lock: Path) -> bool:
        """Pause, longer each time; False when time is up or the lock has been there for long."""
        if time.monotonic() >= self._end or (age_seconds(lock) or 0.0) > PATIENCE_SECONDS:
            return False
        time.sleep(self._pause)
        self._pause = min(self._pause * 2, _LONGEST_PAUSE_SECONDS)
        return True


def age_seconds(lock: Path) -> float | None:
    """Age of a lock file [s], None when there is none."""
    try:
        return max(0.0, time.time() - lock.lstat().st_mtime)
    except OSError:
        return None


@lru_cache(maxsize=64)
def lock_of(path: Path) -> Path:
    """The lock file that git uses for a file."""
    return path.with_name(path.name + ".lock")


class Locks:
    """Lock files of one repository, for one writer at a time."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._token = layout.own_dir / "lock-token"
        self._mutex = FileLock(layout.own_dir / "git-writer.lock", timeout=_MUTEX_SECONDS)
        self._known: set[Path] = set()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Be the only one of our own writers, between threads and processes; clears our dead ones.

        Raises:
            UnavailableError: another writer is busy for long, or the git folder is read-only.
        """
        try:
            self._layout.own_dir.mkdir(exist_ok=True)
            self._mutex.acquire()
        except Timeout as error:
            message = "another writer of this vault is busy in the git folder"
            raise UnavailableError(message, remedy="Try again.") from error
        except OSError as error:
            message = f"the git folder cannot be written to: {error}"
            raise UnavailableError(message, remedy="Check its owner and mode.") from error
        try:
            self._clear_own()
            yield
        finally:
            self._mutex.release()

    @contextmanager
    def hold(self, patience: Patience, *paths: Path) -> Iterator[None]:
        """Hold the locks of files of git, all or none.

        None is kept while waiting for another: git takes HEAD and its branch in either order.

        Raises:
            UnavailableError: another program holds one for too long.
        """
        locks = [lock_of(path) for path in paths]
        while (held := self._first_held(locks)) is not None:
            if not patience.wait(held):
                raise _held(held)
        try:
            yield
        finally:
            _release(locks)

    def _first_held(self, locks: Sequence[Path]) -> Path | None:
        """Take all locks and give None, or take none and give one that another program holds."""
        taken: list[Path] = []
        try:
            for lock in locks:
                if not self._take(lock):
                    return lock
                taken.append(lock)
        finally:
            if len(taken) < len(locks):
                _release(taken)
        return None

    def _take(self, lock: Path) -> bool:
        if lock not in self._known:
            self._remember(lock)
        try:
            os.link(self._token, lock)
        except FileExistsError:
            return False
        except FileNotFoundError:
            # The folder of a branch whose name has a slash, or a token that someone deleted.
            self._known.clear()
            lock.parent.mkdir(parents=True, exist_ok=True)
            return self._take_plain(lock)
        except OSError:
            return self._take_plain(lock)
        return True

    def _take_plain(self, lock: Path) -> bool:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except FileExistsError:
            return False
        return True

    def _remember(self, lock: Path) -> None:
        """Write the name of the lock into the token, so that a later writer knows where to look."""
        line = str(lock)
        try:
            known = self._token.read_text("utf-8").splitlines()
        except FileNotFoundError:
            known = []
        if line not in known:
            self._token.write_text("".join(f"{each}\n" for each in (*known, line)), "utf-8")
        self._known.add(lock)

    def _clear_own(self) -> None:
        try:
            token = self._token.stat()
        except FileNotFoundError:
            return
        if token.st_nlink == 1:
            return
        for line in self._token.read_text("utf-8").splitlines():
            lock = Path(line)
            try:
                if os.path.samestat(lock.lstat(), token):
                    lock.unlink()
            except FileNotFoundError:
                continue


def _release(locks: Sequence[Path]) -> None:
    for lock in reversed(locks):
        lock.unlink(missing_ok=True)


def _held(lock: Path) -> UnavailableError:
    return UnavailableError(
        f"another program holds {lock} ({describe_age(lock)})", remedy=how_to_clear(lock)
    )


def describe_age(lock: Path) -> str:
    """Age of a lock file in words."""
    age = age_seconds(lock)
    if age is None:
        return "just released"
    if age < 120:  # noqa: PLR2004 - two minutes
        return f"{age:.0f} s old"
    return f"{age / 60:.0f} min old" if age < 7200 else f"{age / 3600:.0f} h old"  # noqa: PLR2004 - two hours


def how_to_clear(lock: Path) -> str:
    """What a person can do about a lock file."""
    return f"When no git program is running, delete it: rm '{lock}'"
