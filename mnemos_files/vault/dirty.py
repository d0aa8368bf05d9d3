"""What has moved since somebody last asked."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

DIRTY_MAX = 10_000
"""Paths that are remembered one by one; more are as good as everything."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What may differ from the last look, as paths relative to the vault.

    Look at each of `paths`; it may be there or gone. Everything known below each of `folders` may
    be there or gone as well: list it again. `all` true = compare everything, the rest is empty.
    """

    paths: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    all: bool = False


class Dirty:
    """Collects what moved, in bounded memory. Thread-safe; `news` is called for each piece."""

    def __init__(self, most: int = DIRTY_MAX, news: Callable[[], None] = lambda: None) -> None:
        self.news = news
        self._most = most
        self._guard = threading.Lock()
        self._paths: set[str] = set()
        self._folders: set[str] = set()
        self._is_everything = False

    def add_path(self, path: str) -> None:
        """A file was made, changed or removed."""
        with self._guard:
            self._paths.add(path)
            self._bound()
        self.news()

    def add_folder(self, folder: str) -> None:
        """Files below this folder may have come or gone."""
        with self._guard:
            self._folders.add(folder)
            self._bound()
        self.news()

    def take(self) -> Taken:
        """Hand out what was collected and start anew."""
        with self._guard:
            if self._is_everything:
                taken = Taken(all=True)
            else:
                taken = Taken(frozenset(self._paths), frozenset(self._folders))
            self._paths, self._folders, self._is_everything = set(), set(), False
        return taken

    def _bound(self) -> None:
        if len(self._paths) + len(self._folders) > self._most or self._is_everything:
            self._paths, self._folders, self._is_everything = set(), set(), True
