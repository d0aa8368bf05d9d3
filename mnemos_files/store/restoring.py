"""What a note said before, brought back; and the end of a memory, taken back."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.errors import (
    AmbiguousNameError,
    ConflictError,
    InvalidQueryError,
    NotFoundError,
    RefusedError,
    UnavailableError,
)
from mnemos_files.format.paths import SKILL
from mnemos_files.format.record import parse, update
from mnemos_files.model.digest import blob_id, content_digest
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.model.skill import version
from mnemos_files.model.ulid import is_ulid
from mnemos_files.store import names
from mnemos_files.store.draft import Draft, Message, Plan, Planned, Receipt
from mnemos_files.store.message import message
from mnemos_files.store.plans import AGENT_DEFAULT, Plans
from mnemos_files.store.skills import numbered
from mnemos_files.store.versions import Subject, Version, Versions

_DIGITS = 12
_NEWEST = 5


@dataclass(frozen=True, slots=True)
class Restored:
    """A note as it is again; `before` is what was there, None for a note that was gone.

    `source` is the version whose text it has, None where an end was taken back. `superseded_by` are
    memories that still supersede it.
    """

    before: Note | None
    note: Note
    blob: str
    source: Version | None
    superseded_by: tuple[Record, ...]
    receipt: Receipt

    @property
    def is_changed(self) -> bool:
        """False when the note said so already."""
        return self.before is not self.note


@dataclass(frozen=True, slots=True)
class Restoring:
    """Brings notes of one vault back, as one agent does."""

    plans: Plans
    versions: Versions
    run: Callable[[Plan], Receipt]
    agent: str = field(default=AGENT_DEFAULT)

    def acting_for(self, agent: str) -> "Restoring":
        """The same, whose commits name this agent."""
        return replace(self, agent=agent)

    def restore(self, name: str, wanted: str = "") -> Restored:
        """Bring a note back in one commit, by id or path.

        With `wanted`, a commit or version of its history, it gets the text that it had then.
        Without, a deleted note gets its last text, and a memory that was invalidated holds again.

        Raises:
            NotFoundError, AmbiguousNameError: there is and was no such note, or no such version.
            InvalidQueryError: there is nothing to take back, and no version is given.
            RefusedError: the note is a person's own, or what comes back holds a secret.
            ConflictError: another note lies where it was.
            CorruptError: the file cannot be changed safely.
            UnavailableError: there is no history, or writing is not possible now.
        """
        self.versions.refresh()
        if not wanted and self._is_there(name):
            return self._holding_again(name)
        subject = self.versions.subject(name)
        if subject.is_there:
            self._check(name, subject)
        found = self.versions.find(name, wanted) if wanted else self._last(name, subject)
        return self._as_of(subject, found)

    def _check(self, name: str, subject: Subject) -> None:
        """Let pass the exact name of a memory that is there.

        Raises:
            RefusedError: it is a person's own note.
            ConflictError: another note lies where it was.
            NotFoundError: the name is vague, or one that the note had before.
        """
        if self._is_there(name):
            self.plans.ours(name, self._draft())
            return
        if is_ulid(name) and subject.record_id != name:
            raise _taken(self.plans.exact(subject.path, self._draft()))
        raise NotFoundError(name, remedy=f"Did you mean {subject.path}? Use that path, or its id.")

    def _as_of(self, subject: Subject, source: Version) -> Restored:
        """The note with the text of a version, at the path that it has or had last."""
        path, data = PurePosixPath(subject.path), self.versions.text(source)
        done: list[tuple[Note | None, Note, str]] = []

        def plan(draft: Draft) -> Planned | None:
            present = draft.look(path)
            before = None if present is None else parse(path, present)
            if before is None or present is None:
                after = data
            elif subject.is_there or present == data:
                after = _in_place_of(before, path, data)
            else:
                raise _taken(before)
            note = before if before is not None and after == present else parse(path, after)
            done.append((before, note, blob_id(after)))
            if note is before:
                return None
            return Planned({path: after}, self._message(note.record, source))

        receipt = self.run(plan)
        before, note, blob = done[-1]
        return Restored(before, note, blob, source, self._superseding(note), receipt)

    def _holding_again(self, name: str) -> Restored:
        """A memory of which nobody says any more that it does not hold."""
        done: list[tuple[Note, Note, str]] = []

        def plan(draft: Draft) -> Planned:
            before = self.plans.ours(name, draft)
            data = draft.read(before.path)
            if before.record.invalidated is None:
                raise self._nothing(before)
            after = replace(
                before.record,
                invalidated=None,
                invalidated_by="",
                invalidated_reason="",
                valid_until=self._end_before(before),
            )
            changed = update(data, before, after)
            done.append((before, parse(before.path, changed), blob_id(changed)))
            body = f"It holds again; invalidated since {before.record.invalidated.isoformat()}."
            commit = message("restore", [after], agent=self.agent, body=body)
            return Planned({before.path: changed}, commit)

        receipt = self.run(plan)
        before, note, blob = done[-1]
        return Restored(before, note, blob, None, self._superseding(note), receipt)

    def _end_before(self, note: Note) -> datetime | None:
        """The `valid_until` that a memory had when it was not invalidated yet."""
        record = note.record
        with suppress(UnavailableError, NotFoundError):
            for old in self.versions.of(str(note.path)):
                past = parse(old.path, self.versions.text(old)).record if old.id else None
                if past is not None and past.invalidated is None:
                    return past.valid_until
        end, invalidated = record.valid_until, record.invalidated
        return end if end and invalidated and end > invalidated else None

    def _last(self, name: str, subject: Subject) -> Version:
        """The last text of a note that is gone."""
        for found in self.versions.of_subject(subject):
            if found.id:
                return found
        raise NotFoundError(name, remedy="The history of this clone does not hold its text.")

    def _is_there(self, name: str) -> bool:
        try:
            self.plans.exact(name, self._draft())
        except AmbiguousNameError:
            raise
        except NotFoundError:
            return False
        return True

    def _nothing(self, note: Note) -> InvalidQueryError:
        """The error of a call that says nothing to do."""
        by = [str(each.id) for each in self._superseding(note)]
        if by:
            problem = f"is needed: {note.path} was not invalidated, {', '.join(by)} supersedes it"
            remedy = "End that one with mnemos_invalidate, or take its link out: unset supersedes."
            return InvalidQueryError("version", problem, remedy=remedy)
        known: dict[str, str] = {}
        with suppress(UnavailableError, NotFoundError):
            found = self.versions.of(str(note.path))
            for old in found[1:]:
                if old.id not in ("", found[0].id):
                    day = self.versions.origin(old).when.date().isoformat()
                    known.setdefault(old.id[:_DIGITS], day)
        shown = [f"{blob} ({day})" for blob, day in known.items()][:_NEWEST]
        problem = f"is needed: {note.path} is there, and nobody has invalidated it"
        earlier = f" Before it: {', '.join(shown)}." if shown else ""
        remedy = f"Give a version of mnemos_history.{earlier}"
        return InvalidQueryError("version", problem, remedy=remedy)

    def _superseding(self, note: Note) -> tuple[Record, ...]:
        """Memories whose `supersedes` means this note, so that searches leave it out."""
        here = (str(note.path),)
        return tuple(
            entry.record
            for entry in self.plans.index.entries.values()
            if entry.record.supersedes
            and entry.record.can_end(note.record)
            and any(
                names.resolve(link, self.plans.index) == here for link in entry.record.supersedes
            )
        )

    def _message(self, record: Record, source: Version) -> Message:
        when = self.versions.origin(source).when.date().isoformat()
        body = (
            f"The text of commit {source.commit[:_DIGITS]}, {when}, version {source.id[:_DIGITS]}."
        )
        return message("restore", [record], agent=self.agent, body=body)

    def _draft(self) -> Draft:
        return Draft(self.plans.sessions.look)


def _in_place_of(before: Note, path: PurePosixPath, data: bytes) -> bytes:
    """A text of before as it may stand in place of what the note says now.

    What is quarantined now is not trusted again by this, and a skill goes on counting.
    """
    note = parse(path, data)
    if note.record.id != before.record.id:
        raise RefusedError(
            "own-note",
            f"{path} was not this memory then: a person's own note, or another id",
            remedy="Read that text with mnemos_history, and work it in with mnemos_edit.",
        )
    after = note.record
    if before.record.trust_tier == "raw":
        after = replace(after, trust_tier="raw")
    if after.type == SKILL and content_digest(after) != content_digest(before.record):
        after = numbered(after, version(before.record, content_digest(before.record)) + 1)
    return data if after == note.record else update(data, note, after)


def _taken(note: Note) -> ConflictError:
    return ConflictError(
        f"{note.path} is taken by another note, {note.record.title!r}",
        remedy="Move or rename that one, then try again.",
    )
