"""Notes in which two versions wait for a choice, and the choice."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError, NotFoundError
from mnemos_files.format.contradiction import RULE
from mnemos_files.format.merging.resolving import OpenConflict, open_conflicts, resolve
from mnemos_files.format.record import parse
from mnemos_files.store.draft import Draft, Plan, Planned, Receipt
from mnemos_files.store.message import message
from mnemos_files.store.plans import Plans


@dataclass(frozen=True, slots=True)
class Contradictory:
    """A note and what is open in it."""

    path: PurePosixPath
    title: str
    conflicts: tuple[OpenConflict, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A note after the choice; `is_deleted` when the choice was that it shall be gone."""

    path: PurePosixPath
    is_deleted: bool
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The open conflicts of one vault."""

    plans: Plans
    refresh: Callable[[], int]
    run: Callable[[Plan], Receipt]

    def all(self) -> list[Contradictory]:
        """Every note in which something is open, by path."""
        self.refresh()
        entries = self.plans.index.entries.items()
        paths = [path for path, entry in entries if any(p.rule == RULE for p in entry.problems)]
        return [self._read(PurePosixPath(path)) for path in sorted(paths)]

    def of(self, name: str) -> Contradictory:
        """What is open in one note (by id or path).

        Raises:
            NotFoundError, AmbiguousNameError: the name is not exactly one note.
            CorruptError: the note cannot be read.
        """
        self.refresh()
        return self._read(self.plans.exact(name, Draft(self._look)).path)

    def resolve(self, name: str, number: int, agent: str | None = None) -> Resolved:
        """Keep one version [from 1] of all that is open in a note, or `BOTH`, in one commit.

        `agent` None makes it the person's own commit.

        Raises:
            NotFoundError, AmbiguousNameError: the name is not exactly one note, or nothing is open
                in it.
            InvalidQueryError: there is no such version, or both cannot stand in one place.
            CorruptError: the note cannot be changed.
        """
        done: list[tuple[PurePosixPath, bytes | None]] = []

        def plan(draft: Draft) -> Planned:
            note = self.plans.exact(name, draft)
            data = draft.read(note.path)
            if not open_conflicts(note.path, data):
                raise NotFoundError(name, remedy=f"Nothing is open in {note.path}.")
            after = resolve(note.path, data, number)
            done.append((note.path, after))
            record = note.record if after is None else parse(note.path, after).record
            choice = f"version {number}" if number else "both versions"
            commit = message("edit", [record], agent=agent, body=f"Resolved: {choice}.")
            return Planned({note.path: after}, commit)

        self.refresh()
        receipt = self.run(plan)
        path, after = done[-1]
        return Resolved(path, after is None, receipt)

    def _read(self, path: PurePosixPath) -> Contradictory:
        data, _ = self.plans.vault.read(path)
        return Contradictory(path, parse(path, data).record.title, open_conflicts(path, data))

    def _look(self, path: PurePosixPath) -> bytes | None:
        try:
            return self.plans.vault.read(path)[0]
        except MnemosError:
            return None
