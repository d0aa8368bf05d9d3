"""What another history brings into the vault: every file merged, nothing written yet."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from mnemos_files.errors import ConflictError, RefusedError
from mnemos_files.format.merging import Merged, merge
from mnemos_files.format.record import parse
from mnemos_files.history.merging import Merging, ThreeWay
from mnemos_files.history.repo import History
from mnemos_files.history.trees import Blob, is_program
from mnemos_files.store.moves import Followed, followed
from mnemos_files.vault.files import Vault
from mnemos_files.vault.paths import fold

NAMED_MAX = 5
"""Paths [1] that one message names."""

_SUFFIX = ".md"


@dataclass(slots=True)
class Incoming:
    """New bytes by path (None = deleted), what lies there now, and what contradicted itself.

    `edited` are memories with an edit that is in no commit yet; the edit is part of the result.
    `modes` are files that become a program (true) or stop being one.
    """

    files: dict[PurePosixPath, bytes | None] = field(default_factory=dict)
    seen: dict[PurePosixPath, bytes | None] = field(default_factory=dict)
    edited: list[PurePosixPath] = field(default_factory=list)
    conflicts: dict[PurePosixPath, tuple[str, ...]] = field(default_factory=dict)
    modes: dict[PurePosixPath, bool] = field(default_factory=dict)

    def add(self, places: "_Places", disk: bytes | None, merged: Merged) -> None:
        """Note what becomes of one file."""
        self.files[places.target], self.seen[places.target] = merged.data, disk
        if places.is_moved:
            self.files[places.source], self.seen[places.source] = None, disk
            self.seen[places.target] = None
        if merged.conflicts:
            self.conflicts[places.target] = merged.conflicts


class _Places(NamedTuple):
    """Where a file is to be, and where it lies."""

    target: PurePosixPath
    source: PurePosixPath

    @property
    def is_moved(self) -> bool:
        return self.target != self.source


@dataclass(slots=True)
class _Obstacles:
    """Why files cannot be taken in, by kind."""

    outside: list[str] = field(default_factory=list)
    special: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    by_hand: list[str] = field(default_factory=list)
    twins: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Let pass when there are none.

        Raises:
            RefusedError, ConflictError: what is in the way and what to do about it.
        """
        by_git = "Use `git pull` this time; memories are merged in the same way there."
        if self.outside:
            message = f"the other side changed files outside of the vault: {_named(self.outside)}"
            raise RefusedError("outside", message, remedy=by_git)
        if self.special:
            message = (
                f"only git itself can take in {_named(self.special)}: a link, module or filter"
            )
            raise RefusedError("filter", message, remedy=by_git)
        if self.twins:
            message = f"names that differ in letters' case only: {_named(self.twins)}"
            remedy = "Rename or delete one of them with git, on the side that has both, then sync."
            raise RefusedError("name-twin", message, remedy=remedy)
        if self.edited:
            message = f"edits that are in no commit would be overwritten: {_named(self.edited)}"
            raise ConflictError(message, remedy="Commit or undo them, then sync again.")
        if self.by_hand:
            message = f"files of your own were changed on both sides: {_named(self.by_hand)}"
            remedy = f"{by_git} Then choose in these files as in any conflict of git."
            raise RefusedError("by-hand", message, remedy=remedy)


@dataclass(frozen=True, slots=True)
class Intake:
    """Merges what two commits changed, on top of what lies in the vault."""

    merging: Merging
    history: History
    vault: Vault
    may_adopt: bool

    def incoming(self, ours: str, theirs: str) -> Incoming:
        """The files that change when a commit is taken in.

        Raises:
            RefusedError: a file is outside of the vault, special, or a person's own to merge.
            ConflictError: a file has an edit that is in no commit and cannot be adopted.
        """
        found, obstacles = Incoming(), _Obstacles()
        differing = self.merging.differing(ours, theirs, self._content)
        for each in followed(differing, self._key):
            one = each.versions
            if each.is_moved or one.theirs not in (one.base, one.ours):
                self._take(each, found, obstacles)
        obstacles.twins += _twins(found)
        obstacles.check()
        return found

    def _content(
        self, path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None
    ) -> bytes | None:
        inside = self.merging.layout.in_vault(path)
        return merge(base, ours, theirs, PurePosixPath(inside or path)).data

    def _take(self, each: Followed, found: Incoming, obstacles: _Obstacles) -> None:
        one = each.versions
        target = self.merging.layout.in_vault(one.path)
        source = self.merging.layout.in_vault(each.source)
        if target is None or source is None:
            obstacles.outside.append(one.path)
        elif not one.is_regular or self.merging.needs_program(one.path):
            obstacles.special.append(target)
        else:
            places = _Places(PurePosixPath(target), PurePosixPath(source))
            self._merge(places, one, found, obstacles)

    def _merge(
        self, places: _Places, one: ThreeWay, found: Incoming, obstacles: _Obstacles
    ) -> None:
        disk = self.vault.read_any(places.source)
        theirs = self.merging.read(one.theirs, one.path)
        is_edited = self._is_edited(places.source, disk, one.ours)
        if not is_edited and one.ours == one.base:
            merged = Merged(theirs)
        else:
            base = self.merging.read(one.base, one.path)
            merged = merge(base, disk, theirs, places.target)
        if is_edited and (merged.data != disk or places.is_moved):
            if not self._is_adoptable(places.source, disk, one.ours):
                obstacles.edited.append(str(places.source))
            found.edited.append(places.source)
        if places.is_moved and self.vault.read_any(places.target) is not None:
            obstacles.edited.append(str(places.target))
        if not merged.is_settled:
            obstacles.by_hand.append(str(places.target))
        found.add(places, disk, merged)
        if merged.data == theirs and is_program(one.theirs) != is_program(one.ours):
            found.modes[places.target] = is_program(one.theirs)

    def _is_edited(self, path: PurePosixPath, disk: bytes | None, ours: Blob | None) -> bool:
        if disk is None or ours is None:
            return disk is not None or ours is not None
        return self.history.blob_id(path, disk) != str(ours.id)

    def _is_adoptable(self, path: PurePosixPath, disk: bytes | None, ours: Blob | None) -> bool:
        """True for an edited memory, where the settings let it be committed for its writer."""
        if disk is None or ours is None or not self.may_adopt:
            return False
        return path.suffix.lower() == _SUFFIX and parse(path, disk).is_ours

    def _key(self, path: str, blob: Blob) -> str:
        """What tells that two files are one: the id of a memory, else the very content."""
        inside = self.merging.layout.in_vault(path)
        if inside is not None and inside[-3:].lower() == _SUFFIX:
            note = parse(PurePosixPath(inside), self.merging.read(blob, path) or b"")
            if note.is_ours:
                return note.record.id
        return str(blob.id)


def _twins(found: Incoming) -> list[str]:
    """New files that some systems would take for one another."""
    names: dict[str, list[str]] = {}
    for path, data in found.files.items():
        if data is not None:
            names.setdefault(fold(str(path)), []).append(str(path))
    return [path for same in names.values() if len(same) > 1 for path in sorted(same)]


def _named(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - NAMED_MAX} more" if len(paths) > NAMED_MAX else ""
    return ", ".join(paths[:NAMED_MAX]) + more
