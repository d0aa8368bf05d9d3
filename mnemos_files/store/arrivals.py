"""Which notes came into a vault and which went away, from moment to moment of its git history."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError
from mnemos_files.format.record import parse
from mnemos_files.history.repo import History
from mnemos_files.model.kind import KINDS
from mnemos_files.model.note import Entry, Note
from mnemos_files.model.record import Record
from mnemos_files.store.store import Store

READ_MAX = 4_000
"""Texts of files that are gone [1] that are read once more; the others are known by their path."""

_BY_FOLDER = {kind.folder: kind.name for kind in KINDS.values()}
_DAY = timedelta(days=1)
_INSTANT = timedelta(microseconds=1)
_DOUBLINGS = 14


@dataclass(frozen=True, slots=True)
class Step:
    """Notes whose files were committed and deleted between two moments, by path.

    A note that was only moved is in neither. One that is still there is given as it is today.
    """

    came: tuple[Entry | Note, ...]
    went: tuple[Entry | Note, ...]


def beginning(store: Store) -> datetime:
    """A moment at most a day before the vault's first note was committed, now without a history.

    Raises:
        UnavailableError: the git history is damaged.
    """
    history, now = store.history, store.now()
    if history is None:
        return now

    def is_empty(days: int) -> bool:
        commit = history.at(now - days * _DAY)
        return not (commit and history.tree(commit))

    late, early = 0, next((1 << n for n in range(_DOUBLINGS) if is_empty(1 << n)), 1 << _DOUBLINGS)
    while early - late > 1:
        middle = (early + late) // 2
        late, early = (late, middle) if is_empty(middle) else (middle, early)
    return now - early * _DAY


def steps(store: Store, moments: Sequence[datetime]) -> Iterator[Step]:
    """What came and went from each moment to the next one; the last one stands for today.

    Nothing without a history.

    Raises:
        UnavailableError: the git history is damaged.
    """
    if store.history is None or not moments:
        return
    walk = _Walk(store, store.history)
    walk.begin(moments[0])
    for moment in moments[1:-1]:
        yield walk.step(store.history.at(moment - _INSTANT))
    yield walk.step(store.history.head())


def uncommitted(store: Store, paths: Sequence[str]) -> int:
    """How many of some files no commit has yet; 0 without a history."""
    history = store.history
    if history is None:
        return 0
    head = history.head()
    there = history.tree(head) if head else {}
    return sum(path not in there for path in paths)


class _Walk:
    """Stands at a commit, with the vault's files of that time, and goes to later ones."""

    def __init__(self, store: Store, history: History) -> None:
        self._entries = store.index.entries
        self._history = history
        self._commit = ""
        self._tree: dict[str, str] = {}
        self._left = READ_MAX

    def begin(self, moment: datetime) -> None:
        self._commit = self._history.at(moment - _INSTANT)
        self._tree = self._history.tree(self._commit) if self._commit else {}

    def step(self, commit: str) -> Step:
        changed = self._history.diff(self._commit, commit) or {}
        self._commit = commit
        new = {path: blob for path, blob in changed.items() if blob and path not in self._tree}
        old = {path: self._tree.pop(path) for path, blob in changed.items() if not blob}
        self._tree |= {path: blob for path, blob in changed.items() if blob}
        came, went = self._notes(new), self._notes(old)
        return Step(_without(came, went), _without(went, came))

    def _notes(self, files: Mapping[str, str]) -> dict[str, Entry | Note]:
        """Notes by id, in the order of their paths."""
        found = (self._entries.get(path) or self._read(path, files[path]) for path in sorted(files))
        return {note.record.id: note for note in found}

    def _read(self, path: str, blob: str) -> Note:
        """A file as the history has it."""
        if self._left == 0:
            return _unread(path)
        self._left -= 1
        try:
            return parse(PurePosixPath(path), self._history.read_blob(blob))
        except MnemosError:
            return _unread(path)


def _unread(path: str) -> Note:
    """What can be told of a file by its path alone."""
    place = PurePosixPath(path)
    kind = _BY_FOLDER.get(place.parts[0], "")
    record = Record(id=path, type=kind or "context", title=place.stem, content="")
    return Note(place, record, is_ours=bool(kind))


def _without(
    notes: Mapping[str, Entry | Note], others: Mapping[str, Entry | Note]
) -> tuple[Entry | Note, ...]:
    return tuple(note for name, note in notes.items() if name not in others)
