"""How notes lie in a Whoosh index: the schema, a codec for plain arrays, and a part on disk.

This is the only module beside `disk` that knows Whoosh. Whoosh writes the files, merges them and
swaps them in with one rename; the codec only says that a posting list is two arrays, numbers and
frequencies, so that a list is read with one slice of a memory map instead of a loop.
"""

import io
import struct
import threading
import zlib
from array import array
from collections import OrderedDict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from whoosh import columns, fields, formats
from whoosh.codec.base import PostingsWriter
from whoosh.codec.whoosh3 import W3Codec, W3Segment
from whoosh.filedb.compound import CompoundStorage
from whoosh.filedb.filestore import Storage
from whoosh.filedb.structfile import BufferFile, StructFile
from whoosh.matching import ListMatcher
from whoosh.reading import TermInfo

from mnemos_files.index.document import (
    ROW,
    TENTHS,
    Document,
    Row,
    Vectors,
    decode_entry,
    decode_terms,
)
from mnemos_files.index.part import Floats, Ids, lengths_of
from mnemos_files.model.note import Entry

TERMS = "terms"
POSTING_BYTES = 5
_COUNT = struct.Struct("<I")
CACHED_POSTINGS = 500_000
"""Postings [1] of a part that stay in memory (8 bytes each), the least recently used go first."""

DECODED_ENTRIES = 10_000
"""Entries [1] of a part that stay decoded (about 1.5 kB each)."""

_NONE: tuple[Ids, Floats] = (np.empty(0, np.int32), np.empty(0, np.float32))


class DamagedIndexError(Exception):
    """A file of the index does not hold what was written to it."""


class TermsField(fields.FieldType):  # type: ignore[misc]  # Whoosh has no types here
    """A field whose value is a ready mapping of term -> frequency [tenths]."""

    def __init__(self) -> None:
        self.format = formats.Existence()

    def index(self, value: dict[str, int], **_: object) -> list[tuple[bytes, int, int, bytes]]:
        """Whoosh's postings of one note."""
        return [(term.encode(), 1, weight, b"") for term, weight in value.items()]


def schema(dims: int) -> fields.Schema:
    """Fields of the index: terms, and columns for what is kept of each note."""
    return fields.Schema(
        terms=TermsField(),
        name=fields.COLUMN(columns.VarBytesColumn()),
        row=fields.COLUMN(columns.FixedBytesColumn(ROW.itemsize)),
        vector=fields.COLUMN(columns.FixedBytesColumn(dims)),
        entry=fields.COLUMN(columns.VarBytesColumn()),
        text=fields.COLUMN(columns.CompressedBytesColumn()),
    )


def read_list(file: StructFile, offset: int) -> tuple[Ids, NDArray[np.uint8]]:
    """Numbers and frequencies [tenths] of the posting list at an offset."""
    (count,) = _COUNT.unpack(file.get(offset, _COUNT.size))
    data = file.get(offset + _COUNT.size, count * POSTING_BYTES)
    ids = np.frombuffer(data, "<u4", count).astype(np.int32)
    return ids, np.frombuffer(data, np.uint8, count, count * 4)


class ArrayCodec(W3Codec):  # type: ignore[misc]  # Whoosh has no types here
    """Whoosh's own codec, but for posting lists as arrays and a checksum of each segment."""

    def postings_writer(self, dbfile: StructFile, *_: object, **__: object) -> "ArrayWriter":
        """Writer of posting lists."""
        return ArrayWriter(dbfile)

    def postings_reader(
        self,
        dbfile: StructFile,
        terminfo: TermInfo,
        format_: formats.Format,
        term: object = None,
        scorer: object = None,  # noqa: ARG002 - Whoosh's signature
    ) -> ListMatcher:
        """Reader of one posting list, as Whoosh uses it when it merges segments."""
        ids, weights = read_list(dbfile, terminfo.extent()[0])
        values = [b""] * len(ids)
        return ListMatcher(ids.tolist(), weights.tolist(), values, format_, term=term)

    def new_segment(self, _storage: Storage, indexname: str) -> "Segment":
        """An empty segment."""
        return Segment(self, indexname)


class ArrayWriter(PostingsWriter):  # type: ignore[misc]  # Whoosh has no types here
    """Writes a posting list: how many [u4], their numbers [u4], their frequencies [tenths, u1]."""

    def __init__(self, dbfile: StructFile) -> None:
        self._file = dbfile
        self._info: TermInfo = None
        self._ids: list[int] = []
        self._weights: list[int] = []

    def start_postings(self, format_: object, terminfo: object) -> None:  # noqa: ARG002 - Whoosh's signature
        """Begin the list of one term."""
        self._info = terminfo
        self._ids = []
        self._weights = []

    def add_posting(self, id_: int, weight: float, vbytes: bytes, length: int = 0) -> None:  # noqa: ARG002 - Whoosh's signature
        """Add a note to the list."""
        self._ids.append(id_)
        self._weights.append(int(weight))

    def finish_postings(self) -> object:
        """Write the list; Whoosh's term information, with its place in the file."""
        info, self._info = self._info, None
        info.add_block(self)
        start = self._file.tell()
        self._file.write(_COUNT.pack(len(self._ids)))
        self._file.write(np.array(self._ids, "<u4").tobytes())
        self._file.write(bytes(self._weights))
        info.set_extent(start, self._file.tell() - start)
        return info

    def written(self) -> bool:
        """False: lists are written as a whole."""
        return False

    def __len__(self) -> int:
        return len(self._ids)

    def min_id(self) -> int:
        """First number of the list."""
        return self._ids[0]

    def max_id(self) -> int:
        """Last number of the list."""
        return self._ids[-1]

    def min_length(self) -> int:
        """Field lengths are not kept by Whoosh."""
        return 1

    def max_length(self) -> int:
        """Field lengths are not kept by Whoosh."""
        return 1

    def max_weight(self) -> int:
        """Highest frequency [tenths]."""
        return max(self._weights)


class Pool:
    """Postings of a new segment, by term, instead of Whoosh's sorted list of tuples.

    Five bytes a posting and no sorting: notes come in the order of their numbers.
    """

    def __init__(self) -> None:
        self._lists: dict[bytes, tuple[array[int], array[int]]] = {}

    def add(self, posting: tuple[str, bytes, int, float, bytes]) -> None:
        """Take one in: field, term, note, frequency, nothing."""
        _, term, number, weight, _ = posting
        lists = self._lists.get(term)
        if lists is None:
            lists = self._lists[term] = (array("I"), array("B"))
        lists[0].append(number)
        lists[1].append(int(weight))

    def iter_postings(self) -> Iterator[tuple[str, bytes, int, int, bytes]]:
        """All of them, term by term."""
        for term in sorted(self._lists):
            for number, weight in zip(*self._lists[term], strict=True):
                yield TERMS, term, number, weight, b""

    def cleanup(self) -> None:
        """Nothing was written to disk."""


class Segment(W3Segment):  # type: ignore[misc]  # Whoosh has no types here
    """A segment that knows the checksum of its file; the table of contents keeps it."""

    crc = 0

    def create_compound_file(self, storage: Storage) -> None:
        """Put the files of the segment into one and remember its checksum."""
        super().create_compound_file(storage)
        with storage.open_file(self.make_filename(self.COMPOUND_EXT)) as file:
            self.crc = zlib.crc32(file.read())

    def open_compound_file(self, storage: Storage) -> "Compound":
        """The files of the segment, memory-mapped."""
        return Compound(storage.open_file(self.make_filename(self.COMPOUND_EXT)), self.crc)


class Compound(CompoundStorage):  # type: ignore[misc]  # Whoosh has no types here
    """A segment's file, checked against its checksum before it is read.

    Raises:
        DamagedIndexError: the file is cut, zeroed or otherwise changed.
    """

    def __init__(self, file: StructFile, crc: int) -> None:
        if zlib.crc32(file.read()) != crc:
            file.close()
            raise DamagedIndexError("a segment of the index does not have its checksum")
        super().__init__(file)

    def open_file(self, name: str, *_args: object, **_options: object) -> "MappedFile":
        """One file in it, without a copy of its bytes."""
        offset, length = self.range(name)
        return MappedFile(memoryview(self._source)[offset : offset + length], name)


class MappedFile(BufferFile):  # type: ignore[misc]  # Whoosh has no types here
    """A slice of a memory map as Whoosh's file. `get` keeps no position: safe in threads."""

    def __init__(self, view: memoryview, name: str) -> None:
        super().__init__(b"", name)
        self._buf = view
        self.file = _Cursor(view)


class _Cursor(io.RawIOBase):
    """Reads a memory view from a position; only used while a segment is opened."""

    def __init__(self, view: memoryview) -> None:
        self._view = view
        self._place = 0

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: len(self._view)}[whence]
        self._place = start + offset
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]  # a writable buffer
        chunk = self._view[self._place : self._place + len(buffer)]
        buffer[: len(chunk)] = chunk
        self._place += len(chunk)
        return len(chunk)


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

        names = [bytes(name).decode().split("\0") for name in column("name")]
        self.paths = [path for path, _ in names]
        self.ids = [record_id for _, record_id in names]
        self.rows: Row = np.frombuffer(b"".join(column("row")), ROW, size)
        vectors: Vectors = np.frombuffer(b"".join(column("vector")), np.int8)
        self.vectors = vectors.reshape(size, -1)
        self.norms = lengths_of(self.vectors)
        self._entries = column("entry")
        self._decoded: dict[int, Entry] = {}
        self._texts = column("text")
        self._cache: OrderedDict[str, tuple[Ids, Floats]] = OrderedDict()
        self._cached = 0
        self._lock = threading.Lock()

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
