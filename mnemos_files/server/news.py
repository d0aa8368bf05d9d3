"""Noticing that a resource changed, while somebody wants to hear of it."""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from mnemos_files.errors import MnemosError

PAUSE_SECONDS = 1.0
"""Between two looks, and so between two notifications of one resource."""

COURTESY_SECONDS = 0.3
"""Before the first look, which may open the vault: lists are to be answered before."""

_STOP_SECONDS = 1.0
_RETRY_SECONDS = 10.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sight:
    """What subscribers care for, at one moment.

    `versions` differ when the resource does; what cannot be told yet, while files are still to be
    read, is left out. `notes` are the paths of all notes. `wait_seconds` is the longest time until
    the next look when no bell rings; None = for ever.
    """

    versions: Mapping[str, str]
    notes: frozenset[str]
    wait_seconds: float | None


class Eye(Protocol):
    """Looks at the vault. Blocks; called from one thread at a time or several."""

    def look(self, uris: Collection[str]) -> Sight:
        """The state of these resources now.

        Raises:
            MnemosError: the vault cannot be read at the moment.
        """

    def on_news(self, listener: Callable[[], None]) -> None:
        """Call this when the vault may have changed."""


Tell = Callable[[tuple[str, ...], bool], None]
"""Gets the URIs that changed, and whether notes came or went."""


class News:
    """A thread that compares what is wanted with what was seen, after each ring of the bell.

    The first change after a quiet time is told at once, those that follow within a second
    together. Thread-safe.
    """

    def __init__(self, eye: Eye, tell: Tell, pause_seconds: float = PAUSE_SECONDS) -> None:
        self._eye = eye
        self._tell = tell
        self._pause = pause_seconds
        self._guard = threading.Lock()
        self._bell = threading.Event()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._wanted: Counter[str] = Counter()
        self._lists = 0
        self._seen: dict[str, str | None] = {}
        self._notes: frozenset[str] | None = None
        eye.on_news(self.ring)

    def ring(self) -> None:
        """Something may have changed; returns at once."""
        if self._is_wanted():
            self._bell.set()

    def want(self, uris: Collection[str], sight: Sight | None) -> None:
        """Begin to tell of changes of these after this sight; without one, of the next look too."""
        known = {} if sight is None else sight.versions
        with self._guard:
            for uri in uris:
                self._wanted[uri] += 1
                self._seen.setdefault(uri, known.get(uri))
        self._begin()

    def want_lists(self, sight: Sight | None) -> None:
        """Begin to tell when notes come or go after this sight; without one, after the next."""
        with self._guard:
            self._lists += 1
            if self._notes is None and sight is not None:
                self._notes = sight.notes
        self._begin()

    def drop(self, uris: Collection[str]) -> None:
        """One subscriber less for these."""
        with self._guard:
            self._wanted.subtract(uris)
            self._wanted = +self._wanted
            self._seen = {uri: seen for uri, seen in self._seen.items() if uri in self._wanted}

    def drop_lists(self) -> None:
        """One less who hears of notes that come or go."""
        with self._guard:
            self._lists -= 1
            if not self._lists:
                self._notes = None

    def stop(self) -> None:
        """End the thread, at most after a second."""
        self._ended.set()
        self._bell.set()
        if self._thread is not None:
            self._thread.join(_STOP_SECONDS)

    def _begin(self) -> None:
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="news", daemon=True)
                self._thread.start()
        self._bell.set()

    def _run(self) -> None:
        self._ended.wait(COURTESY_SECONDS)
        wait_seconds: float | None = None
        while not self._ended.is_set():
            self._bell.wait(wait_seconds if self._is_wanted() else None)
            self._bell.clear()
            if self._is_wanted() and not self._ended.is_set():
                wait_seconds = self._guarded_look()
                self._ended.wait(self._pause)

    def _is_wanted(self) -> bool:
        return bool(self._wanted or self._lists)

    def _guarded_look(self) -> float | None:
        try:
            return self._compare()
        except MnemosError as error:
            _log.info("no news: %s", error)
        except Exception:  # noqa: BLE001 - subscribers would wait for ever on a dead thread
            _log.exception("no news")
        return _RETRY_SECONDS

    def _compare(self) -> float | None:
        with self._guard:
            uris = tuple(self._wanted)
        sight = self._eye.look(uris)
        with self._guard:
            changed = tuple(
                uri
                for uri, version in sight.versions.items()
                if uri in self._wanted and self._seen.get(uri) != version
            )
            self._seen |= {uri: sight.versions[uri] for uri in changed}
            is_list_changed = self._lists > 0 and self._notes not in (None, sight.notes)
            self._notes = sight.notes
        if changed or is_list_changed:
            self._tell(changed, is_list_changed)
        return sight.wait_seconds
