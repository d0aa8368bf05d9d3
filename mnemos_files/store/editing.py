"""Edits of one note: the one way in which a person's own note may be changed, by name."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from mnemos_files.errors import ChangedOnDiskError, MnemosError
from mnemos_files.format.record import parse
from mnemos_files.model.digest import blob_id
from mnemos_files.model.edit import NoteEdit
from mnemos_files.model.note import Note
from mnemos_files.store.amending import Amender
from mnemos_files.store.draft import Draft, Plan, Planned, Receipt
from mnemos_files.store.message import message
from mnemos_files.store.plans import AGENT_DEFAULT, Plans

VERSION_MIN = 7
"""Least digits [1] of a version that a caller may give, as in git."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A note before and after an edit; `version` names its bytes now."""

    before: Note
    note: Note
    version: str
    receipt: Receipt

    @property
    def is_changed(self) -> bool:
        """False when the file said so already."""
        return self.before is not self.note


@dataclass(frozen=True, slots=True)
class Editing:
    """Edits notes of one vault, as one agent does."""

    plans: Plans
    refresh: Callable[[], int]
    run: Callable[[Plan], Receipt]
    make_id: Callable[[datetime], str]
    agent: str = field(default=AGENT_DEFAULT)

    def acting_for(self, agent: str) -> "Editing":
        """The same, whose commits name this agent."""
        return replace(self, agent=agent)

    def edit(
        self, name: str, change: NoteEdit, *, expected_version: str = "", reason: str = ""
    ) -> Edited:
        """Change one note (by id or path) in one commit; none when it says so already.

        Raises:
            NotFoundError, AmbiguousNameError: the name is not exactly one note.
            ChangedOnDiskError: the note is not at the version that is expected.
            InvalidRecordError, RefusedError: the change is not possible, or not allowed.
            CorruptError: the file cannot be changed safely.
            ConflictError, UnavailableError: writing is not possible now.
        """
        done: list[Edited] = []

        def plan(draft: Draft) -> Planned | None:
            before = self.plans.exact(name, draft)
            data = draft.read(before.path)
            after = self._amended(before, data, change, expected_version)
            note = before if after == data else parse(before.path, after)
            done.append(Edited(before, note, blob_id(after), Receipt()))
            if after == data:
                return None
            commit = message("edit", [note.record], agent=self.agent, body=reason)
            return Planned({before.path: after}, commit)

        self.refresh()
        receipt = self.run(plan)
        return replace(done[-1], receipt=receipt)

    def _amended(self, note: Note, data: bytes, change: NoteEdit, expected: str) -> bytes:
        amender = Amender(self.plans.clock(), self.make_id)
        if not expected or _is_at(data, expected):
            return amender.amended(data, note.path, change)
        try:
            after = amender.amended(data, note.path, change)
        except MnemosError:
            after = b""
        if after != data:  # a call that is sent again after it was done changes nothing
            raise ChangedOnDiskError(str(note.path))
        return data


def _is_at(data: bytes, expected: str) -> bool:
    wanted = expected.strip().lower()
    return len(wanted) >= VERSION_MIN and blob_id(data).startswith(wanted)
