"""Saves the notes of a vault with the product's own operations and asks its questions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pygit2

from mnemos_files.index.embedder import Embedder
from mnemos_files.operations.reading import search
from mnemos_files.operations.records import save
from mnemos_files.store.open import open_store
from mnemos_files.store.store import Store
from tests.conftest import Clock
from tests.retrieval.sets import NOW, Asked, Vault

PAGE = 20
LOOKED_AT = 10


@dataclass(frozen=True)
class Answered:
    """A question and the ids on the page that came back, best first."""

    asked: Asked
    shown: Sequence[str]
    groups: Sequence[str]
    below: float | None

    @cached_property
    def ranks(self) -> list[int]:
        """Places from 0 on of what was wanted and found."""
        return sorted(self.groups.index(key) for key in self.asked.want if key in self.groups)

    def recall(self, cut: int) -> float:
        """Share of the wanted ones among the first hits, of as many as there is room for."""
        found = sum(rank < cut for rank in self.ranks)
        return found / min(cut, len(self.asked.want))

    @property
    def reciprocal(self) -> float:
        """One over the rank of the first wanted one, 0 without."""
        return 1 / (self.ranks[0] + 1) if self.ranks else 0.0

    @property
    def repeats(self) -> int:
        """Hits among the first ones that say again what stands above them."""
        first = self.groups[:LOOKED_AT]
        return len(first) - len(set(first))

    @property
    def is_in_order(self) -> bool:
        """True when the wanted note was found, and not below the one it must be above."""
        place = list(self.shown).index(self.asked.above) if self.asked.above in self.shown else PAGE
        return bool(self.ranks) and self.ranks[0] < place

    @property
    def is_full(self) -> bool:
        """True when the page holds all hits that it must."""
        return len(self.shown) >= self.asked.fills


def ask_all(vault: Vault, folder: Path, embedder: Embedder) -> Iterator[Answered]:
    """The answers to all questions of a vault, in a store of its own in this folder."""
    root = folder / vault.name
    pygit2.init_repository(str(root), initial_head="main")
    clock = Clock(NOW)
    store = open_store(root, cache_folder=folder / "cache", clock=clock, embedder=embedder)
    try:
        ids = fill(store, vault, clock)
        clock.now = NOW
        for asked in vault.questions:
            options = {"limit": PAGE} | dict(asked.scope)
            result = search(store, query=asked.text, **options)
            shown = [ids[hit.id] for hit in result.results]
            groups = [vault.groups[key] for key in shown]
            yield Answered(asked, shown, groups, result.best_below_floor)
    finally:
        store.close()


def fill(store: Store, vault: Vault, clock: Clock) -> dict[str, str]:
    """Id in the store -> id in the set, once every note is saved at its time."""
    ids: dict[str, str] = {}
    for note in vault.notes:
        clock.now = note.created
        saved = save(store, **note.fields)
        if saved.deduped:
            raise ValueError(f"{vault.name}: {note.id} says the same as {ids[saved.id]}")
        ids[saved.id] = note.id
    return ids
