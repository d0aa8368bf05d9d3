"""Progress on standard error, for what takes its time."""

import sys
import time
from types import TracebackType
from typing import Any, Self

from mnemos_files.cli.lazy import load

_PATIENCE_SECONDS = 1.0


class Progress:
    """Called with (done, total); draws a bar when a terminal has waited for a second.

    Drawing needs rich, which is not loaded for what is quick.
    """

    def __init__(self, title: str, patience_seconds: float = _PATIENCE_SECONDS) -> None:
        self._title = title
        self._patience = patience_seconds
        self._begin = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        if self._bar is None:
            if time.monotonic() - self._begin < self._patience or not sys.stderr.isatty():
                return
            console = load("rich.console:Console")(stderr=True)
            self._bar = load("rich.progress:Progress")(console=console, transient=True)
            self._task = self._bar.add_task(self._title, total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done, total=total)

    def stop(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
