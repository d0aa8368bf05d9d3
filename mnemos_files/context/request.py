"""What a block is wanted for, and the one look at the store that all its sections share."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from mnemos_files.context.compose import Item, Make
from mnemos_files.context.wording import item
from mnemos_files.model.decay import Decay
from mnemos_files.model.note import Entry, Note
from mnemos_files.model.query import Query, Ranking
from mnemos_files.model.record import Record

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

NO_PROJECT = "\0"
"""As the project of a query: a name that no record can have, so that only global ones fit."""


NO_AGENT = "default"
"""Agent of a caller that gave no name: it asks for what all agents know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Who asks and for what; `text` is the goal or the plan, trimmed.

    `session` is the current one: told of by a recovery, left out of the recent ones.
    """

    now: datetime
    text: str = ""
    project: str = ""
    agent: str = ""
    session: str = ""


def request_of(store: "Store", text: str, *, project: str, agent: str, session: str) -> Request:
    """The request of a caller, blanks around each text dropped."""
    return Request(
        now=store.now(),
        text=text.strip(),
        project=project.strip(),
        agent="" if agent.strip() == NO_AGENT else agent.strip(),
        session=session.strip(),
    )


def catching_up(store: "Store") -> tuple[str, ...]:
    """Looks at what moved on disk; a notice when not everything could be read at once.

    Raises:
        UnavailableError: the vault is gone.
    """
    pending = store.refresh()
    left = f"the index is catching up: {pending} files are not read yet"
    return (left,) if pending else ()


def ranked(store: "Store", query: Query) -> Ranking:
    """Notes for a question, of what the index holds now."""
    settings, uses = store.settings, store.journal.tally().uses
    decay = Decay(*settings.decay)
    return store.index.search(query, floor=settings.relevance_floor, uses=uses, decay=decay)


def read_note(store: "Store", entry: Entry) -> Note:
    """The note as its file says now.

    Raises:
        NotFoundError, UnavailableError, CorruptError: the file cannot be read.
    """
    from mnemos_files.format.record import parse  # noqa: PLC0415 - YAML, when there is a store

    data, _ = store.place.vault.read(entry.path)
    return parse(entry.path, data)


def note_item(
    store: "Store", request: Request, entry: Entry, word: Callable[[Record], str]
) -> Make:
    """Makes the line of a note from its file; none when the file no longer fits the index."""

    def make() -> Item | None:
        note = read_note(store, entry)
        record = note.record
        if not may_show(record, request.now) or record.id != entry.record.id:
            return None
        return item(word(record), source_of(note), record.id)

    return make


def may_show(record: Record, now: datetime) -> bool:
    """True for what holds now and was confirmed."""
    return record.trust_tier != "raw" and record.is_live(now)


def source_of(note: Note) -> str:
    """Where a text came from, for the scan: a file that is no memory may come from anywhere."""
    return note.record.source_kind if note.is_ours else "import"
