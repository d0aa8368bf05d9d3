"""How notes lie in a Whoosh index: the schema, and a codec for posting lists as plain arrays.

Whoosh writes the files, merges them and swaps them in with one rename; the codec only says that a
posting list is two arrays, numbers and frequencies, so that it is read at once, not in a loop.
"""

import struct
from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from whoosh import columns, fields, formats
from whoosh.codec.base import PostingsWriter
from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.filestore import Storage
from whoosh.filedb.structfile import StructFile
from whoosh.matching import ListMatcher
from whoosh.reading import TermInfo

from mnemos_files.index.files import Segment
from mnemos_files.index.part import Floats, Ids
from mnemos_files.index.row import ROW

TERMS = "terms"
POSTING_BYTES = 5
_COUNT = struct.Struct("<I")
CACHED_POSTINGS = 500_000
"""Postings [1] of a part that stay in memory (8 bytes each), the least recently used go first."""

DECODED_ENTRIES = 10_000
"""Entries [1] of a part that stay decoded (about 1.5 kB each)."""

_NONE: tuple[Ids, Floats] = (np.empty(0, np.int32), np.empty(0, np.float32))


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
        text=fields.COLUMN(columns.VarBytesColumn()),
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

    def new_segment(self, _storage: Storage, indexname: str) -> Segment:
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
