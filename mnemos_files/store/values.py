"""What the store gives back."""

from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from mnemos_files.model.note import Entry, Note
from mnemos_files.model.query import Hit, Ranking
from mnemos_files.model.record import Record
from mnemos_files.store.writer import Receipt


@dataclass(frozen=True, slots=True)
class Saved:
    """A record that is in the vault: `is_new` is false when a live one said the same already."""

    record: Record
    path: PurePosixPath
    is_new: bool
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Linked:
    """Two records that are linked; `is_new` is false when they were before."""

    source: Record
    target: Record
    is_new: bool
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Updated:
    """A record that was changed where it lies; equal ones mean that nothing had to be written."""

    before: Record
    record: Record
    path: PurePosixPath
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Removed:
    """A record that is no longer in the vault; its text is still in the history."""

    record: Record
    path: PurePosixPath
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Found:
    """A note that answers a question, with the passage that shows why."""

    hit: Hit
    snippet: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search gives: `pending` files are not read yet; `notices` are facts to pass on."""

    found: tuple[Found, ...]
    ranking: Ranking
    pending: int
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """One note read from its file: `version` names its bytes, `entry` what the index knows."""

    note: Note
    version: str
    entry: Entry | None

    @property
    def standing(self) -> Record:
        """What the note says, and when it ended if another one says so."""
        record, entry = self.note.record, self.entry
        if entry is None or entry.blob != self.version or record.invalidated is not None:
            return record
        known = entry.record
        return replace(record, invalidated=known.invalidated, invalidated_by=known.invalidated_by)
