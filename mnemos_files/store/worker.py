"""The background thread of a store: reads what is left, writes the index when it is quiet."""

import logging
import threading
from collections.abc import Callable

from mnemos_files.errors import MnemosError
from mnemos_files.index.index import Index
from mnemos_files.store.refresh import Refresher

QUIET_SECONDS = 2.0
FLUSH_MAX = 2_000
STOP_SECONDS = 30.0
REST_SECONDS = 900.0
"""Longest rest [s]: what another process has left in the journal is looked for that often."""

_log = logging.getLogger(__name__)


class Worker:
    """Runs from `start` to `stop`; `wake` tells it that there may be work.

    `sweep` is run once at the start, `repair` whenever it is quiet; it tells whether it must be
    tried again soon. `idle` is run after a long rest and tells how long [s] the next may be.
    """

    def __init__(
        self,
        refresher: Refresher,
        index: Index,
        *,
        sweep: Callable[[], None],
        repair: Callable[[], bool],
        idle: Callable[[], float],
    ) -> None:
        self._refresher = refresher
        self._index = index
        self._sweep = sweep
        self._repair = repair
        self._idle = idle
        self._rest = REST_SECONDS
        self._is_behind = False
        self._news = threading.Event()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start once; the first thing it does is to look at the whole vault."""
        self._thread = threading.Thread(target=self._run, name="mnemos-worker", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Tell that something was written, or found to be read."""
        self._news.set()

    def stop(self) -> None:
        """End it at the next pause; what is not read yet is read at the next start."""
        self._end.set()
        self._news.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        self._guarded(self._look)
        while not self._end.is_set():
            if self._guarded(self._refresher.step):
                self._flush_from(FLUSH_MAX)
                continue
            has_work = self._index.pending or self._is_behind
            is_quiet = not self._news.wait(QUIET_SECONDS if has_work else self._rest)
            self._news.clear()
            self._flush_from(1 if is_quiet else FLUSH_MAX)
            if is_quiet and not self._end.is_set():
                self._is_behind = self._guarded(self._repair)
            if is_quiet and not (has_work or self._end.is_set()):
                self._guarded(self._ask_idle)

    def _ask_idle(self) -> bool:
        self._rest = REST_SECONDS
        self._rest = self._idle()
        return True

    def _look(self) -> bool:
        self._sweep()
        return self._refresher.refresh() > 0

    def _flush_from(self, count: int) -> None:
        if self._index.pending >= count and not self._end.is_set():
            self._guarded(self._flush)

    def _flush(self) -> bool:
        self._index.flush()
        return True

    def _guarded(self, step: Callable[[], bool]) -> bool:
        """Whatever goes wrong in the background is logged and tried again at the next news."""
        try:
            return step()
        except (MnemosError, OSError) as error:
            _log.warning("background work stopped: %s", error)
        except Exception:  # noqa: BLE001 - a dead thread would leave "catching_up" for ever
            _log.exception("background work stopped")
        return False
