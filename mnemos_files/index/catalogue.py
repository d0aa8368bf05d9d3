"""Which note lies where: the segments on disk, what came since, and what went."""

import threading
from collections.abc import Iterator, Mapping

import numpy as np

from mnemos_files.index.claims import TIERS, keys_of
from mnemos_files.index.disk import NOTHING, Segments
from mnemos_files.index.document import Document
from mnemos_files.index.keys import KEYS, Keys, Place, donors
from mnemos_files.index.part import Mask, Memory, Part, Slice
from mnemos_files.index.row import name_key
from mnemos_files.index.snapshot import Snapshot
from mnemos_files.model.note import Entry

DEAD_MAX = 1_000
"""Replaced notes [1] that may stay in memory while the disk cannot be written."""


class Catalogue:
    """The state of an index. Not thread-safe: its owner holds a lock while it calls."""

    def __init__(self, dims: int) -> None:
        self._dims = dims
        self.segments = NOTHING
        self.gone: set[str] = set()
        self.places: dict[str, Place] = {}
        self._memory = Memory(dims)
        self._alive: dict[Part, Mask] = {self._memory: np.zeros(0, np.bool_)}
        self._keys = {kind: Keys(key_of) for kind, key_of in KEYS.items()}
        self._donors: dict[bytes, Place] | None = None
        self._claimed: set[int] = set()  # hashes of all that notes say they supersede, and more
        self._snapshot: Snapshot | None = None

    def entry(self, path: str) -> Entry:
        """What is kept of the note at a path; a superseded one has its end.

        Raises:
            KeyError: there is no such note.
        """
        part, number = self.places[path]
        if not self._claimed or not self._may_be_superseded(part, number):
            return part.entry(number)
        snapshot = self.snapshot()
        return snapshot.entry(snapshot.place_of(part, number))

    def blob(self, path: str) -> str:
        """Git's name for the bytes of the note at a path, "" when there is none."""
        place = self.places.get(path)
        return place[0].rows[place[1]]["blob"].tobytes().hex() if place else ""

    def _may_be_superseded(self, part: Part, number: int) -> bool:
        """Spares most notes the look at all links after each change of any note."""
        row = part.rows[number]
        names = (int(row[tier]) for tier in TIERS if tier != "alias")
        aliases = map(name_key, part.aliases.of(number))
        return not self._claimed.isdisjoint((*names, *aliases))

    def snapshot(self) -> Snapshot:
        """The notes of this moment; the same object until something changes."""
        if self._snapshot is None:
            pieces = [Slice(p, alive[: len(p.paths)]) for p, alive in self._alive.items()]
            self._snapshot = Snapshot([piece for piece in pieces if len(piece.alive)])
        return self._snapshot

    def find(self, kind: str, key: str) -> tuple[str, ...]:
        """Paths of the notes with this key, one of `KEYS`."""
        return self._keys[kind].get(key, self.places)

    def stamps(self) -> dict[str, tuple[int, int, int]]:
        """Size, change time and inode of every file as it was read, by path."""
        known: dict[str, tuple[int, int, int]] = {}
        for part, alive in self._alive.items():
            rows = part.rows[: len(part.paths)]
            columns = (rows[name].tolist() for name in ("size", "mtime_ns", "inode"))
            rows_of = zip(part.paths, alive.tolist(), zip(*columns, strict=True), strict=False)
            known |= {path: row for path, is_alive, row in rows_of if is_alive}
        return known

    def donor(self, blob: str) -> Document | None:
        """A document with the same bytes, wherever it lies or lay."""
        if self._donors is None:
            self._donors = donors(self._alive)
        place = self._donors.get(bytes.fromhex(blob))
        return place[0].document(place[1]) if place else None

    def pending(self) -> list[Document]:
        """Living documents that are in memory only."""
        alive = self._alive[self._memory]
        return [self._memory.documents[number] for number in np.flatnonzero(alive).tolist()]

    def pending_count(self) -> int:
        """Changes that the disk does not have."""
        return int(np.count_nonzero(self._alive[self._memory])) + len(self.gone)

    def put(self, doc: Document) -> None:
        """Take a document in, instead of what was at its path."""
        place = self.places.get(doc.path)
        if place is not None:
            self._forget(doc.path, place)
        self.gone.discard(doc.path)
        self._settle(doc)
        self._snapshot = None
        if len(self._memory.paths) > DEAD_MAX + 2 * self.pending_count():
            self.rebase(self.segments)

    def remove(self, path: str) -> None:
        """Drop what is at a path, if anything is."""
        place = self.places.pop(path, None)
        if place is None:
            return
        self._forget(path, place)
        if place[0] is not self._memory:
            self.gone.add(path)
        self._snapshot = None

    def rebase(self, segments: Segments) -> None:
        """Take over what the disk holds now; what it already says is dropped from memory."""
        waiting, gone = self.pending(), self.gone
        self.segments = segments
        self._memory = Memory(self._dims)
        self._alive = dict(zip(segments.parts, segments.alive, strict=True))
        self._alive[self._memory] = np.zeros(0, np.bool_)
        self.places = {
            part.paths[number]: (part, number)
            for part, alive in zip(segments.parts, segments.alive, strict=True)
            for number in np.flatnonzero(alive).tolist()
        }
        self.gone = set()
        self._claimed = {key for part in segments.parts for key in part.claims.hashes()}
        self._keys = {kind: Keys(key_of) for kind, key_of in KEYS.items()}
        self._donors = None
        self._snapshot = None
        for doc in waiting:
            if not self._is_there(doc):
                self.put(doc)
        for path in gone - {doc.path for doc in waiting}:
            self.remove(path)

    def clear(self, segments: Segments) -> None:
        """Forget everything but what these segments hold."""
        self._memory = Memory(self._dims)
        self._alive = {self._memory: np.zeros(0, np.bool_)}
        self.gone = set()
        self.rebase(segments)

    def matching(self, present: Mapping[str, str]) -> list[Slice]:
        """Slices of the notes whose path has these bytes (git's name) in `present`."""
        masks: dict[Part, Mask] = {p: np.zeros(len(p.paths), np.bool_) for p in self._alive}
        for _, place in self._compared(present):
            if place is not None:
                masks[place[0]][place[1]] = True
        return [Slice(part, mask) for part, mask in masks.items() if mask.any()]

    def differing(self, present: Mapping[str, str]) -> list[str]:
        """Paths in `present` that are not known with these bytes (git's name)."""
        return [path for path, place in self._compared(present) if place is None]

    def _compared(self, present: Mapping[str, str]) -> Iterator[tuple[str, Place | None]]:
        """Each path with its place, None where other bytes are known there, or none."""
        names = {part: part.rows["blob"][: len(part.paths)].tobytes() for part in self._alive}
        for path, blob in present.items():
            place = self.places.get(path)
            if place is not None:
                part, number = place
                known = names[part][20 * number : 20 * number + 20]
                place = place if known == bytes.fromhex(blob) else None
            yield path, place

    def _is_there(self, doc: Document) -> bool:
        place = self.places.get(doc.path)
        return place is not None and place[0].rows[place[1]].tobytes() == doc.row.tobytes()

    def _settle(self, doc: Document) -> None:
        number = self._memory.add(doc)
        alive = self._alive[self._memory]
        if number == len(alive):
            grown = np.zeros(len(self._memory.rows), np.bool_)
            grown[:number] = alive
            alive = grown
        alive[number] = True
        self._alive[self._memory] = alive
        place = (self._memory, number)
        self.places[doc.path] = place
        for link in doc.entry.record.supersedes:
            self._claimed.update(keys_of(link))
        for keys in self._keys.values():
            keys.add(doc.path, place)
        if self._donors is not None:
            self._donors[bytes.fromhex(doc.entry.blob)] = place

    def _forget(self, path: str, place: Place) -> None:
        for keys in self._keys.values():
            keys.discard(path, place)
        part, number = place
        alive = self._alive[part].copy()  # a running search goes on with the one it has
        alive[number] = False
        self._alive[part] = alive


class Entries(Mapping[str, Entry]):
    """Path -> entry of every note, read when asked for; iterating sees one moment."""

    def __init__(self, catalogue: Catalogue, lock: threading.RLock) -> None:
        self._catalogue = catalogue
        self._lock = lock

    def __getitem__(self, path: str) -> Entry:
        with self._lock:
            return self._catalogue.entry(path)

    def __contains__(self, path: object) -> bool:
        return path in self._catalogue.places

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._catalogue.places))

    def __len__(self) -> int:
        return len(self._catalogue.places)
