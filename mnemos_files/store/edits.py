"""Several changes of records as one commit: what a pass over the whole vault writes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mnemos_files import __version__
from mnemos_files.errors import MnemosError
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import render, update
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.store.draft import Draft, Message, Plan, Planned, Receipt
from mnemos_files.store.guard import marked
from mnemos_files.store.plans import Plans
from mnemos_files.store.skills import Skills

WRITABLE = 0o222
"""Bits of a file's mode of which one is set unless a person has write-protected it."""


@dataclass(frozen=True, slots=True)
class Add:
    """A new record. One whose file is there already is left as it is."""

    record: Record


@dataclass(frozen=True, slots=True)
class Change:
    """Another state of a record (by id or path): `to` gets the note as it is now.

    It may be called more than once.
    """

    name: str
    to: Callable[[Note], Record]


@dataclass(frozen=True, slots=True)
class Drop:
    """The end of a record's file (by id or path); its history stays."""

    name: str


@dataclass(frozen=True, slots=True)
class SaveSkill:
    """A new skill, or the next version of the one of its agent and name (`Skills.save`)."""

    record: Record


Edit = Add | Change | Drop | SaveSkill


@dataclass(frozen=True, slots=True)
class Work:
    """Changes that belong together: `op` for the trailer, `subject` and `body` of the commit."""

    op: str
    subject: str
    edits: Sequence[Edit]
    body: str = ""
    agent: str = "dream"


@dataclass(frozen=True, slots=True)
class Edits:
    """Carries out work: `run` writes, `refresh` looks at the disk before."""

    plans: Plans
    skills: Skills
    refresh: Callable[[], int]
    run: Callable[[Plan], Receipt]

    def commit(self, work: Work) -> Receipt:
        """Write the work in one commit, whole or not at all; no commit when it changes nothing.

        Raises:
            NotFoundError, AmbiguousNameError: a name is not exactly one note.
            InvalidRecordError: a text cannot be stored.
            RefusedError: a note is a person's own, or a text holds a secret.
            CorruptError: a file cannot be changed safely.
            ConflictError, UnavailableError: writing is not possible now.
        """
        self.refresh()
        return self.run(lambda draft: self._planned(work, draft))

    def fault(self, edit: Edit) -> str:
        """Why an edit cannot be made as the files are now, "" when it can."""
        try:
            found = self._file(edit, Draft(self.plans.sessions.look))
        except MnemosError as error:
            return f"{error.message}. {error.remedy}".strip()
        return _protection(self.plans.vault.root / found[1]) if found is not None else ""

    def _planned(self, work: Work, draft: Draft) -> Planned | None:
        layered = Draft(draft.look)  # an edit sees those before it: two may want one new path
        records = []
        for edit in work.edits:
            found = self._file(edit, layered)
            if found is not None:
                record, path, data = found
                layered.written[path] = data
                records.append(record)
        files = dict(layered.written)
        return Planned(files, _message(work, records)) if files else None

    def _file(self, edit: Edit, draft: Draft) -> tuple[Record, PurePosixPath, bytes | None] | None:
        """The record, path and bytes that an edit comes to; None when it changes nothing."""
        match edit:
            case Add(record):
                path = path_for(record)
                is_there = draft.look(path) is not None
                return None if is_there else (record, path, render(marked(record), path))
            case Change(name, to):
                note = self.plans.ours(name, draft)
                after = marked(to(note), note.record)
                if after == note.record:
                    return None
                return after, note.path, update(draft.read(note.path), note, after)
            case Drop(name):
                note = self.plans.ours(name, draft)
                return note.record, note.path, None
            case SaveSkill(record):
                made = self.skills.next_version(record, draft)
                return made.record, made.path, made.data


def _protection(file: Path) -> str:
    """Why a file is not to be written to, "" when it may be."""
    try:
        mode = file.lstat().st_mode
    except OSError:  # a new file, or one that is gone: the write itself tells
        return ""
    return "" if mode & WRITABLE else "it is write-protected. Take the protection away."


def _message(work: Work, records: Sequence[Record]) -> Message:
    trailers = [("Mnemos-Op", work.op)]
    trailers += [("Mnemos-Id", record.id) for record in records]
    trailers += [("Mnemos-Agent", work.agent), ("Mnemos-Tool-Version", __version__)]
    return Message(work.subject, work.body.strip(), tuple(trailers), work.agent)
