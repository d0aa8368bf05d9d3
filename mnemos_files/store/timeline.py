"""What the vault said at an instant: git's tree of that time, ranked by the same code."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath

from mnemos_files.errors import AmbiguousNameError, NotFoundError, UnavailableError
from mnemos_files.format.record import parse
from mnemos_files.history.repo import History
from mnemos_files.index.index import Index, Indexed, View
from mnemos_files.model.note import Entry, Stamp
from mnemos_files.model.record import Link
from mnemos_files.store.values import Opened

KEPT_MAX = 4
"""Instants whose view stays as it is, for follow-up questions, as long as nothing changes."""

_NO_STAMP = Stamp(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Then:
    """The vault at an instant: the commit that it had ("" = none), its files, and what they say.

    `blobs` has git's names for the bytes of the notes by path.
    """

    instant: datetime
    commit: str
    blobs: dict[str, str]
    view: View
    history: History

    def open(self, name: str, record_id: str = "") -> Opened:
        """The note with this id, path or name at that time, else the one with that other id.

        Raises:
            NotFoundError, AmbiguousNameError: there was not exactly one.
        """
        paths = self.view.by_id(name) or self.view.resolve(name)
        if not paths and record_id:
            paths = self.view.by_id(record_id)
        if len(paths) > 1:
            raise AmbiguousNameError(name, paths)
        if not paths:
            raise NotFoundError(
                name,
                remedy=f"It was not committed by {self.instant:%Y-%m-%dT%H:%M:%SZ}. mnemos_history "
                "tells since when it is there.",
            )
        path, blob = PurePosixPath(paths[0]), self.blobs[paths[0]]
        note = parse(path, self.history.read_blob(blob))
        return Opened(note, blob, self.view.entry(paths[0]))

    def resolve(self, link: Link) -> tuple[str, ...]:
        """Paths that a link may have meant: one, none (dangling) or several (ambiguous)."""
        return self.view.resolve(link)

    def entry(self, path: str) -> Entry | None:
        """What is kept of the note that was at this path, or None."""
        return self.view.entry(path)

    def entries(self) -> Iterator[Entry]:
        """Every note of that time."""
        return self.view.entries()


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
        return Then(instant, commit, blobs, view, history)


def _read(history: History, path: str, blob: str) -> Indexed:
    return Indexed(parse(PurePosixPath(path), history.read_blob(blob)), _NO_STAMP, blob)
