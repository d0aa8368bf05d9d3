"""The file of a session that ends: what was saved and touched in it, and its outcome."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from mnemos_files.format.links import find_links
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import render, update
from mnemos_files.format.session import saved_line, touched_lines, with_log
from mnemos_files.index.index import Index
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.model.session import Session, from_record, to_record, with_outcome
from mnemos_files.store import names
from mnemos_files.store.guard import marked
from mnemos_files.store.session_files import SessionFiles, as_id, first_path, no_session, session_of
from mnemos_files.store.writer import Draft


@dataclass(frozen=True, slots=True)
class Known:
    """A session as it is before a change: its file if it has one, and what the journal adds."""

    session: Session
    note: Note | None
    first: PurePosixPath | None = None
    touched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """The file of an ended session."""

    record: Record
    path: PurePosixPath
    data: bytes


@dataclass(frozen=True, slots=True)
class SessionLog:
    """Reads sessions for a change and renders them after it."""

    index: Index
    files: SessionFiles

    def known(self, session_id: str, draft: Draft) -> Known:
        """The session with this id; where it has a file, that counts and not the journal.

        Raises:
            NotFoundError: neither a file nor a journal has it.
            AmbiguousNameError: several files have it.
        """
        note = self.files.note(session_id, draft.look)
        trace = self.files.traces().get(session_id)
        if note is not None and trace is None:
            return Known(from_record(note.record), note)
        if trace is None:
            raise no_session(session_id)
        session = session_of(trace) if note is None else from_record(note.record)
        return Known(session, note, first_path(trace), trace.touched)

    def page(self, known: Known, after: Session, draft: Draft) -> Page:
        """The session's file with this outcome; what a person wrote in it stays.

        Raises:
            CorruptError: the file is there and cannot be changed safely.
        """
        note = known.note
        record = to_record(known.session) if note is None else note.record
        path = path_for(record) if note is None else note.path
        logged = with_log(
            with_outcome(record, after),
            self._saved(known, path, record.section("saved"), draft),
            touched_lines(known.touched),
            after.summary,
            after.reflection,
        )
        logged = marked(logged, record)
        data = render(logged) if note is None else update(draft.read(path), note, logged)
        return Page(logged, path, data)

    def records(
        self, session_id: str, path: PurePosixPath, first: PurePosixPath
    ) -> list[tuple[PurePosixPath, Record]]:
        """The notes that say they come from this session, oldest first.

        `path` is where its file lies, `first` where it was made: links may have either name.
        """
        return [
            (entry.path, entry.record)
            for entry in self.index.by_session(session_id, path.stem, first.stem)
            if entry.record.type != "session"
            and self._means(entry.record.session, session_id, path)
        ]

    def _means(self, link: str, session_id: str, path: PurePosixPath) -> bool:
        """False for the link to another file that only has the same name."""
        is_named = names.means(link, str(path), session_id)
        return is_named or str(path) in names.resolve(link, self.index)

    def _saved(self, known: Known, path: PurePosixPath, old: str, draft: Draft) -> Iterator[str]:
        listed = {place for link in find_links(old) for place in names.resolve(link, self.index)}
        session_id = known.session.id
        new = [
            (path_for(record), record)
            for record in draft.saved.values()
            if as_id(record.session) == session_id
        ]
        for place, record in [*self.records(session_id, path, known.first or path), *new]:
            if str(place) not in listed:
                yield saved_line(names.link_name(str(place), self.index), record)
