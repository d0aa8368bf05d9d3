"""News of changes in a vault, complete up to the moment of asking."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mnemos_files.errors import MnemosError
from mnemos_files.vault.barrier import Barrier
from mnemos_files.vault.dirty import Dirty, Taken
from mnemos_files.vault.files import Vault
from mnemos_files.vault.mounts import silent_mount

if TYPE_CHECKING:
    from mnemos_files.vault.inotify import Tree

__all__ = ["Taken", "Watcher"]

_MOUNTS = Path("/proc/self/mountinfo")


class Watcher:
    """Tells which files of a vault have moved since the last question. Thread-safe.

    Works on Linux; elsewhere `start` is false and the caller compares listings. Cookie files go to
    `cookie_folder`, outside of what git sees; it is made when missing, its parent is not. One
    thread reads the system's events.
    """

    def __init__(self, vault: Vault, cookie_folder: Path) -> None:
        self._vault = vault
        self._cookies = cookie_folder
        self._guard = threading.Lock()
        self._tree: Tree | None = None
        self._news: Callable[[], None] = _nothing
        self._dirty = Dirty()
        self._barrier = Barrier(cookie_folder)
        self._waits_for_vault = False
        self._was_late = False
        self.problem = ""

    @property
    def watches(self) -> int:
        """Number of folders that are watched [0 = not running]."""
        return 0 if self._tree is None else self._tree.watches

    def start(self) -> bool:
        """Begin to watch; false when the system cannot, then `problem` says why. Never raises."""
        with self._guard:
            if self._tree is None:
                self._open()
            return self._tree is not None

    def stop(self) -> None:
        """Stop watching and end the thread, within a second."""
        with self._guard:
            self._close()
            self._waits_for_vault = False

    def on_news(self, listener: Callable[[], None] | None) -> None:
        """Call this for each event that may be news, from the thread of the events; None = stop.

        It must return at once and raise nothing; `take` then tells what has moved.
        """
        self._news = listener or _nothing

    def take(self, deadline_seconds: float) -> Taken | None:
        """What has moved since the last call, every change before this call included.

        0 seconds: what has arrived so far, without a promise. None: the news is not complete
        (events were dropped, too late, or not running); the caller compares the listing, *after*
        this call, and the next call goes on from there.
        """
        with self._guard:
            if self._tree is None and not self._waits_for_vault:
                return None
            if not self._is_sound():
                self._close()
                self._open()
                return None
            if deadline_seconds > 0 and not self._barrier.cross(deadline_seconds):
                self._was_late = True
                return None
            return self._dirty.take()

    def _tell(self) -> None:
        self._news()  # the listener of now, whatever tree the news is from

    def _is_sound(self) -> bool:
        is_running = self._tree is not None and self._tree.is_running
        has_news = is_running and not self._was_late and not self._barrier.failure
        return has_news and self._vault.alive()

    def _open(self) -> None:
        self.problem = self._obstacle()
        if not self.problem:
            self.problem = self._grow()
        # An empty folder in place of the vault, a disk that is not mounted, lacks git's folder too.
        is_whole = self._vault.alive() and self._cookies.parent.is_dir()
        self._waits_for_vault = bool(self.problem) and not is_whole
        self._was_late = False

    def _obstacle(self) -> str:
        if not sys.platform.startswith("linux"):
            return "changes are watched on Linux only"
        if not self._vault.alive():
            return "the vault's folder is gone"
        try:
            mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ""
        kind = silent_mount(PurePosixPath(self._vault.root), mounts)
        return f"a file system of type {kind} does not tell of all changes" if kind else ""

    def _grow(self) -> str:
        try:
            # 50 ms of import that a process which never watches need not pay.
            from mnemos_files.vault import inotify  # noqa: PLC0415 - see above
        except ImportError:
            return "watchdog is older than 7.1, which cannot tell of dropped events"
        self._dirty = Dirty(news=self._tell)
        self._barrier = Barrier(self._cookies)
        try:
            self._barrier.prepare()
            self._tree = inotify.Tree(self._vault, self._dirty, self._barrier, self._cookies)
        except (OSError, MnemosError) as error:
            return inotify.reason_of(error)
        return ""

    def _close(self) -> None:
        tree, self._tree = self._tree, None
        if tree is not None:
            tree.close()


def _nothing() -> None:
    """What happens when news comes and nobody listens."""
