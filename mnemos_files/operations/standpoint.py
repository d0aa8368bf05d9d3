"""From where a question looks: at the vault of now, or at that of another time."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from mnemos_files.errors import MnemosError
from mnemos_files.model.record import LINK_TYPES, Record
from mnemos_files.operations.results import LinkedNote
from mnemos_files.operations.shown import shown_id, shown_name

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.model.note import Entry
    from mnemos_files.store.store import Store
    from mnemos_files.store.timeline import Then
    from mnemos_files.store.values import Opened

LINKS_MAX = 12
ID_TAIL = 6


class Standpoint(Protocol):
    """The notes of one time, and what links meant among them."""

    def resolve(self, link: str) -> tuple[str, ...]:
        """Paths that a link may mean: one, none (dangling) or several (ambiguous)."""

    def entry(self, path: str) -> "Entry | None":
        """What is kept of the note at this path, or None."""

    def entries(self) -> "Iterable[Entry]":
        """Every note."""


@dataclass(frozen=True, slots=True)
class Today:
    """The vault of now."""

    store: "Store"

    def resolve(self, link: str) -> tuple[str, ...]:
        """Paths that a link may mean: one, none (dangling) or several (ambiguous)."""
        return self.store.resolve(link)

    def entry(self, path: str) -> "Entry | None":
        """What is kept of the note at this path, or None."""
        return self.store.index.entry(path)

    def entries(self) -> "Iterable[Entry]":
        """Every note."""
        return self.store.index.entries.values()


def open_then(store: "Store", name: str, moment: datetime) -> "tuple[Then, Opened]":
    """The vault of another time, and a note as it was then, by a name of then or of now.

    Raises:
        NotFoundError, AmbiguousNameError: there was not exactly one note of that name.
        UnavailableError: there is no history.
    """
    store.refresh()
    then, record_id = store.timeline.at(store.history, moment), ""
    with suppress(MnemosError):  # it may be gone by now
        record_id = store.get(name).note.record.id
    return then, then.open(name, record_id)


def id_of(at: Standpoint, link: str) -> str:
    """The id of the note that a link means; what the link says when it means none."""
    paths = at.resolve(link)
    entry = at.entry(paths[0]) if len(paths) == 1 else None
    return shown_name(link) if entry is None else shown_id(entry.record.id, entry.path)


def links_of(at: Standpoint, record: Record) -> list[LinkedNote]:
    """The typed links of a record."""
    pairs = [(kind, link) for kind in LINK_TYPES for link in record.links(kind)]
    return [_linked(at, kind, link) for kind, link in pairs[:LINKS_MAX]]


def backlinks_of(at: Standpoint, opened: "Opened") -> list[LinkedNote]:
    """Notes that link to this one, and how."""
    here = str(opened.note.path)
    names = _names(opened)
    found: list[LinkedNote] = []
    for entry in at.entries():
        if len(found) == LINKS_MAX:
            break
        if str(entry.path) == here or not _may_mean(entry, names):
            continue
        kind = _link_kind(at, entry, here)
        if kind:
            note_id = shown_id(entry.record.id, entry.path)
            found.append(LinkedNote(kind, entry.path.stem, note_id, str(entry.path)))
    return found


def _linked(at: Standpoint, kind: str, link: str) -> LinkedNote:
    paths = at.resolve(link)
    entry = at.entry(paths[0]) if len(paths) == 1 else None
    if entry is None:
        return LinkedNote(kind, shown_name(link))
    note_id = shown_id(entry.record.id, entry.path)
    return LinkedNote(kind, shown_name(link), note_id, str(entry.path))


def _names(opened: "Opened") -> tuple[str, ...]:
    """How links to a note end: its name, an alias, the end of its id, or the id."""
    from mnemos_files.format.targets import aliases_of, fold  # noqa: PLC0415 - with the store

    record, stem = opened.note.record, fold(opened.note.path.stem)
    tail = f"-{record.id[-ID_TAIL:].casefold()}"
    ends = (stem, f"{stem}.md", record.id.casefold(), tail, f"{tail}.md")
    return (*ends, *map(fold, aliases_of(record)))


def _may_mean(entry: "Entry", names: tuple[str, ...]) -> bool:
    """Cheap test before links are resolved."""
    return any(link.casefold().endswith(names) for link in entry.outgoing)


def _link_kind(at: Standpoint, entry: "Entry", path: str) -> str:
    """Type of the link from this note to the path; "mentions" for one in its text; "" = none."""
    for kind in (*LINK_TYPES, "derived_from"):
        if any(at.resolve(link) == (path,) for link in entry.record.links(kind)):
            return kind
    is_mentioned = any(at.resolve(link) == (path,) for link in entry.outgoing)
    return "mentions" if is_mentioned else ""
