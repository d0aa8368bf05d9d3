"""What the vault said at an instant: git's tree of that time, ranked by the same code."""

import threading
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.errors import UnavailableError
from mnemos_files.format.record import parse
from mnemos_files.history.repo import History
from mnemos_files.index.index import Index, Indexed, View
from mnemos_files.model.digest import blob_id
from mnemos_files.model.note import Stamp

KEPT_MAX = 4
"""Past instants whose differing texts stay analysed, for follow-up questions about one day."""

_NO_STAMP = Stamp(0, 0, 0)


@dataclass(slots=True)
class Timeline:
    """Views of the past. Thread-safe."""

    index: Index
    _kept: dict[str, list[Indexed]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def view(self, history: History | None, instant: datetime) -> tuple[View, dict[str, str]]:
        """The index as of that instant, and the blobs of that day's files by path.

        Raises:
            UnavailableError: the vault has no history that could tell.
        """
        if history is None:
            raise UnavailableError(
                "this vault has no git history, so there is no past to ask",
                remedy="Ask without as_of.",
            )
        commit = history.at(instant)
        tree = history.tree(commit) if commit else {}
        with self._lock:
            extra = self._extra(history, commit, tree)
        return self.index.view(tree, extra, instant), tree

    def _extra(self, history: History, commit: str, tree: dict[str, str]) -> list[Indexed]:
        """Notes of that day that are not in today's index with the same text."""
        entries = self.index.entries
        wanted = {p: b for p, b in tree.items() if p not in entries or entries[p].blob != b}
        kept = {str(one.note.path): one for one in self._kept.get(commit, ())}
        extra = [
            kept[path] if path in kept else _read(history, path, blob)
            for path, blob in wanted.items()
        ]
        self._kept.pop(commit, None)
        self._kept[commit] = extra
        while len(self._kept) > KEPT_MAX:
            del self._kept[next(iter(self._kept))]
        return extra


def _read(history: History, path: str, blob: str) -> Indexed:
    data = history.read_blob(blob)
    return Indexed(parse(PurePosixPath(path), data), _NO_STAMP, blob_id(data))
