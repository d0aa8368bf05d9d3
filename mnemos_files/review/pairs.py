"""The memories of a change: what each file said before and says now, found again by their ids."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from mnemos_files.format.front_matter import read
from mnemos_files.format.paths import is_skill_path
from mnemos_files.format.record import parse
from mnemos_files.format.skill import read_skill
from mnemos_files.format.skill_fields import file_key
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.model.ulid import is_ulid
from mnemos_files.review.values import Author
from mnemos_files.store.changeset import Revision, Touched

AGENT_DOMAIN = "@mnemos.invalid"
"""End of the address of an agent as the author of a commit."""


@dataclass(frozen=True)
class Side:
    """A memory before or after a change."""

    note: Note
    data: bytes

    @property
    def record(self) -> Record:
        """What it says."""
        return self.note.record

    @cached_property
    def text(self) -> str:
        """The file as text; bytes that are no UTF-8 are replaced."""
        return self.data.decode("utf-8", "replace")

    @cached_property
    def keys(self) -> Mapping[str, int]:
        """Lines [from 1] of the keys of its front matter; those of a skill's metadata too."""
        path = str(self.note.path)
        if is_skill_path(self.note.path):
            skill = read_skill(self.text, path)
            return {**skill.nested.lines, **skill.front.block.lines}
        return read(self.text, path).block.lines

    def line(self, key: str) -> int:
        """Line of a key of ours [from 1], 0 when it is not there."""
        return self.keys.get(key, self.keys.get(file_key(key), 0))

    def has(self, key: str) -> bool:
        """True when the front matter names the key."""
        return bool(self.line(key))


@dataclass(frozen=True)
class Pair:
    """One memory on both sides of a change; None on the side where it is not."""

    before: Side | None
    after: Side | None
    revisions: tuple[Revision, ...] = ()

    @property
    def side(self) -> Side:
        """What it says now; of a deleted one what it said."""
        side = self.after or self.before
        if side is None:
            raise ValueError("a pair has a side")
        return side

    @property
    def path(self) -> str:
        """Where it lies now, or lay."""
        return str(self.side.note.path)

    @property
    def before_path(self) -> str:
        """Where it lay before; where it lies now when it is new."""
        return str((self.before or self.side).note.path)

    @property
    def is_of_agent(self) -> bool:
        """True when an agent made a commit of the change that touches it."""
        return any(author.is_agent for author in self.authors)

    @property
    def authors(self) -> tuple[Author, ...]:
        """Who made the commits that touch it, the last one first; none when nobody committed."""
        return tuple(dict.fromkeys(map(author_of, self.revisions)))


def author_of(revision: Revision) -> Author:
    """Who made a commit."""
    trailers = dict(revision.trailers)
    agent = trailers.get("Mnemos-Agent", "")
    if agent or revision.author_email.endswith(AGENT_DOMAIN):
        return Author(
            agent or revision.author_name, is_agent=True, session=trailers.get("Mnemos-Session", "")
        )
    return Author(revision.author_name)


def pairs(files: Iterable[Touched]) -> list[Pair]:
    """The notes that a change touches, by path.

    A file that came with the id, or the bytes, of one that went is that one, renamed.
    """
    touched = [one for one in files if one.is_note]
    gone = [one for one in touched if one.after is None]
    found = list(_pairs(touched, _Gone(gone)))
    return sorted(found, key=lambda pair: pair.path)


class _Gone:
    """Notes that are no longer at their path, and may be at another one."""

    def __init__(self, files: Sequence[Touched]) -> None:
        self.left = {one.path: one for one in files if one.before is not None}
        notes = {path: _note(path, one.before) for path, one in self.left.items()}
        self._by_id = {note.record.id: path for path, note in notes.items()}
        self._by_data = {one.before: path for path, one in self.left.items()}

    def take(self, note: Note, data: bytes) -> Touched | None:
        """The one that a new file was before, if there is one; it is taken once."""
        record_id = note.record.id
        same_id = self._by_id.get(record_id) if is_ulid(record_id) else None
        path = same_id or self._by_data.get(data)
        return None if path is None else self.left.pop(path, None)


def _pairs(touched: Sequence[Touched], gone: _Gone) -> Iterator[Pair]:
    for one in touched:
        if one.after is None:
            continue
        after = Side(_note(one.path, one.after), one.after)
        if one.before is not None:
            yield Pair(_side(one.path, one.before), after, one.revisions)
            continue
        former = gone.take(after.note, one.after)
        before = None if former is None else _side(former.path, former.before)
        yield Pair(before, after, _joined(one, former))
    for one in gone.left.values():
        yield Pair(_side(one.path, one.before), None, one.revisions)


def _joined(one: Touched, former: Touched | None) -> tuple[Revision, ...]:
    """Commits of the new path, then those of the old one that are not among them."""
    return tuple(dict.fromkeys((*one.revisions, *(former.revisions if former else ()))))


def _side(path: str, data: bytes | None) -> Side | None:
    return None if data is None else Side(_note(path, data), data)


def _note(path: str, data: bytes | None) -> Note:
    return parse(PurePosixPath(path), data or b"")
