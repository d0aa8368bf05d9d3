"""Which file a session has, and the one that it gets with the first memory saved in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from mnemos_files.errors import AmbiguousNameError, NotFoundError
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import parse, render
from mnemos_files.index.index import Index
from mnemos_files.model.kind import KINDS
from mnemos_files.model.note import Entry, Note
from mnemos_files.model.record import Link, Record
from mnemos_files.model.session import STATUSES, Session, to_record
from mnemos_files.model.tally import SessionTrace
from mnemos_files.model.ulid import is_ulid
from mnemos_files.store import names
from mnemos_files.store.guard import marked
from mnemos_files.store.journal import Journal
from mnemos_files.vault.files import Vault

Look = Callable[[PurePosixPath], bytes | None]
"""Bytes of a file as they will be, None when there is none."""

_FOLDER = KINDS["session"].folder


@dataclass(frozen=True, slots=True)
class Attached:
    """The link to a session's file; `record` and `path` when the file is still to be written."""

    link: Link = ""
    path: PurePosixPath | None = None
    record: Record | None = None

    @property
    def files(self) -> dict[PurePosixPath, bytes | None]:
        """The file to write with the memory, if any."""
        return {} if self.path is None or self.record is None else {self.path: render(self.record)}

    @property
    def records(self) -> list[Record]:
        """The record of that file, if any."""
        return [] if self.record is None else [self.record]


@dataclass(frozen=True, slots=True)
class SessionFiles:
    """Finds sessions by id in the files and, before they have one, in the journal."""

    vault: Vault
    index: Index
    journal: Journal

    def traces(self) -> Mapping[str, SessionTrace]:
        """What the journals know of every session, by id."""
        return self.journal.tally().sessions

    def look(self, path: PurePosixPath) -> bytes | None:
        """Bytes of a file on disk, None when there is none."""
        try:
            return self.vault.read(path)[0]
        except NotFoundError:
            return None

    def attach(self, name: str, look: Look) -> Attached:
        """The session that a new memory names: by id, or by stem or path as links do.

        Raises:
            NotFoundError: no session has this id or name.
            AmbiguousNameError: several files have it.
        """
        if not name.strip():
            return Attached()
        session_id = as_id(name)
        if not session_id:
            return Attached(names.link_name(str(self.named(name, look).path), self.index))
        path = self.path(session_id, look)
        if path is not None:
            return Attached(names.link_name(str(path), self.index))
        trace = self.traces().get(session_id)
        if trace is None:
            raise no_session(name)
        record = marked(to_record(session_of(trace)))
        path = path_for(record)
        return Attached(names.link_name(str(path), self.index), path, record)

    def is_lost(self, name: str) -> bool:
        """True when the session has no file where one is looked for: a person may have moved it."""
        session_id = as_id(name)
        if not name.strip():
            return False
        try:
            found = self.path(session_id, self.look) if session_id else self.named(name, self.look)
        except NotFoundError:
            return True
        return found is None

    def path(self, session_id: str, look: Look) -> PurePosixPath | None:
        """Where the session's file lies now; a copy that somebody made of it does not count.

        Raises:
            AmbiguousNameError: it was moved and copied, so that nothing tells which one it is.
        """
        known = [entry.path for entry in self._by_id(session_id)]
        there = [path for path in known if look(path) is not None]
        if len(there) == 1 == len(known):
            return there[0]
        trace = self.traces().get(session_id)
        first = None if trace is None else first_path(trace)
        if first is not None and look(first) is not None:
            return first
        if len(there) > 1:
            raise AmbiguousNameError(session_id, [str(path) for path in there])
        return there[0] if there else None

    def note(self, session_id: str, look: Look) -> Note | None:
        """The session's file as it is now, None while it has none.

        Raises:
            AmbiguousNameError: as for `path`.
        """
        path = self.path(session_id, look)
        data = None if path is None else look(path)
        return None if path is None or data is None else parse(path, data)

    def entry(self, session_id: str, trace: SessionTrace | None = None) -> Entry | None:
        """What the index knows of the session's file, None while it has none."""
        known = None if trace is None else self.index.entry(str(first_path(trace)))
        return known or next(iter(self._by_id(session_id)), None)

    def named(self, name: str, look: Look) -> Entry:
        """The session's file with this stem or path.

        Raises:
            NotFoundError: no file of a session is called so.
            AmbiguousNameError: several are.
        """
        known = [self.index.entry(path) for path in names.resolve(name.strip(), self.index)]
        entries = [each for each in known if each is not None and _is_session(each)]
        there = [each for each in entries if look(each.path) is not None]
        if len(there) > 1:
            raise AmbiguousNameError(name, [str(each.path) for each in there])
        if not there:
            raise no_session(name)
        return there[0]

    def _by_id(self, session_id: str) -> list[Entry]:
        known = [self.index.entry(path) for path in self.index.by_id(session_id)]
        return [entry for entry in known if entry is not None and _is_session(entry)]


def _is_session(entry: Entry) -> bool:
    """True also for a session whose front matter a person broke."""
    return entry.record.type == "session" or entry.path.parts[0] == _FOLDER


def first_path(trace: SessionTrace) -> PurePosixPath:
    """The path that a session's file was, or will be, made with."""
    return path_for(to_record(session_of(trace)))


def session_of(trace: SessionTrace) -> Session:
    """The session as far as the journal knows it."""
    start, end = trace.started, trace.ended
    status = "" if end is None else end.status
    return Session(
        id=start.session,
        started=start.at,
        agent=start.agent,
        project=start.project,
        goal=start.goal,
        ended=None if end is None else end.at,
        status=status if status in STATUSES or end is None else "ok",
    )


def as_id(name: str) -> str:
    """The id in upper case, "" for a name that is none."""
    text = name.strip().upper()
    return text if is_ulid(text) else ""


def no_session(name: str, *, has_ended: bool = False) -> NotFoundError:
    """The error for a session that nothing knows, or that has its end already."""
    remedy = "Use the session_id that mnemos_session_start gave, or start a session."
    if has_ended:
        remedy = "It has ended already; start a new session."
    error = NotFoundError(name, remedy=remedy)
    error.message = f"session not found: {name.strip()}"
    error.args = (error.message,)
    return error
