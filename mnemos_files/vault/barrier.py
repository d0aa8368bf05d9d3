"""Waiting until the system has told everything that happened before now."""

import os
import secrets
import threading
from contextlib import suppress
from pathlib import Path

_PREFIX = "cookie-"


class Barrier:
    """Cookie files: when the news of one arrives, all earlier news through that channel has too.

    A cookie lives for some microseconds; one that a crash left means nothing to anybody.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._token = f"{_PREFIX}{secrets.token_hex(6)}-"
        self._moved = threading.Condition()
        self._sent = 0
        self._arrived = 0
        self.failure = ""

    def prepare(self) -> None:
        """Make the folder and remove what crashes left in it.

        Raises:
            OSError: the folder cannot be made.
        """
        self._folder.mkdir(exist_ok=True)
        for old in self._folder.glob(f"{_PREFIX}*"):
            old.unlink(missing_ok=True)

    def arrive(self, name: str) -> None:
        """A file of this name has appeared in the folder."""
        if name.startswith(self._token):
            with self._moved:
                self._arrived = max(self._arrived, int(name[len(self._token) :]))
                self._moved.notify_all()

    def fail(self, reason: str) -> None:
        """No more news can be trusted; whoever waits is told."""
        with self._moved:
            self.failure = self.failure or reason
            self._moved.notify_all()

    def cross(self, seconds: float) -> bool:
        """Send a cookie and wait for it, at most so long; False = late, or `failure` says why."""
        self._sent += 1
        number = self._sent
        path = self._folder / f"{self._token}{number}"
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        except OSError as error:
            self.fail(f"no cookie file can be made ({error.strerror})")
            return False
        with suppress(OSError):
            path.unlink()
        with self._moved:
            self._moved.wait_for(lambda: self._arrived >= number or self.failure, seconds)
            return self._arrived >= number and not self.failure
