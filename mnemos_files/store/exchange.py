"""Bringing this vault and another repository of it together: fetch, merge, push."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from mnemos_files import __version__
from mnemos_files.config import CONFIG_PATH
from mnemos_files.errors import (
    ChangedOnDiskError,
    MnemosError,
    RefusedError,
    UnavailableError,
)
from mnemos_files.history.merging import Merging
from mnemos_files.history.remote import Remote, Upstream
from mnemos_files.history.repo import History
from mnemos_files.history.values import CommitResult, Step
from mnemos_files.store.draft import Receipt
from mnemos_files.store.incoming import Incoming, Intake
from mnemos_files.store.intent import Debt, IntentFile, same
from mnemos_files.store.owed import apply_merge, blob_or_none, changes
from mnemos_files.store.place import Place
from mnemos_files.store.settings import read_settings
from mnemos_files.store.writer import Writer
from mnemos_files.vault.files import Write

ROUNDS = 5
"""Times that fetch, merge and push are tried when somebody else pushes in between."""

_TRIES = 3
"""Times that a merge is made anew because a file was edited meanwhile."""


@dataclass(frozen=True, slots=True)
class Distance:
    """How far this branch and the remote one were apart when we last looked [commits]."""

    upstream: str
    ahead: int
    behind: int


@dataclass(frozen=True, slots=True)
class Synced:
    """What an exchange did.

    `received` and `sent` count commits, `files` those of the vault that changed here.
    `conflicts` names for each file what both sides changed in ways that contradict each other;
    both versions stand in the file.
    """

    upstream: str
    received: int = 0
    sent: int = 0
    files: int = 0
    is_merged: bool = False
    conflicts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    notices: tuple[str, ...] = ()


def set_up_driver(root: Path, command: str) -> bool:
    """Let git merge the notes of a vault with a command, in this clone; true when that is new.

    Raises:
        UnavailableError: there is no repository, or its settings cannot be written.
    """
    return Merging.open(root).set_up_driver(command)


@dataclass(frozen=True, slots=True)
class Exchange:
    """Exchanges one vault's branch with remotes; `journal` commits what has gathered."""

    place: Place
    writer: Writer
    journal: Callable[[], Receipt]

    def distance(self) -> Distance | None:
        """How far apart both are, as far as git knows without asking; None without a remote."""
        merging = Merging.open(self.place.vault.root)
        try:
            remote = self._remote(merging, "")
        except RefusedError:
            return None
        seen = remote.seen()
        return (
            Distance(remote.upstream.name, *merging.apart(merging.head(), seen)) if seen else None
        )

    def sync(self, remote_name: str = "", *, push: bool = True) -> Synced:
        """Fetch, merge and push, in turn until nobody was quicker.

        Raises:
            RefusedError: there is no remote to choose, the histories have nothing in common, or
                files are in the way that only git can take in.
            ConflictError: a file has an edit that is in no commit and cannot be adopted.
            UnavailableError: the remote cannot be reached, or others keep pushing.
        """
        self.journal()
        done = Synced("")
        for _ in range(ROUNDS):
            remote = self._remote(Merging.open(self.place.vault.root), remote_name)
            theirs = remote.fetch()
            done = replace(done, upstream=remote.upstream.name)
            if theirs:
                done = self._taken_in(remote.upstream, theirs, done)
            if not push:
                return done
            sent = self._pushed(remote, theirs)
            if sent is not None:
                return replace(done, sent=sent)
        raise UnavailableError(
            "others keep pushing to the remote branch", remedy="Nothing is lost; sync again."
        )

    def _remote(self, merging: Merging, name: str) -> Remote:
        settings = self.place.settings
        return merging.remote(name or settings.sync_remote, settings.sync_branch)

    def _pushed(self, remote: Remote, theirs: str) -> int | None:
        """Commits that the remote has got, None when it moved meanwhile."""
        merging = Merging.open(self.place.vault.root)
        ours = merging.head()
        if not ours or ours == theirs:
            return 0
        merging.check_inside(theirs, ours)
        return merging.apart(ours, theirs)[0] if remote.push(ours) else None

    def _taken_in(self, upstream: Upstream, theirs: str, done: Synced) -> Synced:
        for left in reversed(range(_TRIES)):
            try:
                return self.writer.alone(
                    lambda history, intent: _Join(self, history, intent).run(upstream, theirs, done)
                )
            except ChangedOnDiskError:
                if not left:
                    raise
        return done


class _Join:
    """One merge, while nobody else writes to the vault."""

    def __init__(self, exchange: Exchange, history: History, intent: IntentFile) -> None:
        self._place = exchange.place
        self._writer = exchange.writer
        self._history = history
        self._intent = intent
        self._merging = Merging.open(exchange.place.vault.root)

    def run(self, upstream: Upstream, theirs: str, done: Synced) -> Synced:
        """Take a commit in; the report with what that came to."""
        self._history.repair_index()
        ours = self._merging.head()
        if self._merging.has(ours, theirs):
            return done
        if ours and not self._merging.is_related(ours, theirs):
            raise RefusedError(
                "unrelated",
                f"this vault and {upstream.name} have no commit in common",
                remedy="Clone the remote into a new folder and copy your notes there.",
            )
        may_adopt = self._place.settings.adopt_edits != "never"
        intake = Intake(self._merging, self._history, self._place.vault, may_adopt)
        incoming = intake.incoming(ours, theirs)
        received = self._merging.apart(ours, theirs)[1]
        adopted = [
            debt
            for path in incoming.edited
            for debt in self._writer.adoption(path, incoming.seen[path] or b"", self._history)
        ]
        told = self._writer.parts.guard.notices(debt.files for debt in adopted)
        debt = _debt(incoming, upstream, theirs)
        is_forward = self._merging.has(theirs, ours) and not adopted
        result = self._carry_out(incoming, [*adopted, debt], ours if is_forward else None)
        return Synced(
            upstream=done.upstream,
            received=done.received + received,
            files=done.files + len(incoming.files),
            is_merged=done.is_merged or not is_forward,
            conflicts=(*done.conflicts, *_listed(incoming)),
            notices=(*done.notices, *result.notices, *told),
        )

    def _carry_out(
        self, incoming: Incoming, debts: Sequence[Debt], forward_from: str | None
    ) -> CommitResult:
        """Write the files, then the commits, or only move the branch on to the last one's."""
        self._intent.write(debts)
        try:
            apply_merge(self._place.vault, _writes(incoming), incoming.seen)
            for path, is_program in incoming.modes.items():
                self._place.vault.set_executable(path, is_executable=is_program)
        except MnemosError:
            self._intent.write(())
            raise
        try:
            result = self._committed(incoming, debts, forward_from)
        except MnemosError:
            self._intent.write([replace(debt, is_applied=True) for debt in debts])
            raise
        self._intent.write(())
        if PurePosixPath(CONFIG_PATH) in incoming.files:
            self._place.settings = read_settings(self._place.settings_root)
        return result

    def _committed(
        self, incoming: Incoming, debts: Sequence[Debt], forward_from: str | None
    ) -> CommitResult:
        now, result = self._writer.parts.clock(), None
        if forward_from is not None:
            step = Step(forward_from, debts[-1].merges[0], incoming.files, _FORWARD)
            result = self._history.advance(step, now)
        return result or self._history.commit(changes(debts, {}), now)


_FORWARD = "merge: Fast-forward"


def _debt(incoming: Incoming, upstream: Upstream, theirs: str) -> Debt:
    listed = _listed(incoming)
    lines = [f"{path}: {', '.join(names)}" for path, names in listed]
    return Debt(
        files=incoming.files,
        before={path: blob_or_none(data) for path, data in incoming.seen.items()},
        subject=f"merge(vault): {upstream.name}",
        body="\n".join(["Both versions stand in:", *lines]) if lines else "",
        trailers=(("Mnemos-Op", "merge"), ("Mnemos-Tool-Version", __version__)),
        agent=None,
        merges=(theirs,),
    )


def _writes(incoming: Incoming) -> list[Write]:
    return [
        Write(path, data, blob_or_none(incoming.seen[path]) or None)
        for path, data in incoming.files.items()
        if not same(data, incoming.seen[path])
    ]


def _listed(incoming: Incoming) -> list[tuple[str, tuple[str, ...]]]:
    return [(str(path), names) for path, names in incoming.conflicts.items()]
