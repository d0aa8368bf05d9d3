"""The index's folder: opening what is there, writing more, noticing what others wrote.

Several processes may have the folder open. One writes at a time, under Whoosh's own lock (an
operating-system lock, gone when its process is); a lock that is held is never taken for damage.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from whoosh.codec.whoosh3 import W3Segment
from whoosh.index import TOC, EmptyIndexError, FileIndex, clean_files
from whoosh.reading import SegmentReader
from whoosh.writing import SegmentWriter

from mnemos_files.index.codec import ArrayCodec, Pool, schema
from mnemos_files.index.document import (
    RECORD_FIELDS,
    Document,
    encode_entry,
    encode_names,
    encode_terms,
)
from mnemos_files.index.files import Files
from mnemos_files.index.leftovers import remove_leftovers
from mnemos_files.index.part import Mask
from mnemos_files.index.segment import Disk

FORMAT = 7
"""Raised whenever the same note would give other terms, rows or columns."""

META = "meta.json"
NAME = "MAIN"  # Whoosh's default name of an index in a folder
LOCK = f"{NAME}_WRITELOCK"  # Whoosh's name for it
SEGMENTS_MAX = 8
"""Segments [1] that a search may have to look into before small ones are merged."""

OPEN_TRIES = 5
"""A writer may delete a segment between reading the table of contents and opening it."""


@dataclass(frozen=True, slots=True)
class Segments:
    """What the folder holds at one generation: its parts and which of their notes are alive."""

    generation: int
    parts: tuple[Disk, ...]
    alive: tuple[Mask, ...]


NOTHING = Segments(-1, (), ())


class Folder:
    """An index folder of one format and one model; other formats and models have other folders."""

    def __init__(self, root: Path, model: str, dims: int) -> None:
        meta = {"format": FORMAT, "fields": RECORD_FIELDS, "model": model, "dims": dims}
        self._meta = json.dumps(meta, sort_keys=True)
        name = hashlib.sha256(self._meta.encode()).hexdigest()[:12]
        self.path = root / f"v{FORMAT}-{name}"
        self._schema = schema(dims)
        self._storage = Files(str(self.path))
        self._is_alone = False  # folders of earlier versions were looked for

    def load(self, known: Segments = NOTHING) -> tuple[Segments, str]:
        """What is there now, and "" or why it was thrown away. `known` itself when nothing moved.

        Damage is put right under the writer's lock only, after a second look; while another
        process holds the lock, what is known stays.
        """
        if self._generation() == known.generation >= 0:
            return known, ""
        found = self._read(known)
        if isinstance(found, Segments):
            return found, ""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            return self._mend(known)
        except OSError as error:
            return known, f"the index stays in memory: {error}"

    def write(self, known: Segments, docs: Sequence[Document], gone: Collection[str]) -> bool:
        """Add documents and take out paths in one step; False when another process is writing.

        Raises:
            OSError: the disk is full or the folder may not be written.
        """
        try:
            writer = FileIndex(self._storage, self._schema).writer(codec=ArrayCodec())
        except OSError:
            raise
        except Exception:  # noqa: BLE001 - busy, or damage of any kind: `load` tells them apart
            return False
        try:
            now = self._read(known)
            if not isinstance(now, Segments):
                return False
            self._sweep()
            writer.pool = Pool()
            fresh = _delete_old(writer, now, docs, gone)
            for doc in fresh:
                writer.add_document(**_fields(doc))
            writer.commit(mergetype=_merge)
        finally:
            if not writer.is_closed:
                writer.cancel()
        if not self._is_alone:
            self._is_alone = True
            remove_leftovers(self.path, LOCK)
        return True

    def empty(self, known: Segments) -> Segments | None:
        """An empty index instead of what is there; None while another process is writing.

        Raises:
            OSError: the folder may not be written.
        """
        lock = self._storage.lock(LOCK)
        self.path.mkdir(parents=True, exist_ok=True)
        if not lock.acquire():
            return None
        try:
            return self._reset(known)
        finally:
            lock.release()

    def _generation(self) -> int:
        names = self._storage.list()
        marks = [name[len(NAME) + 2 : -4] for name in names if name.endswith(".toc")]
        return max((int(mark) for mark in marks if mark.isdigit()), default=-1)

    def _read(self, known: Segments) -> Segments | str:
        """What is there, or what is wrong with it: "" when there is nothing yet."""
        problem = ""
        for _ in range(OPEN_TRIES):
            try:
                return self._open(known)
            except EmptyIndexError:
                return ""
            except FileNotFoundError as error:
                problem = f"the index lacks a file ({error.filename}); it is built again"
            except Exception as error:  # noqa: BLE001 - a damaged pickle can raise anything
                return f"the index is damaged ({error}); it is built again"
        return problem

    def _open(self, known: Segments) -> Segments:
        toc = TOC.read(self._storage, NAME, schema=self._schema)
        if (self.path / META).read_text(encoding="utf-8") != self._meta:
            raise ValueError("it says that another model or version made it")
        ready = {part.segment_id: part for part in known.parts}
        parts = [
            ready.get(segment.segment_id()) or Disk(segment, self._storage, self._schema)
            for segment in toc.segments
        ]
        alive = [_alive(segment) for segment in toc.segments]
        return Segments(toc.generation, tuple(parts), tuple(alive))

    def _mend(self, known: Segments) -> tuple[Segments, str]:
        lock = self._storage.lock(LOCK)
        if not lock.acquire():
            return known, ""
        try:
            found = self._read(known)
            return (found, "") if isinstance(found, Segments) else (self._reset(known), found)
        finally:
            lock.release()

    def _sweep(self) -> None:
        """Delete tables of contents that a killed writer did not finish."""
        for name in self._storage.list():
            if ".toc." in name:
                self._storage.delete_file(name)

    def _reset(self, known: Segments) -> Segments:
        """An empty index; its generation is new, so that other processes see the change."""
        generation = max(self._generation(), known.generation) + 1
        temporary = self.path / f"{META}.new"
        temporary.write_text(self._meta, encoding="utf-8")
        temporary.replace(self.path / META)
        TOC(self._schema, [], generation).write(self._storage, NAME)
        clean_files(self._storage, NAME, generation, [])
        return Segments(generation, (), ())


def _alive(segment: W3Segment) -> Mask:
    mask = np.ones(segment.doc_count_all(), np.bool_)
    mask[list(segment.deleted_docs())] = False
    return mask


def _fields(doc: Document) -> dict[str, object]:
    return {
        "terms": doc.postings(),
        "name": encode_names(doc),
        "row": doc.row.tobytes(),
        "vector": doc.vector.tobytes(),
        "entry": encode_entry(doc.entry),
        "text": encode_terms(doc),
    }


def _delete_old(
    writer: SegmentWriter,
    now: Segments,
    docs: Sequence[Document],
    gone: Collection[str],
) -> Iterable[Document]:
    """Mark what is replaced or gone as deleted; the documents that are not there as they are."""
    wanted: dict[str, Document] = {doc.path: doc for doc in docs}
    start = 0
    for part, alive in zip(now.parts, now.alive, strict=True):
        for number in np.flatnonzero(alive).tolist():
            path = part.paths[number]
            doc = wanted.get(path)
            if doc is not None and doc.row.tobytes() == part.rows[number].tobytes():
                del wanted[path]
            elif doc is not None or path in gone:
                writer.delete_document(start + number)
        start += len(alive)
    return wanted.values()


def _merge(writer: SegmentWriter, segments: Sequence[W3Segment]) -> list[W3Segment]:
    """Segments that stay; the others become part of the one that is being written.

    Once there are `SEGMENTS_MAX`, those not larger than what is written go in, the smallest first;
    segments that are half deleted always do. So there are never many, and a note is written again
    only a few times while the vault grows by small steps.
    """
    many = len(segments) >= SEGMENTS_MAX
    stay = []
    size = writer.doc_count()
    for segment in sorted(segments, key=lambda one: one.doc_count()):
        living, dead = segment.doc_count(), segment.deleted_count()
        if not living:
            continue
        if living <= dead or (many and living <= size):
            reader = SegmentReader(writer.storage, writer.schema, segment)
            writer.add_reader(reader)
            reader.close()
            size += living
        else:
            stay.append(segment)
    return stay
