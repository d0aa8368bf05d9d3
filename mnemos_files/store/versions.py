"""The versions of a note: what it said before, also when it is gone."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePosixPath

from mnemos_files.errors import (
    AmbiguousNameError,
    InvalidQueryError,
    NotFoundError,
    UnavailableError,
)
from mnemos_files.format.record import parse
from mnemos_files.history.past import Origin, Past
from mnemos_files.history.repo import History
from mnemos_files.history.texts import counts, unified
from mnemos_files.history.trail import Trail
from mnemos_files.model.digest import blob_id
from mnemos_files.model.note import Note
from mnemos_files.model.ulid import is_ulid
from mnemos_files.store.batch import QUIET
from mnemos_files.store.blame import Blame
from mnemos_files.store.lineage import ID_TAIL, Lineage, Version, own_id
from mnemos_files.store.lookup import Lookup
from mnemos_files.store.note_news import NoteNews, Reporter
from mnemos_files.store.place import Place
from mnemos_files.store.uncommitted import Uncommitted, uncommitted

__all__ = ["NoteNews", "Origin", "Subject", "Version", "Versions"]

SHORT_MIN = 4
"""Shortest beginning [characters] of the id of a version or commit, as in git."""

KEPT_MAX = 50
"""Notes whose versions stay known, for the next page and the next question."""

_REMEDY = "mnemos_history lists the versions of a memory."


@dataclass(frozen=True, slots=True)
class Subject:
    """What a name stands for. `path` is the note's today, or the last one of a deleted note.

    `known_as` is its last path in a commit, another one while a person's rename is not committed.
    `record_id` is "" for a note without an id.
    """

    path: str
    known_as: str
    record_id: str
    is_there: bool


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A file as it is now: whether the current commit has the same, and when it changed [UTC]."""

    data: bytes
    is_committed: bool
    changed: datetime

    @property
    def version(self) -> str:
        """Git's name of the bytes."""
        return blob_id(self.data)


@dataclass(frozen=True, slots=True)
class Versions:
    """Looks back at single notes. Only reads."""

    place: Place
    lookup: Lookup
    refresh: Callable[[], int]
    _kept: dict[tuple[str, int, str, str], list[Version]] = field(default_factory=dict)

    def of(self, name: str) -> list[Version]:
        """The committed versions of a note by id, path or name, newest first.

        Also of a deleted one, and through renames. A deletion is a version with the id "".

        Raises:
            NotFoundError, AmbiguousNameError: no note was ever called so, or several were.
            UnavailableError: there is no history, or it is damaged.
        """
        return self.of_subject(self.subject(name))

    def of_subject(self, subject: Subject) -> list[Version]:
        """The same of a note that was looked up."""
        trail = self.past.trail()
        key = (trail.head, len(trail.body), subject.known_as, subject.record_id)
        if key not in self._kept:
            found = self._lineage(trail).of(subject.known_as, subject.record_id)
            if len(self._kept) >= KEPT_MAX:
                self._kept.clear()
            self._kept[key] = found
        return list(self._kept[key])

    def find(self, name: str, version: str) -> Version:
        """One version of a note: by its id, by a commit that made it, or as of a commit (HEAD~3).

        Ids may be short. When a note had one text several times, the newest of them is meant.

        Raises:
            NotFoundError, AmbiguousNameError: no such note or version, or several.
            UnavailableError: there is no history, or it is damaged.
        """
        subject = self.subject(name)
        found = self.of_subject(subject)
        wanted = version.strip()
        if exact := _named(found, wanted.lower(), version):
            return exact
        if found and subject.is_there and wanted == self._on_disk(subject.path):
            return found[0]  # git keeps other line ends than the file has
        return self._at(found, wanted)

    def text(self, version: Version) -> bytes:
        """The bytes of a version as git keeps them.

        Raises:
            NotFoundError: it is a deletion.
            UnavailableError: the history is damaged.
        """
        if not version.id:
            raise NotFoundError(version.commit, remedy=f"That commit deleted it. {_REMEDY}")
        return self.blob(version.id)

    def blob(self, blob: str) -> bytes:
        """The bytes of a blob as git keeps them.

        Raises:
            UnavailableError: the history is damaged.
        """
        try:
            return self._history.read_blob(blob)
        except NotFoundError as error:
            raise UnavailableError(
                f"the git history is damaged: {blob} cannot be read",
                remedy="Run `git fsck`; fetch or restore what is missing.",
            ) from error

    def diff(self, old: str, new: str) -> str:
        """What differs between two texts, as hunks of a unified diff; "" when nothing does."""
        return unified(old, new)

    def counts(self, old: bytes, new: bytes) -> tuple[int, int]:
        """How many lines [1] were added and removed; other line ends alone change none."""
        return counts(old, new)

    def note(self, version: Version) -> Note:
        """The note that a version is; for a deletion the one that it was before.

        Raises:
            UnavailableError: the history is damaged.
        """
        return parse(version.path, self.blob(version.id or version.before))

    def newest(self, subject: Subject, versions: Sequence[Version]) -> Note:
        """A note as it is now, or as it was last.

        Raises:
            UnavailableError: the history is damaged.
        """
        if subject.is_there:
            path = PurePosixPath(subject.path)
            return parse(path, self.place.vault.read(path)[0])
        return self.note(next(one for one in versions if one.id or one.before))

    def on_disk(self, subject: Subject) -> OnDisk | None:
        """The file of a note as it is now, None when it is gone."""
        if not subject.is_there:
            return None
        path = PurePosixPath(subject.path)
        data, stamp = self.place.vault.read(path)
        head = self._history.committed(path)
        when = datetime.fromtimestamp(stamp.mtime_ns // 10**9, UTC)
        return OnDisk(data, head != "" and head == self._history.blob_id(path, data), when)

    def blame(self, subject: Subject) -> list[tuple[str, Version | None]]:
        """Each line of a note's newest text, and the version that brought it.

        None is a line that is not committed. Of a deleted note the last text counts.

        Raises:
            UnavailableError: there is no history, or it is damaged.
        """
        versions = [one for one in self.of_subject(subject) if one.id or not subject.is_there]
        versions = versions[1:] if versions and not versions[0].id else versions
        now = self.on_disk(subject)
        data = now.data if now else self.blob(versions[0].id) if versions else b""
        found = Blame(self.past, self.blob).of(versions, data)
        lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        return list(zip(lines, found, strict=False))

    def news(self, base: str, head: str) -> list[NoteNews]:
        """What became of notes between two commits ("" = nothing), the one touched last first.

        Raises:
            UnavailableError: there is no history, or it is damaged.
        """
        lineage = self._lineage(self.past.trail())
        return Reporter(self.past, lineage, self.place.vault.is_note).between(base, head)

    def commit_at(self, moment: datetime) -> str:
        """The commit that the branch had at a time, "" when it had none.

        Raises:
            UnavailableError: there is no history, or it is damaged.
        """
        return self._history.at(moment)

    def commit(self, name: str) -> str:
        """The commit that a name means, "" when the current branch does not come from one.

        Raises:
            UnavailableError: there is no history, or it is damaged.
        """
        with suppress(InvalidQueryError):
            commit = self._history.resolve(name)
            head = self.past.trail().head
            return commit if head and self.past.comes_from(head, commit) else ""
        return ""

    def uncommitted(self) -> list[Uncommitted]:
        """Notes that a person has changed, added or deleted without a commit, by path."""
        self.refresh()
        return uncommitted(self.place.vault, self.lookup.index, self._history)

    def origin(self, version: Version) -> Origin:
        """Who made a version, when and why."""
        return self.past.origin(version.commit)

    def prepare(self) -> float:
        """Read the commits before somebody asks; gives the time [s] after which to do it again."""
        with suppress(UnavailableError):
            self.past.trail()
        return QUIET.total_seconds()

    def forget(self) -> None:
        """Drop what is kept of the commits, in memory and on disk; it is derived."""
        self._kept.clear()
        with suppress(UnavailableError):
            self.past.forget()

    @property
    def past(self) -> Past:
        """The commits of the vault.

        Raises:
            UnavailableError: there is no history.
        """
        past = self._history.past
        past.folder = self.place.derived
        return past

    def subject(self, name: str) -> Subject:
        """The note that a name stands for: one that is there, else one that was.

        Raises:
            NotFoundError, AmbiguousNameError: no note was ever called so, or several were.
            UnavailableError: there is no history, or it is damaged.
        """
        self.refresh()
        return self.known_subject(name)

    def known_subject(self, name: str) -> Subject:
        """The same without a look at what moved on disk."""
        trail = self.past.trail()
        try:
            return self._there(self.lookup.find(name), trail)
        except AmbiguousNameError:
            raise
        except NotFoundError:
            path, record_id = self._gone(name, trail)
            if not path:
                raise
        path = self._lineage(trail).end(path)
        for place in (record_id, path):  # it may only be elsewhere today
            with suppress(NotFoundError):
                if place:
                    return self._there(self.lookup.find(place), trail)
        return Subject(path, path, record_id, is_there=False)

    def _lineage(self, trail: Trail) -> Lineage:
        return Lineage(self.past, trail, self.blob)

    @property
    def _history(self) -> History:
        if self.place.history is None:
            raise UnavailableError(
                "this vault has no git history, so there is no past to ask",
                remedy="The first memory that is saved makes a repository.",
            )
        return self.place.history

    def _there(self, path: str, trail: Trail) -> Subject:
        data, _ = self.place.vault.read(PurePosixPath(path))
        record_id = own_id(path, data)
        known_as = path if trail.knows(path) else self._moved(path, data, trail) or path
        return Subject(path, known_as, record_id, is_there=True)

    def _moved(self, path: str, data: bytes, trail: Trail) -> str:
        """Where the commits have a file that a person has moved here, "" when it is new."""
        record_id, blob = own_id(path, data), self._history.blob_id(PurePosixPath(path), data)
        for old, step in trail.paths().items():
            if not step.after or not self._is_missing(PurePosixPath(old)):
                continue
            if step.after == blob or (record_id and self._id(old, step.after) == record_id):
                return old
        return ""

    def _is_missing(self, path: PurePosixPath) -> bool:
        return self.place.vault.is_note(path) and self.place.vault.stamp(path) is None

    def _gone(self, name: str, trail: Trail) -> tuple[str, str]:
        """Last path and id of a note that was called so, two "" when there was none."""
        if is_ulid(name):
            return self._gone_id(name, trail)
        file = name if name.lower().endswith(".md") else f"{name}.md"
        for path in (name, file):
            if steps := trail.steps(path):
                return path, self._id(path, steps[0].after or steps[0].before)
        paths = trail.paths_ending(f"/{file}")
        found = {path: self._id(path, _last(trail, path)) for path in paths}
        if len({found[path] or path for path in paths}) > 1:
            raise AmbiguousNameError(name, sorted(paths))
        return max(found.items(), key=lambda one: trail.steps(one[0])[0].order, default=("", ""))

    def _gone_id(self, record_id: str, trail: Trail) -> tuple[str, str]:
        likely = trail.paths_ending(f"-{record_id[-ID_TAIL:].lower()}.md")
        there = self.lookup.index.entries
        for paths in (likely, (path for path in trail.paths() if path not in there)):
            found = [path for path in paths if self._id(path, _last(trail, path)) == record_id]
            if found:
                return max(found, key=lambda path: trail.steps(path)[0].order), record_id
        return "", ""

    def _id(self, path: str, blob: str) -> str:
        return own_id(path, self.blob(blob))

    def _on_disk(self, path: str) -> str:
        return blob_id(self.place.vault.read(PurePosixPath(path))[0])

    def _at(self, found: list[Version], revision: str) -> Version:
        """The version that a note had in a commit."""
        with suppress(InvalidQueryError):
            commit = self._history.resolve(revision)
            for version in found:
                if self.past.comes_from(commit, version.commit):
                    return version
        raise NotFoundError(revision, remedy=f"It is no version of this note. {_REMEDY}")


def _named(found: list[Version], wanted: str, name: str) -> Version | None:
    """The newest version with this beginning of its id, else of its commit's."""
    if len(wanted) < SHORT_MIN:
        return None
    for ids in ([one.id for one in found], [one.commit for one in found]):
        fitting = [place for place, each in enumerate(ids) if each.startswith(wanted)]
        if len({ids[place] for place in fitting}) > 1:
            raise AmbiguousNameError(name, sorted({ids[place] for place in fitting}))
        if fitting:
            return found[fitting[0]]
    return None


def _last(trail: Trail, path: str) -> str:
    """The last text that a path had."""
    step = trail.steps(path)[0]
    return step.after or step.before
