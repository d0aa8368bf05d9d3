"""A store that is opened in the background."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    """What the server itself needs of a store."""

    def close(self) -> None:
        """Flush what is pending and let go."""


S = TypeVar("S", bound=Closable)


class Opening(Generic[S]):
    """Opens once, in a daemon thread, at `start` or when first asked for; safe between threads."""

    def __init__(self, open_store: Callable[[], S]) -> None:
        self._open_store = open_store
        self._lock = threading.Lock()
        self._future: Future[S] | None = None

    def start(self) -> "Future[S]":
        """Begin to open, unless that is done or under way; a failed opening is tried again."""
        with self._lock:
            if self._future is None or (self._future.done() and self._future.exception()):
                self._future = Future()
                arguments = (self._future,)
                threading.Thread(
                    target=self._run, args=arguments, name="opening", daemon=True
                ).start()
            return self._future

    def store(self) -> S:
        """The store, when it is open.

        Raises:
            MnemosError: the vault cannot be opened.
        """
        return self.start().result()

    def close(self) -> bool:
        """Close the store if it is open; False when it is still opening and was left to itself."""
        with self._lock:
            future = self._future
        if future is None:
            return True
        if not future.done():
            return False
        if future.exception() is None:
            future.result().close()
        return True

    def _run(self, future: "Future[S]") -> None:
        try:
            future.set_result(self._open_store())
        except Exception as error:  # noqa: BLE001 - handed to every caller of store()
            future.set_exception(error)
