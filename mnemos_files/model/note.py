"""A markdown file of the vault, read."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from mnemos_files.model.problem import Problem
from mnemos_files.model.record import Link, Record


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the file system says of a file: size [bytes], change time [ns], inode."""

    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Note:
    """A file and what it says.

    Every markdown file has one: a file that cannot be read as a record still has a `record` with
    the text, an id that is the path, and whatever keys could be read, and `problems` that say why.
    `body` is the text after the front matter as it stands in the file. `outgoing` are the link
    targets in properties and text outside of code, each once. `is_ours` is true for a file whose
    front matter says that it is a memory (it has a `type` that is ours, or an `id`). `inline_tags`
    stand in its text, outside of code.
    """

    path: PurePosixPath
    record: Record
    body: str = ""
    outgoing: tuple[Link, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_ours: bool = False
    inline_tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """What the index keeps of a note: the record without its texts, and how to see that it moved.

    The tags of the record are those of the front matter, then those of the text.

    `blob` is git's name [40 hex digits] for the bytes of the file, `digest` the identity used to
    find duplicates (`model.digest.content_digest`), `author` and the rest come from the record.
    """

    path: PurePosixPath
    stamp: Stamp
    blob: str
    record: Record
    digest: str
    outgoing: tuple[Link, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_ours: bool = False
