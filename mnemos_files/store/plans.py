"""What a call would change: plans on top of a draft, which the writer carries out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.config import Settings
from mnemos_files.errors import ConflictError, InvalidRecordError, RefusedError
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import parse, render, update
from mnemos_files.index.index import Index
from mnemos_files.model.digest import content_digest
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.store import names
from mnemos_files.store.message import message
from mnemos_files.store.session_files import SessionFiles
from mnemos_files.store.writer import Draft, Message, Planned
from mnemos_files.vault.files import Vault

AGENT_DEFAULT = "default"
"""Agent of a record whose writer gave no name."""


@dataclass(frozen=True, slots=True)
class Plans:
    """Makes plans from what the index knows and the draft says."""

    vault: Vault
    index: Index
    clock: Callable[[], datetime]
    sessions: SessionFiles

    def put(self, record: Record, supersedes: Sequence[str], agent: str, draft: Draft) -> Planned:
        """A new file, the end of what it supersedes, and its session's file if there is none.

        What a quarantined record cannot end (`Record.can_end`) stays as it is.

        Raises:
            NotFoundError, AmbiguousNameError: a superseded name is not exactly one note, or the
                session's not exactly one session.
            RefusedError: a superseded note is a person's own.
        """
        path = path_for(record)
        if draft.look(path) is not None:
            raise ConflictError(f"{path} exists already", remedy="Try again.")
        olds = [self.exact(name, draft) for name in supersedes]
        attached = self.sessions.attach(record.session, draft.look)
        linked = replace(
            record,
            session=attached.link,
            supersedes=tuple(names.link_name(str(old.path), self.index) for old in olds),
            derived_from=tuple(self._link_to(parent) for parent in record.derived_from),
        )
        files = {**attached.files, path: render(linked)}
        for old in olds:
            _must_be_ours(old)
            if record.can_end(old.record):
                files[old.path] = self._invalidated(old, path, draft)
        note = message(
            "save",
            [record, *(old.record for old in olds), *attached.records],
            agent=agent,
            body=record.section("rationale"),
        )
        return Planned(files, note)

    def link(
        self, one: Note, other: Note, link_type: str, agent: str, draft: Draft
    ) -> Planned | None:
        """The link in the source's front matter; None when it stands there already.

        `supersedes` ends the target, too, if the source can (`Record.can_end`).

        Raises:
            InvalidRecordError: a record cannot supersede itself.
            RefusedError: a note that must change is a person's own.
        """
        if link_type == "supersedes" and one.path == other.path:
            raise InvalidRecordError("target_id", "a record cannot supersede itself")
        _must_be_ours(one)
        known = [
            path for link in one.record.links(link_type) for path in names.resolve(link, self.index)
        ]
        ends = link_type == "supersedes" and one.record.can_end(other.record)
        if str(other.path) in known and (not ends or other.record.invalidated):
            return None
        link = names.link_name(str(other.path), self.index)
        changed = one.record.linked(link_type, link)
        files: dict[PurePosixPath, bytes | None] = {}
        if str(other.path) not in known:
            files[one.path] = update(draft.read(one.path), one, changed)
        if ends and other.record.invalidated is None:
            files[other.path] = self._invalidated(other, one.path, draft)
        who = one.record.agent if agent == AGENT_DEFAULT else agent
        op = "supersede" if link_type == "supersedes" else "link"
        body = f"{link_type}: {one.record.title} -> {other.record.title}"
        return Planned(
            files, message(op, [one.record, other.record], agent=who or AGENT_DEFAULT, body=body)
        )

    def update(self, note: Note, after: Record, commit: Message, draft: Draft) -> Planned | None:
        """Other text or keys of one file; None when the record stays the same.

        Raises:
            RefusedError: the note is a person's own.
        """
        _must_be_ours(note)
        if after == note.record:
            return None
        return Planned({note.path: update(draft.read(note.path), note, after)}, commit)

    def remove(self, note: Note, agent: str) -> Planned:
        """The file's end."""
        return Planned({note.path: None}, message("delete", [note.record], agent=agent))

    def twin(self, record: Record, digest: str, draft: Draft) -> Record | None:
        """A live record of the same agent and project that says the same."""
        known = [self.index.entry(path) for path in self.index.by_digest(digest)]
        records = [
            entry.record
            for entry in known
            if entry is not None and entry.is_ours and _says(entry.path, digest, draft)
        ]
        records += [draft.saved[digest]] if digest in draft.saved else []
        now = self.clock()
        for other in records:
            same_scope = not record.project or other.project == record.project
            if other.agent == record.agent and same_scope and other.is_live(now):
                return other
        return None

    def exact(self, name: str, draft: Draft) -> Note:
        """The one note with this id or path.

        Raises:
            NotFoundError, AmbiguousNameError: the name is not exactly one note.
        """
        path = names.find_exact(name, self.index, self._exists)
        return parse(PurePosixPath(path), draft.read(PurePosixPath(path)))

    def ours(self, name: str, draft: Draft) -> Note:
        """The one record of ours with this id or path.

        Raises:
            NotFoundError, AmbiguousNameError: the name is not exactly one note.
            RefusedError: the note is a person's own.
        """
        note = self.exact(name, draft)
        _must_be_ours(note)
        return note

    def _exists(self, path: PurePosixPath) -> bool:
        return self.vault.stamp(path) is not None

    def _invalidated(self, old: Note, successor: PurePosixPath, draft: Draft) -> bytes:
        """The old record with its end: when, and through which file."""
        _must_be_ours(old)
        if old.record.invalidated is not None:
            return draft.read(old.path)
        now = self.clock().replace(microsecond=0)
        after = replace(
            old.record,
            invalidated=now,
            invalidated_by=names.link_name(str(successor), self.index),
            valid_until=old.record.valid_until or now,
        )
        return update(draft.read(old.path), old, after)

    def _link_to(self, name: str) -> str:
        paths = self.index.by_id(name)
        return names.link_name(paths[0], self.index) if len(paths) == 1 else name


def adoption(path: PurePosixPath, data: bytes, settings: Settings) -> Message:
    """The commit of a person's own edit, ahead of ours.

    Raises:
        ConflictError: the settings do not allow it.
    """
    if settings.adopt_edits == "never":
        raise ConflictError(
            f"{path} has an edit that is not committed",
            remedy="Commit it first: [git] adopt_edits is set to never.",
        )
    record = parse(path, data).record
    return message("edit", [replace(record, source_kind="user")], agent=None)


def _says(path: PurePosixPath, digest: str, draft: Draft) -> bool:
    """True when the file still says this: the index may be behind the disk."""
    data = draft.look(path)
    return data is not None and content_digest(parse(path, data).record) == digest


def _must_be_ours(note: Note) -> None:
    if not note.is_ours:
        raise RefusedError(
            "own-note",
            f"{note.path} is a person's own note, which is never rewritten",
            remedy="Save what should be linked or said as a memory of its own; mnemos_edit changes "
            "a note that the person wants changed.",
        )
