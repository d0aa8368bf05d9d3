"""One inotify descriptor on all folders of a vault, driven through watchdog.

watchdog's own observer starts a thread for each watch, gives no order between them, and a recursive
watch enters ignored folders. Its `InotifyFD` with one callback has one thread and one queue, which
is what makes a barrier sound: the kernel queues events in the order in which they happen.
"""

import errno
import itertools
import os
import threading
from pathlib import Path

from watchdog.observers.inotify_c import (
    CallbackId,
    InotifyConstants,
    InotifyEvent,
    InotifyFD,
    Mask,
    WatchDescriptor,
)

from mnemos_files.errors import MnemosError
from mnemos_files.vault.barrier import Barrier
from mnemos_files.vault.dirty import Dirty
from mnemos_files.vault.files import Vault

_ALWAYS = (
    InotifyConstants.IN_CREATE
    | InotifyConstants.IN_DELETE_SELF
    | InotifyConstants.IN_MOVE_SELF
    | InotifyConstants.IN_ONLYDIR
    | InotifyConstants.IN_DONT_FOLLOW
)
_COOKIE_MASK = Mask(_ALWAYS)
# No event for opening and reading: nothing of that is news.
_FOLDER_MASK = Mask(
    _ALWAYS
    | InotifyConstants.IN_MODIFY
    | InotifyConstants.IN_CLOSE_WRITE  # the only news of a write through a memory map
    | InotifyConstants.IN_ATTRIB  # a file that becomes readable
    | InotifyConstants.IN_MOVED_FROM
    | InotifyConstants.IN_MOVED_TO
    | InotifyConstants.IN_DELETE
    | InotifyConstants.IN_EXCL_UNLINK
)
_VANISHED = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}
_NOT_WATCHED = WatchDescriptor(-1)  # what watchdog answers when access is denied
_JOIN_SECONDS = 1.0
_GIT = ".git"


class Tree:
    """The watches of a vault; what moves goes to `dirty`, cookies and failures to `barrier`.

    A folder is watched before its content is listed, and marked after both, so that nothing falls
    between the listing and the first event.

    Raises:
        OSError: the system gives no descriptor or not enough watches.
        UnavailableError: the vault is gone.
    """

    def __init__(self, vault: Vault, dirty: Dirty, barrier: Barrier, cookies: Path) -> None:
        self._vault = vault
        self._dirty = dirty
        self._barrier = barrier
        self._guard = threading.RLock()
        self._ids = itertools.count(1)
        self._folder_of: dict[WatchDescriptor, tuple[str, CallbackId]] = {}
        self._watch_of: dict[str, WatchDescriptor] = {}
        self._fences: set[str] = set()
        self._cookies = _NOT_WATCHED
        self._is_closing = False
        self._descriptor = InotifyFD()
        self._descriptor.start()
        try:
            with self._guard:
                self._cookies = self._watch_cookies(cookies)
                self._watch_from("")
                self._check_root()
        except BaseException:
            self.close()
            raise

    @property
    def watches(self) -> int:
        """Number of folders that are watched, the cookies' not counted."""
        return len(self._folder_of)

    @property
    def is_running(self) -> bool:
        """True while events are read."""
        return self._descriptor.is_alive()

    def close(self) -> None:
        """Give all watches back and end the thread."""
        self._is_closing = True
        self._descriptor.stop()
        self._descriptor.join(_JOIN_SECONDS)

    def on_event(self, event: InotifyEvent) -> None:
        """News from the system, in the order of the events."""
        with self._guard:
            if event.wd == self._cookies:
                self._on_cookie(event)
                return
            folder = self._folder_of.get(event.wd, (None,))[0]
            if folder is None or self._is_closing:
                return
            try:
                self._on_child(folder, event) if event.name else self._on_self(folder, event)
            except (OSError, MnemosError) as error:
                self._fail(reason_of(error))

    def on_watch_deleted(self, wd: WatchDescriptor) -> None:
        """A watched folder is gone."""
        with self._guard:
            folder, _ = self._folder_of.pop(wd, (None, None))
            if wd == self._cookies or folder == "":
                self._fail("the watched folder is gone")
            elif folder is not None:
                self._fences.discard(folder)
                if self._watch_of.get(folder) == wd:
                    del self._watch_of[folder]

    def on_queue_overflow(self) -> None:
        """The system has dropped events, news of new folders maybe among them."""
        self._fail("more changes at once than the system's queue holds")

    def _fail(self, reason: str) -> None:
        self._barrier.fail(reason)
        self._dirty.news()

    def _on_cookie(self, event: InotifyEvent) -> None:
        if event.name:
            self._barrier.arrive(os.fsdecode(event.name))
        else:
            self._fail("the folder of the cookie files is gone")

    def _on_child(self, folder: str, event: InotifyEvent) -> None:
        name = os.fsdecode(event.name)
        path = f"{folder}/{name}" if folder else name
        if name == _GIT:
            if folder:  # a folder has become a repository of its own, or is none any more
                self._renew(folder)
        elif folder in self._fences:
            return
        elif not event.is_directory:
            if self._vault.is_candidate(name):
                self._dirty.add_path(path)
        elif self._vault.enters(name) and not (event.is_attrib and self._is_open(path)):
            self._renew(path)

    def _on_self(self, folder: str, event: InotifyEvent) -> None:
        is_gone = event.is_delete_self or event.is_move_self
        if is_gone or event.mask & InotifyConstants.IN_UNMOUNT:
            if folder:
                self._dirty.add_folder(folder)
            else:
                self._fail("the vault's folder was moved or removed")

    def _renew(self, folder: str) -> None:
        self._drop(folder)
        self._watch_from(folder)
        self._dirty.add_folder(folder)

    def _drop(self, folder: str) -> None:
        if folder not in self._watch_of:
            return  # then nothing below it is watched either
        below = f"{folder}/"
        for path in [p for p in self._watch_of if p == folder or p.startswith(below)]:
            wd = self._watch_of.pop(path)
            _, number = self._folder_of.pop(wd)
            self._fences.discard(path)
            self._descriptor.remove_callbacks([(wd, number)])

    def _watch_from(self, top: str) -> None:
        waiting = [top]
        while waiting and not self._is_closing:
            folder = waiting.pop()
            if not self._watch(folder):
                continue
            names = self._vault.subfolders(folder)
            if names is None:
                self._fences.add(folder)
            else:
                waiting += [f"{folder}/{name}" if folder else name for name in names]

    def _is_open(self, folder: str) -> bool:
        return folder in self._watch_of and folder not in self._fences

    def _check_root(self) -> None:
        if not self._is_open(""):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))

    def _watch_cookies(self, folder: Path) -> WatchDescriptor:
        wd, _ = self._register(folder, _COOKIE_MASK)
        if wd == _NOT_WATCHED:
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        return wd

    def _watch(self, folder: str) -> bool:
        try:
            wd, number = self._register(self._vault.root / folder, _FOLDER_MASK)
        except OSError as error:
            if error.errno in _VANISHED:
                return False
            raise
        if wd == _NOT_WATCHED:
            self._descriptor.remove_callbacks([(wd, number)])
            return False
        known, old = self._folder_of.get(wd, (None, None))
        if known is not None and old is not None:
            self._descriptor.remove_callbacks([(wd, old)])
            self._watch_of.pop(known, None)
        self._folder_of[wd] = (folder, number)
        self._watch_of[folder] = wd
        return True

    def _register(self, folder: Path, mask: Mask) -> tuple[WatchDescriptor, CallbackId]:
        # A fresh number each time: watchdog warns when one is used twice on a folder.
        number = CallbackId(next(self._ids))
        return self._descriptor.add_callback(os.fsencode(folder), mask, self, number), number


def reason_of(error: OSError | MnemosError) -> str:
    """Why there is no news, with the setting to change where there is one."""
    if isinstance(error, MnemosError):
        return error.message
    if error.errno == errno.ENOSPC:
        return "the system's limit of watches is reached (fs.inotify.max_user_watches)"
    if error.errno == errno.EMFILE:
        return "the system's limit of watchers is reached (fs.inotify.max_user_instances)"
    return f"the system gives no change events ({error.strerror or error})"
