"""What a call wants written, and the files as it sees them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from mnemos_files.errors import NotFoundError
from mnemos_files.model.record import Record


@dataclass(frozen=True, slots=True)
class Message:
    """What the commit of one call says."""

    subject: str
    body: str = ""
    trailers: tuple[tuple[str, str], ...] = ()
    agent: str | None = None


class Draft:
    """The files as a call of a group sees them: the disk, under what earlier calls will write.

    `saved` holds the records that earlier calls of the group will add, by content digest.
    """

    def __init__(self, read: Callable[[PurePosixPath], bytes | None]) -> None:
        self._read = read
        self.saved: dict[str, Record] = {}
        self.seen: dict[PurePosixPath, bytes | None] = {}
        self.written: dict[PurePosixPath, bytes | None] = {}

    def read(self, path: PurePosixPath) -> bytes:
        """Bytes of a file as they will be.

        Raises:
            NotFoundError: there is no such file.
        """
        data = self.look(path)
        if data is None:
            raise NotFoundError(str(path))
        return data

    def look(self, path: PurePosixPath) -> bytes | None:
        """Bytes of a file as they will be, None when there is none."""
        if path in self.written:
            return self.written[path]
        if path not in self.seen:
            self.seen[path] = self._read(path)
        return self.seen[path]


@dataclass(frozen=True, slots=True)
class Planned:
    """What one call changes: new bytes by path (None = delete), and how its commit reads.

    `with_journal`: the commit also takes this machine's journals as they lie on disk by then.
    """

    files: Mapping[PurePosixPath, bytes | None]
    message: Message
    with_journal: bool = False


Plan = Callable[[Draft], Planned | None]
"""Decides on top of the draft what to change; None when nothing changes."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a call: its commit ("" = none), and facts that the caller should know."""

    commit: str = ""
    notices: tuple[str, ...] = ()
