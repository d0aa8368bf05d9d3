"""A file as a note, and a record as a file: the face of this package. Pure.

`parse` takes any bytes and never raises. `parse(path, render(record)).record == record` holds for
every record with a ULID, times in whole seconds, and properties not named like a key of ours.
"""

from mnemos_files.format.append import append
from mnemos_files.format.reading import parse
from mnemos_files.format.writing import add_links, render, update

__all__ = ["add_links", "append", "parse", "render", "update"]
