"""Names and links of the notes of one part of the index, as arrays of hashes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemos_files.format.targets import Target, fold, read_target
from mnemos_files.index.row import name_key
from mnemos_files.model.record import Link

Keys = NDArray[np.uint64]

TIERS = ("path", "stem", "alias", "tail", "key")
"""How a link may name a note, in the order in which it is tried; all but `alias` are columns."""


@dataclass(frozen=True, slots=True)
class Table:
    """One row for each link: the number of the note that has it and the hashes of `TIERS`.

    `ends` has the folded end that the path of the other note must have, for those links that ask
    for one (`has_end`), by their row.
    """

    numbers: NDArray[np.intp]
    keys: Keys
    has_end: NDArray[np.bool_]
    ends: Mapping[int, str]


class Claims:
    """The links of one part of the index. Only grows; a reader needs no lock."""

    def __init__(self) -> None:
        self._links: list[tuple[int, Link]] = []
        self._table = _table(())

    def add(self, number: int, links: Sequence[Link]) -> None:
        """Take in what a note supersedes."""
        self._links += [(number, link) for link in links]

    def table(self) -> Table:
        """All of them."""
        table = self._table
        if len(table.numbers) != len(self._links):
            self._table = table = _table(list(self._links))
        return table

    def hashes(self) -> set[int]:
        """All that the links may mean."""
        return set(self.table().keys.ravel().tolist())


class Aliases:
    """Further names of notes. Only grows; a reader needs no lock."""

    def __init__(self) -> None:
        self._pairs: list[tuple[int, int]] = []
        self._names: dict[int, tuple[str, ...]] = {}
        self._table = _pairs(())

    def add(self, number: int, names: Sequence[str]) -> None:
        """Take in what else a note is called."""
        if names:
            self._names[number] = folded = tuple(dict.fromkeys(map(fold, names)))
            self._pairs += [(number, name_key(name)) for name in folded]

    def of(self, number: int) -> tuple[str, ...]:
        """The folded names of a note."""
        return self._names.get(number, ())

    def table(self) -> tuple[NDArray[np.intp], Keys]:
        """The number of the note and the hash for each name."""
        table = self._table
        if len(table[0]) != len(self._pairs):
            self._table = table = _pairs(list(self._pairs))
        return table


def keys_of(link: Link) -> tuple[int, ...]:
    """Hashes of what a link may mean, one for each of `TIERS`, 0 = not so."""
    return read_keys(link)[0]


def read_keys(link: Link) -> tuple[tuple[int, ...], str]:
    """Hashes of what a link may mean, and what the folded path must end in, "" for anything."""
    target = read_target(link)
    return tuple(_hashes(target)), target.end


def _hashes(target: Target) -> Iterator[int]:
    for name in (target.path, target.stem, target.alias, target.tail, target.name):
        yield name_key(name)


def _table(links: Sequence[tuple[int, Link]]) -> Table:
    targets = [read_target(link) for _, link in links]
    keys = np.array([list(_hashes(target)) for target in targets], np.uint64)
    return Table(
        np.array([number for number, _ in links], np.intp),
        keys.reshape(len(links), len(TIERS)),
        np.array([bool(target.end) for target in targets], np.bool_),
        {row: target.end for row, target in enumerate(targets) if target.end},
    )


def _pairs(pairs: Sequence[tuple[int, int]]) -> tuple[NDArray[np.intp], Keys]:
    numbers = np.array([number for number, _ in pairs], np.intp)
    return numbers, np.array([key for _, key in pairs], np.uint64)
