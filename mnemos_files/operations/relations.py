"""What memories have to do with each other: what is derived from what, links both ways."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemos_files.errors import MnemosError
from mnemos_files.model.note import Entry
from mnemos_files.model.record import LINK_TYPES, Link, Record
from mnemos_files.operations.history_results import LinkRow, SourceRow
from mnemos_files.operations.shown import Screen, clip, shown_id, shown_name, source_of

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.model.note import Note
    from mnemos_files.store.store import Store

DEPTH_MAX = 10
"""Steps [1] that are followed from memory to memory."""

ROWS_MAX = 100
"""Memories [1] of one direction, and links of one, that are looked at."""

DEAD_MAX = 20
"""Links [1] to nothing that are looked up in the history."""


_TOLD_APART = ("derived_from", "session")


def _typed(record: Record) -> Iterator[tuple[str, Link]]:
    """Links in the front matter with their keys."""
    for kind in (*LINK_TYPES, "derived_from"):
        yield from ((kind, link) for link in record.links(kind))
    for kind, link in (("invalidated_by", record.invalidated_by), ("session", record.session)):
        if link:
            yield kind, link


@dataclass(slots=True)
class Relations:
    """Relations in one vault as it is now; `path` is that of the memory that was asked for."""

    store: "Store"
    path: str
    _ends: dict[Link, tuple[str, ...]] = field(default_factory=dict)
    _dead: int = 0

    def sources(self, record: Record) -> list[SourceRow]:
        """The memories from which this one comes, the nearest first; also deleted ones."""
        rows: dict[str, SourceRow] = {}
        waiting = [(link, 1) for link in record.derived_from]
        for link, depth in waiting:
            if len(rows) == ROWS_MAX:
                break
            key = self._end(link) or link
            if key in rows or key == self.path:
                continue
            rows[key], parents = self._source(link, depth)
            if depth < DEPTH_MAX:
                waiting += [(parent, depth + 1) for parent in parents]
        return list(rows.values())

    def derived(self) -> list[SourceRow]:
        """The memories that come from this one, the nearest first."""
        children: dict[str, list[Entry]] = {}
        for entry in self.store.index.entries.values():
            for link in entry.record.derived_from:
                children.setdefault(self._end(link), []).append(entry)
        rows: dict[str, SourceRow] = {}
        waiting = [(self.path, 0)]
        for path, depth in waiting:
            for entry in children.get(path, ()) if depth < DEPTH_MAX else ():
                here = str(entry.path)
                if here not in rows and here != self.path and len(rows) < ROWS_MAX:
                    rows[here] = self._row(entry, depth + 1)
                    waiting.append((here, depth + 1))
        return list(rows.values())

    def links(self, note: "Note") -> list[LinkRow]:
        """Where the links of a note lead: typed ones, then those that only stand in its text."""
        typed = list(_typed(note.record))
        known = {link for _, link in typed}
        told = [(kind, link) for kind, link in typed if kind not in _TOLD_APART]
        told += [("mentions", link) for link in note.outgoing if link not in known]
        return [self._link(kind, link, self._end(link)) for kind, link in told[:ROWS_MAX]]

    def backlinks(self) -> list[LinkRow]:
        """The notes that link here, with the type of their link."""
        rows: list[LinkRow] = []
        for entry in self.store.index.entries.values():
            here = str(entry.path)
            for kind, link in self._pointing(entry) if here != self.path else ():
                if len(rows) == ROWS_MAX:
                    return rows
                rows.append(self._link(kind, link, here))
        return rows

    def _pointing(self, entry: Entry) -> Iterator[tuple[str, Link]]:
        """Links of a note to the memory: each type once, a mention only where no type tells it."""
        here = [link for link in entry.outgoing if self._end(link) == self.path]
        if not here:
            return
        typed = [(kind, link) for kind, link in _typed(entry.record) if link in here]
        for kind in dict.fromkeys(kind for kind, _ in typed):
            if kind != "derived_from":  # told as derived already
                yield kind, next(link for each, link in typed if each == kind)
        if not typed:
            yield "mentions", here[0]

    def _end(self, link: Link) -> str:
        """Path of the note that a link means, "" when none or several."""
        if link not in self._ends:
            self._ends[link] = self.store.resolve(link)
        paths = self._ends[link]
        return paths[0] if len(paths) == 1 else ""

    def _source(self, link: Link, depth: int) -> tuple[SourceRow, tuple[Link, ...]]:
        entry = self._entry(self._end(link))
        if entry is not None:
            return self._row(entry, depth), entry.record.derived_from
        self._dead += 1
        if self._dead <= DEAD_MAX and (note := self._gone(link)):
            return self._row(note, depth, "deleted"), note.record.derived_from
        return SourceRow(shown_name(link), depth, state="missing"), ()

    def _gone(self, link: Link) -> "Note | None":
        """The last text of a deleted note that a link means."""
        past = self.store.versions
        with suppress(MnemosError):  # never there, several, or no history to ask
            subject = past.known_subject(link)
            if not subject.is_there:
                return past.newest(subject, past.of_subject(subject))
        return None

    def _row(self, note: "Note | Entry", depth: int, state: str | None = None) -> SourceRow:
        record = note.record
        screen = Screen(source_of(record, is_ours=note.is_ours))
        return SourceRow(
            id=shown_id(record.id, note.path),
            depth=depth,
            title=screen.text(clip(record.title)),
            type=record.type,
            trust_tier=record.trust_tier,
            source_kind=record.source_kind,
            path=screen.text(str(note.path)),
            state=state,
            derived_from=[self._id(link) for link in record.derived_from[:ROWS_MAX]],
        )

    def _link(self, kind: str, link: Link, path: str) -> LinkRow:
        entry = self._entry(path)
        if entry is None:
            return LinkRow(kind, shown_name(link))
        screen = Screen(source_of(entry.record, is_ours=entry.is_ours))
        return LinkRow(
            kind,
            shown_name(link),
            shown_id(entry.record.id, entry.path),
            screen.text(clip(entry.record.title)),
            screen.text(path),
        )

    def _id(self, link: Link) -> str:
        entry = self._entry(self._end(link))
        return shown_name(link) if entry is None else shown_id(entry.record.id, entry.path)

    def _entry(self, path: str) -> Entry | None:
        return self.store.index.entry(path) if path else None
