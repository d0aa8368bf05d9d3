"""The notes of another time."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mnemos_files.format.targets import fold
from mnemos_files.index.claims import TIERS, read_keys
from mnemos_files.index.row import name_key
from mnemos_files.index.snapshot import Places, Snapshot
from mnemos_files.index.succession import holders
from mnemos_files.model.note import Entry
from mnemos_files.model.record import Link


@dataclass(frozen=True, slots=True)
class View:
    """The notes of another time, ranked with today's statistics."""

    snapshot: Snapshot

    def resolve(self, link: Link) -> tuple[str, ...]:
        """Paths that a link may mean, by the rule of `store.names.resolve`."""
        keys, end = read_keys(link)
        for tier, key in zip(TIERS, keys, strict=True):
            paths = self._paths(tier, key) if key else []
            if tier == "stem" and end:
                paths = [path for path in paths if fold(f"/{path}").endswith(end)]
            if paths:
                return tuple(paths)
        return ()

    def by_id(self, record_id: str) -> tuple[str, ...]:
        """Paths of the notes with this id."""
        return tuple(self._paths("key", name_key(record_id)))

    def entry(self, path: str) -> Entry | None:
        """What is kept of the note at this path, or None."""
        places = self._places("path", name_key(path))
        return self.snapshot.entry(int(places[0])) if len(places) else None

    def entries(self) -> Iterator[Entry]:
        """Every note."""
        return map(self.snapshot.entry, np.flatnonzero(self.snapshot.alive).tolist())

    def _paths(self, tier: str, key: int) -> list[str]:
        places = self._places(tier, key)
        return sorted(self.snapshot.name(place)[1] for place in places.tolist())

    def _places(self, tier: str, key: int) -> Places:
        return holders(self.snapshot, tier, np.array([key], np.uint64))[1]
