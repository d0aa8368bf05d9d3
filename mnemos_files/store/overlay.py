"""The notes of another side of a change, told from the index and what differs from it."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from mnemos_files.format.targets import ID_TAIL, aliases_of, fold
from mnemos_files.index.document import entry_of
from mnemos_files.index.index import Index, Indexed
from mnemos_files.model.note import Entry


class Overlay(Mapping[str, Entry]):
    """A catalogue (`names.Catalogue`): the index without some paths, and with other notes."""

    def __init__(self, index: Index, absent: Collection[str], extra: Sequence[Indexed]) -> None:
        self._index = index
        self._extra = {str(one.note.path): entry_of(one) for one in extra}
        self._absent = frozenset(absent) | self._extra.keys()
        self._ids = self._by(lambda entry: (entry.record.id,))
        self._stems = self._by(lambda entry: (fold(entry.path.stem),))
        self._aliases = self._by(lambda entry: map(fold, aliases_of(entry.record)))
        self._tails = self._by(lambda entry: (entry.record.id[-ID_TAIL:].lower(),))

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Every note of this side by path."""
        return self

    def __getitem__(self, path: str) -> Entry:
        if path in self._extra:
            return self._extra[path]
        if path in self._absent:
            raise KeyError(path)
        return self._index.entries[path]

    def __contains__(self, path: object) -> bool:
        known = path in self._index.entries and path not in self._absent
        return known or path in self._extra

    def __iter__(self) -> Iterator[str]:
        yield from (path for path in self._index.entries if path not in self._absent)
        yield from self._extra

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def by_id(self, record_id: str) -> tuple[str, ...]:
        """Paths of the notes with this id."""
        return self._joined(self._index.by_id(record_id), self._ids[record_id])

    def by_stem(self, stem: str) -> tuple[str, ...]:
        """Paths of the notes whose file stem is this, whatever its case and Unicode form."""
        return self._joined(self._index.by_stem(stem), self._stems[fold(stem)])

    def by_alias(self, alias: str) -> tuple[str, ...]:
        """Paths of the notes with this alias, whatever its case and Unicode form."""
        return self._joined(self._index.by_alias(alias), self._aliases[fold(alias)])

    def by_id_tail(self, tail: str) -> tuple[str, ...]:
        """Paths of the notes whose id ends in these six letters, in any case."""
        return self._joined(self._index.by_id_tail(tail), self._tails[tail.lower()])

    def _by(self, keys: Callable[[Entry], Iterable[str]]) -> defaultdict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path, entry in self._extra.items():
            for key in dict.fromkeys(keys(entry)):
                found[key].append(path)
        return found

    def _joined(self, known: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        return (*(path for path in known if path not in self._absent), *extra)
