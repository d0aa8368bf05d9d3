"""Calls side by side in threads."""

from collections.abc import Callable
from typing import TypeVar

import anyio
from anyio import CapacityLimiter, to_thread

AT_ONCE = 64
T = TypeVar("T")


class Turns:
    """Runs work side by side in threads; a reading one first waits for the writes before it.

    So a client that sends a save and a search in one breath finds what it saved.
    """

    def __init__(self) -> None:
        self._threads = CapacityLimiter(AT_ONCE)
        self._writes: set[anyio.Event] = set()

    async def read(self, work: Callable[[], T], *, may_abandon: bool = False) -> T:
        """What the work gives, done after every write that came before.

        Cancelled, it is waited for, or else left to itself: then it must change nothing.
        """
        for write in tuple(self._writes):
            await write.wait()
        return await to_thread.run_sync(work, limiter=self._threads, abandon_on_cancel=may_abandon)

    async def write(self, work: Callable[[], T]) -> T:
        """What the work gives; reads that come later wait for it."""
        done = anyio.Event()
        self._writes.add(done)
        try:
            return await to_thread.run_sync(work, limiter=self._threads)
        finally:
            self._writes.discard(done)
            done.set()
