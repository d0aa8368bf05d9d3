"""The index: notes in, rankings out. Derived from the files and free to delete."""

import threading
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

import numpy as np

from mnemos_files.errors import UnavailableError
from mnemos_files.format.targets import fold
from mnemos_files.index.catalogue import Catalogue, Entries
from mnemos_files.index.dense import quantise
from mnemos_files.index.disk import Folder
from mnemos_files.index.document import (
    Document,
    Indexed,
    Vectors,
    document,
    meaning,
    moved,
    restamped,
    spoken,
)
from mnemos_files.index.embedder import Embedder
from mnemos_files.index.faded import Faded, faded
from mnemos_files.index.near import Judge, NearPair, NearPairs
from mnemos_files.index.near_to import Similar, near_to
from mnemos_files.index.past import Archive, Read
from mnemos_files.index.policy import Rules
from mnemos_files.index.ranker import rank, signals
from mnemos_files.index.row import NO_END, microseconds
from mnemos_files.index.selection import doubtful, ended, select, with_origin
from mnemos_files.index.snapshot import Snapshot
from mnemos_files.index.usage import UNUSED, Counted, count
from mnemos_files.index.view import View
from mnemos_files.model.decay import NO_DECAY, Decay
from mnemos_files.model.note import Entry, Stamp
from mnemos_files.model.query import Order, Query, Ranking
from mnemos_files.model.tally import Uses

__all__ = ["Index", "Indexed", "View"]
NO_USES: Mapping[str, Uses] = MappingProxyType({})


class Index:
    """All notes of one vault. Safe in threads: a search works on a snapshot and holds no lock.

    Bad data in the folder never raises: it is thrown away, `notices` says so, and the index
    starts empty. While the model is away, the words alone are searched, and nothing is written to
    disk; notes that came meanwhile are `voiceless` until they are taken in again.
    """

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._faults: list[str] = []
        self._silence = ""  # why there are no vectors at the moment
        self._mute: dict[str, str] = {}  # bytes of the notes without a vector for that reason
        self._embedder = embedder
        self._folder = Folder(folder, embedder.identity, embedder.dims)
        self._catalogue = Catalogue(embedder.dims)
        self._near = NearPairs(self._folder.path)
        self._archive = Archive(self._documents, embedder.dims)
        self._counted = (NO_USES, UNUSED)
        self._lock = threading.RLock()  # guards the catalogue
        self._disk_lock = threading.Lock()  # one thread at a time reads or writes the folder
        self.entries: Mapping[str, Entry] = Entries(self._catalogue, self._lock)
        self.reload()

    @property
    def state(self) -> object:
        """The same object until a note comes, goes or changes."""
        return self._snapshot()

    @property
    def pending(self) -> int:
        """Changes that are not on disk yet."""
        with self._lock:
            return self._catalogue.pending_count()

    @property
    def notices(self) -> list[str]:
        """What a person should know of the index."""
        words_only = [f"search uses words only: {self._silence}"] if self._silence else []
        return [*self._faults, *words_only]

    @property
    def model(self) -> str:
        """Identity of the embedding model, "" when it could not be used the last time."""
        return "" if self._silence else self._embedder.identity

    def can_embed(self) -> bool:
        """True when texts get vectors now; loads the model, if it is there and not loaded yet."""
        try:
            self._embedder.warm()
        except UnavailableError as error:
            self._silence = error.message
            return False
        self._silence = ""
        return True

    def voiceless(self) -> tuple[str, ...]:
        """Notes that came while the model was away, once it is back: take them in again."""
        return tuple(self._mute) if self._mute and self.can_embed() else ()

    def is_voiceless(self, path: str) -> bool:
        """True for a note that came while the model was away."""
        return path in self._mute

    def vectors(self) -> int:
        """Notes that have a vector; the model says nothing about some scripts."""
        snapshot = self._snapshot()
        return int(np.count_nonzero(snapshot.norms[snapshot.alive]))

    def moved(self, stamps: Mapping[str, Stamp]) -> list[str]:
        """Paths that are not known with these stamps: new ones, and those that were written to."""
        with self._lock:
            known = self._catalogue.stamps()
        return [
            path
            for path, stamp in stamps.items()
            if known.get(path) != (stamp.size, stamp.mtime_ns, stamp.inode)
        ]

    def clear(self) -> None:
        """Forget every note, on disk too.

        Raises:
            UnavailableError: another process is writing the index, or its folder is read-only.
        """
        with self._disk_lock:
            try:
                emptied = self._folder.empty(self._catalogue.segments)
            except OSError as error:
                problem = f"the index cannot be written ({error.strerror})"
                raise UnavailableError(problem, remedy="Make its folder writable.") from error
            if emptied is None:
                raise UnavailableError("the index is being written", remedy="Try again.")
            with self._lock:
                self._catalogue.clear(emptied)
                self._mute.clear()

    def entry(self, path: str) -> Entry | None:
        """What is kept of the note at this path, or None."""
        return self.entries.get(path)

    def blob(self, path: str) -> str:
        """Git's name for the bytes of the note at a path, "" when there is none."""
        with self._lock:
            return self._catalogue.blob(path)

    def circles(self) -> list[tuple[str, str]]:
        """Paths of notes that supersede each other in a circle, or themselves: link by link."""
        return self._snapshot().circles()

    def differing(self, present: Mapping[str, str]) -> list[str]:
        """Paths in `present` that are not known with these bytes (git's name)."""
        with self._lock:
            return self._catalogue.differing(present)

    def by_id(self, record_id: str) -> tuple[str, ...]:
        """Paths of the notes with this id; more than one is a fault of the vault."""
        return self._find("id", record_id)

    def by_digest(self, digest: str) -> tuple[str, ...]:
        """Paths of the notes that say the same (`model.digest.content_digest`)."""
        return self._find("digest", digest)

    def by_stem(self, stem: str) -> tuple[str, ...]:
        """Paths of the files with this name without ending, in any case and Unicode form."""
        return self._find("stem", fold(stem))

    def by_alias(self, alias: str) -> tuple[str, ...]:
        """Paths of the notes with this further name, in any case and Unicode form."""
        return self._find("alias", fold(alias))

    def by_id_tail(self, tail: str) -> tuple[str, ...]:
        """Paths of the notes whose id ends in these six letters, in any case."""
        return self._find("tail", tail.lower())

    def _find(self, kind: str, key: str) -> tuple[str, ...]:
        with self._lock:
            return self._catalogue.find(kind, key)

    def apply(self, upserts: Sequence[Indexed], removals: Collection[str]) -> None:
        """Take notes in and out; they are searchable, or not, when this returns.

        Bytes that were seen before under any path are neither analysed nor embedded again.
        """
        docs, mute = self._documents(upserts)
        with self._lock:
            for path in removals:
                self._catalogue.remove(path)
                self._mute.pop(path, None)
            for doc in docs:
                self._catalogue.put(doc)
                self._mute.pop(doc.path, None)
            self._mute |= mute

    def restamp(self, stamps: Mapping[str, Stamp]) -> None:
        """Remember new file-system stamps of files whose bytes are the same."""
        with self._lock:
            for path, stamp in stamps.items():
                place = self._catalogue.places.get(path)
                if place is not None and place[0].entry(place[1]).stamp != stamp:
                    self._catalogue.put(restamped(place[0].document(place[1]), stamp))

    def search(
        self,
        query: Query,
        *,
        floor: float,
        view: View | None = None,
        uses: Mapping[str, Uses] = NO_USES,
        decay: Decay = NO_DECAY,
    ) -> Ranking:
        """One page of the notes that fit the query, best first, of those in its scope.

        `uses` by id are read anew only when they are another object than the last time; they must
        be those of the time asked about.
        """
        today = self._snapshot()
        seen = view.snapshot if view else today
        try:
            found = signals(query, seen, today, self._embedder)
        except UnavailableError as error:
            self._silence = error.message
            found = signals(query, seen, today, None)
        if found.mode == "hybrid":
            self._silence = ""
        return rank(query, found, seen, Rules(floor, decay, self._count(uses)))

    def select(self, query: Query, *, order: Order, limit: int) -> list[Entry]:
        """The first notes in the query's scope; its text, limit and offset do not count."""
        return select(self._snapshot(), query, order, limit)

    def ended(self, now: datetime) -> list[Entry]:
        """Notes that hold no longer, by path: replaced, outdated or expired ones."""
        return ended(self._snapshot(), now)

    def faded(self, now: datetime, uses: Mapping[str, Uses], decay: Decay) -> Faded:
        """Notes that count for less than their writer said, since nobody has seen them for long."""
        return faded(self._snapshot(), self._count(uses), now, decay)

    def terms(self, path: str) -> frozenset[str]:
        """What a note is found by, as terms: its title, its text and its tags.

        Raises:
            KeyError: there is no such note.
        """
        with self._lock:
            part, number = self._catalogue.places[path]
        return spoken(part.sequence(number))

    def doubtful(self, now: datetime) -> list[Entry]:
        """Memories that hold now and are raw or contradict another one, oldest first."""
        return doubtful(self._snapshot(), now)

    def by_session(self, *names: str) -> list[Entry]:
        """Notes whose session link ends in one of these stems or ids, live or not, oldest first.

        A link by path counts by its last part: whoever must know the folder looks at the links.
        """
        return with_origin(self._snapshot(), names)

    def near(self, now: datetime, judge: Judge) -> list[NearPair]:
        """Pairs that hold and say nearly the same, the most alike first; each is judged once."""
        return self._near.find(self._snapshot(), now, judge)

    def near_to(
        self, paths: Collection[str], now: datetime, view: View | None = None
    ) -> dict[str, list[Similar]]:
        """For each of these notes those that hold and say nearly the same, the nearest first."""
        return near_to(view.snapshot if view else self._snapshot(), paths, now)

    def view(
        self, present: Mapping[str, str], extra: Sequence[Indexed], moment: datetime | None = None
    ) -> View:
        """The notes whose path has these bytes (git's name) in `present`, and the extra ones.

        `moment` is the time at which the vault was so.
        """
        slices = self._archive.some(extra)
        with self._lock:
            slices = [*self._catalogue.matching(present), *slices]
        return View(Snapshot(slices, NO_END if moment is None else microseconds(moment)))

    def past(self, day: str, present: Mapping[str, str], read: Read, moment: datetime) -> View:
        """The notes whose path has these bytes (git's name) in `present`, as of that moment.

        `read` is asked for those that are not known so; under the name of the day they are kept
        for the next question.
        """
        with self._lock:
            slices = self._catalogue.matching(present)
            differing = self._catalogue.differing(present)
        slices += self._archive.day(day, {path: present[path] for path in differing}, read)
        return View(Snapshot(slices, microseconds(moment)))

    def flush(self) -> None:
        """Write what is in memory to disk; nothing happens while another process is writing."""
        with self._disk_lock:
            with self._lock:
                docs, gone = self._catalogue.pending(), set(self._catalogue.gone)
                known = self._catalogue.segments
            if self._mute or not (docs or gone):
                return
            try:
                written = self._folder.write(known, docs, gone)
            except OSError as error:
                self._note(f"the index could not be written ({error}); it stays in memory")
                return
            if written:
                self._reload()

    def reload(self) -> None:
        """Take over what other processes wrote; microseconds when they wrote nothing."""
        with self._disk_lock:
            self._reload()

    def close(self) -> None:
        """Write what is left; the index must not be used afterwards."""
        self.flush()

    def _reload(self) -> None:
        known = self._catalogue.segments
        segments, notice = self._folder.load(known)
        if notice:
            self._note(notice)
        if segments is not known:
            with self._lock:
                self._catalogue.rebase(segments)

    def _snapshot(self) -> Snapshot:
        with self._lock:
            return self._catalogue.snapshot()

    def _count(self, uses: Mapping[str, Uses]) -> Counted:
        known, counted = self._counted
        if known is not uses:
            counted = count(uses)
            self._counted = (uses, counted)
        return counted

    def _documents(self, upserts: Sequence[Indexed]) -> tuple[list[Document], dict[str, str]]:
        """Documents in the order of the notes: moved ones as they were, the others new.

        With them the bytes of those that should have a vector and have none, by path.
        """
        with self._lock:
            unfit = set(self._mute.values())
            donors = [
                None if one.blob in unfit else self._catalogue.donor(one.blob) for one in upserts
            ]
        ready = [
            moved(donor, one) if donor is not None else None
            for donor, one in zip(donors, upserts, strict=True)
        ]
        new = [one for one, doc in zip(upserts, ready, strict=True) if doc is None]
        vectors, are_made = self._vectors(new)
        rows = iter(vectors)
        docs = [
            doc if doc is not None else document(one, next(rows))
            for doc, one in zip(ready, upserts, strict=True)
        ]
        return docs, {} if are_made else {str(one.note.path): one.blob for one in new}

    def _vectors(self, new: Sequence[Indexed]) -> tuple[Vectors, bool]:
        """Vectors of the notes and true; or zeros and false while the model is away."""
        if new:
            try:
                made = quantise(self._embedder.encode([meaning(one.note) for one in new]))
            except UnavailableError as error:
                self._silence = error.message
            else:
                self._silence = ""
                return made, True
        return np.zeros((len(new), self._embedder.dims), np.int8), not new

    def _note(self, notice: str) -> None:
        if notice not in self._faults:
            self._faults.append(notice)
