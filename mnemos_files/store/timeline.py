"""What the vault said at an instant: git's tree of that time, ranked by the same code."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath

from mnemos_files.errors import UnavailableError
from mnemos_files.format.record import parse
from mnemos_files.history.repo import History
from mnemos_files.index.index import Index, Indexed, View
from mnemos_files.model.note import Stamp

KEPT_MAX = 4
"""Instants whose view stays as it is, for follow-up questions, as long as nothing changes."""

_NO_STAMP = Stamp(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Then:
    """The vault at an instant: the commit that it had ("" = none), its files, and what they say.

    `blobs` has git's names for the bytes of the notes by path.
    """

    commit: str
    blobs: dict[str, str]
    view: View


@dataclass(slots=True)
class Timeline:
    """Views of the past. Thread-safe."""

    index: Index
    _kept: OrderedDict[tuple[str, datetime], tuple[object, Then]] = field(
        default_factory=OrderedDict
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def at(self, history: History | None, instant: datetime) -> Then:
        """The vault as of that instant.

        Raises:
            UnavailableError: the vault has no history that could tell.
        """
        if history is None:
            raise UnavailableError(
                "this vault has no git history, so there is no past to ask",
                remedy="Ask without a time.",
            )
        commit = history.at(instant)
        with self._lock:
            state, then = self._kept.pop((commit, instant), (None, None))
            if then is None or state is not self.index.state:
                # A change between the two lines makes the next question look again, no more.
                state, then = self.index.state, self._then(history, commit, instant)
            self._kept[commit, instant] = (state, then)
            while len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        return then

    def _then(self, history: History, commit: str, instant: datetime) -> Then:
        known = (then.blobs for _, then in self._kept.values() if then.commit == commit)
        blobs = next(known, None)
        if blobs is None:
            blobs = history.tree(commit) if commit else {}
        view = self.index.past(commit, blobs, partial(_read, history), instant)
        return Then(commit, blobs, view)


def _read(history: History, path: str, blob: str) -> Indexed:
    return Indexed(parse(PurePosixPath(path), history.read_blob(blob)), _NO_STAMP, blob)
