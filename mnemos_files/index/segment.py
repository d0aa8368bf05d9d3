"""The notes of one segment on disk."""

import threading
from collections import OrderedDict
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh import columns, fields
from whoosh.codec.whoosh3 import W3Segment
from whoosh.filedb.filestore import Storage

from mnemos_files.index.claims import Aliases, Claims
from mnemos_files.index.codec import TERMS, read_list
from mnemos_files.index.document import (
    TENTHS,
    Document,
    Vectors,
    decode_entry,
    decode_names,
    decode_terms,
)
from mnemos_files.index.part import Floats, Ids, lengths_of
from mnemos_files.index.row import ROW, Row
from mnemos_files.model.note import Entry

CACHED_POSTINGS = 500_000
"""Postings [1] of a part that stay in memory (8 bytes each), the least recently used go first."""

DECODED_ENTRIES = 10_000
"""Entries [1] of a part that stay decoded (about 1.3 kB each)."""

_NONE: tuple[Ids, Floats] = (np.empty(0, np.int32), np.empty(0, np.float32))


class Disk:
    """The notes of one segment. Immutable; safe in threads."""

    def __init__(self, segment: W3Segment, storage: Storage, fields_: fields.Schema) -> None:
        self.segment_id: str = segment.segment_id()
        files = segment.open_compound_file(storage)
        codec = segment.codec()
        self._terms = codec.terms_reader(files, segment)
        columns_of = codec.per_document_reader(files, segment)
        self._lists = files.open_file(segment.make_filename(codec.POSTS_EXT))
        size = segment.doc_count_all()

        def column(name: str) -> columns.ColumnReader:
            return columns_of.column_reader(name, fields_[name].column_type)

        names = [decode_names(bytes(name)) for name in column("name")]
        self.paths = [path for path, *_ in names]
        self.ids = [record_id for _, record_id, *_ in names]
        self.aliases, self.claims = Aliases(), Claims()
        for number, (_, _, aliases, links) in enumerate(names):
            self.aliases.add(number, aliases)
            self.claims.add(number, links)
        self.rows: Row = np.frombuffer(b"".join(column("row")), ROW, size)
        vectors: Vectors = np.frombuffer(b"".join(column("vector")), np.int8)
        self.vectors = vectors.reshape(size, len(vectors) // max(size, 1))
        self.norms = lengths_of(self.vectors)
        self._columns: dict[str, NDArray[Any]] = {}
        self._entries = column("entry")
        self._decoded: dict[int, Entry] = {}
        self._texts = column("text")
        self._cache: OrderedDict[str, tuple[Ids, Floats]] = OrderedDict()
        self._cached = 0
        self._lock = threading.Lock()

    def column(self, name: str) -> NDArray[Any]:
        """One of the numbers in `ROW`, of all notes; in one piece, as every search reads it."""
        found = self._columns.get(name)
        if found is None:
            found = self._columns[name] = np.ascontiguousarray(self.rows[name])
        return found

    def postings(self, term: str) -> tuple[Ids, Floats]:
        """Numbers of the notes with the term, rising, and its frequency in each."""
        with self._lock:
            found = self._cache.get(term)
            if found is not None:
                self._cache.move_to_end(term)
                return found
        found = self._read(term)
        with self._lock:
            if term not in self._cache:
                self._cache[term] = found
                self._cached += len(found[0]) + 1
            while self._cached > CACHED_POSTINGS:
                self._cached -= len(self._cache.popitem(last=False)[1][0]) + 1
        return found

    def _read(self, term: str) -> tuple[Ids, Floats]:
        key = (TERMS, term.encode())
        if key not in self._terms:
            return _NONE
        ids, weights = read_list(self._lists, self._terms.term_info(*key).extent()[0])
        return ids, weights.astype(np.float32) / np.float32(TENTHS)

    def beginning(self, prefix: str, limit: int) -> list[str]:
        """Terms that are longer than the prefix and begin with it, in order."""
        start = prefix.encode()
        found: list[str] = []
        for field, text in self._terms.terms_from(TERMS, start):
            if field != TERMS or not text.startswith(start) or len(found) == limit:
                break
            if text != start:
                found.append(text.decode())
        return found

    def sequence(self, number: int) -> bytes:
        """Terms of a note in order, each between two blanks."""
        sequence: bytes = self._texts[number].partition(b"\n")[0]
        return sequence

    def entry(self, number: int) -> Entry:
        """What is kept of a note."""
        found = self._decoded.get(number)
        if found is None:
            found = decode_entry(self._entries[number], self.paths[number], self.rows[number])
            if len(self._decoded) >= DECODED_ENTRIES:
                self._decoded = {}
            self._decoded[number] = found
        return found

    def document(self, number: int) -> Document:
        """Everything that is kept of a note, to keep it elsewhere."""
        sequence, extras = decode_terms(self._texts[number])
        row, vector = self.rows[number].copy(), self.vectors[number].copy()
        return Document(self.entry(number), sequence, extras, row, vector)
