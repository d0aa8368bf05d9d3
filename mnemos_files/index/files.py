"""A segment's file: checked before it is read, and read without positions or memory maps.

Reading at an offset (`pread`) is safe in threads, and what was read does not count as this
process's memory, as the pages of a map would.
"""

import io
import os
import threading
import weakref
import zlib
from pathlib import Path
from typing import BinaryIO

from whoosh.codec.whoosh3 import W3Segment
from whoosh.filedb.compound import CompoundStorage
from whoosh.filedb.filestore import FileStorage, Storage
from whoosh.filedb.structfile import BufferFile, StructFile

CHUNK = 65_536


class DamagedIndexError(Exception):
    """A file of the index does not hold what was written to it."""


class Files(FileStorage):  # type: ignore[misc]  # Whoosh has no types here
    """Whoosh's folder of files; tables of contents are read whole, so that none stays open."""

    def open_file(self, name: str, **options: object) -> StructFile:
        """A file to read from."""
        if name.endswith(".toc"):
            return BufferFile(Path(self.folder, name).read_bytes(), name)
        return super().open_file(name, **options)


class Segment(W3Segment):  # type: ignore[misc]  # Whoosh has no types here
    """A segment that knows the checksum of its file; the table of contents keeps it."""

    crc = 0

    def create_compound_file(self, storage: Storage) -> None:
        """Put the files of the segment into one and remember its checksum."""
        super().create_compound_file(storage)
        with storage.open_file(self.make_filename(self.COMPOUND_EXT)) as file:
            self.crc = _checksum(file)

    def open_compound_file(self, storage: Storage) -> "Compound":
        """The files of the segment.

        Raises:
            DamagedIndexError: the file is cut, zeroed or otherwise changed.
        """
        file = storage.open_file(self.make_filename(self.COMPOUND_EXT))
        if _checksum(file) != self.crc:
            file.close()
            raise DamagedIndexError("a segment of the index does not have its checksum")
        return Compound(file)


class Compound(CompoundStorage):  # type: ignore[misc]  # Whoosh has no types here
    """The files inside a segment's file, which is closed when nobody uses them any more."""

    def __init__(self, file: StructFile) -> None:
        super().__init__(file, use_mmap=False)
        self._source = _Source(file.raw_file())

    def open_file(self, name: str, *_args: object, **_options: object) -> "Piece":
        """One file in it, without a copy of its bytes."""
        start, length = self.range(name)
        return Piece(self._source, start, length, name)

    def close(self) -> None:
        """Give the file up; pieces that are still in use keep it open."""
        self.is_closed = True


class Piece(BufferFile):  # type: ignore[misc]  # Whoosh has no types here
    """A part of a file as Whoosh's file. `get` keeps no position: safe in threads."""

    def __init__(self, source: "_Source", start: int, length: int, name: str) -> None:
        super().__init__(b"", name)
        self._source = source
        self._start = start
        self.file = _Cursor(self, length)

    def get(self, position: int, length: int) -> bytes:
        """Bytes at a position."""
        return self._source.read(self._start + position, length)


class _Source:
    """Reads a file at offsets; the file is closed with the last reader."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._lock = threading.Lock()
        weakref.finalize(self, file.close)

    def read(self, offset: int, length: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._file.fileno(), length, offset)
        with self._lock:
            self._file.seek(offset)
            return self._file.read(length)


class _Cursor(io.RawIOBase):
    """Reads a piece from a position; only used while a segment is opened."""

    def __init__(self, piece: Piece, length: int) -> None:
        self._piece = piece
        self._length = length
        self._place = 0

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._length}[whence]
        self._place = start + offset
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]  # a writable buffer
        count = min(len(buffer), self._length - self._place)
        buffer[:count] = self._piece.get(self._place, count)
        self._place += count
        return count


def _checksum(file: StructFile) -> int:
    """CRC-32 of a file from its beginning, to which it is set back."""
    crc = 0
    while chunk := file.read(CHUNK):
        crc = zlib.crc32(chunk, crc)
    file.seek(0)
    return crc
