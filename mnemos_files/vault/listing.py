"""What lies in a vault, from one walk."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from mnemos_files.format.paths import conflict_copy_of
from mnemos_files.model.note import Stamp
from mnemos_files.model.problem import Problem
from mnemos_files.vault import findings
from mnemos_files.vault.folder import Root, open_folder, stamp_of
from mnemos_files.vault.paths import fold, is_usable
from mnemos_files.vault.rules import GIT, Rules, placeholder_of
from mnemos_files.vault.temporaries import read_name

NOTES_MAX = 100_000
"""More notes than this are taken for the wrong folder, such as a home directory."""

DEPTH_MAX = 100
"""Folders in folders; each open one costs a descriptor, of which a process has about 1,000."""


@dataclass(slots=True)
class Listing:
    """The notes of a vault, or of one folder of it, and what a person should look at.

    `notes` and `temporaries` (left over from writes that were cut short) map a path to its stamp.
    `folders` are the folders that belong to the vault, "" for its root. `complete` is false when
    the walk stopped because there are more than `NOTES_MAX` notes.
    """

    notes: dict[str, Stamp] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    temporaries: dict[str, Stamp] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    complete: bool = True


def walk(root: Root, rules: Rules, below: str, notes_max: int) -> Listing:
    """Everything at or below a folder of the vault ("" = all of it); a missing folder is empty.

    Raises:
        UnavailableError: the vault is gone.
        OSError: its root cannot be read.
    """
    run = _Walk(root, rules, notes_max)
    parts = tuple(below.split("/")) if below else ()
    try:
        with root.folder(parts) as folder:
            run.folder(folder, below, len(parts))
    except (FileNotFoundError, NotADirectoryError):
        return run.found
    run.found.problems.sort(key=lambda problem: (problem.path, problem.rule))
    return run.found


class _Walk:
    """One walk; links are never followed, every folder is opened through its parent."""

    def __init__(self, root: Root, rules: Rules, notes_max: int) -> None:
        self.found = Listing()
        self._root = root
        self._rules = rules
        self._notes_max = notes_max

    def folder(self, descriptor: int, path: str, depth: int) -> None:
        """List one open folder and what is below it."""
        with os.scandir(descriptor) as scan:
            entries = list(scan)
        if path and any(entry.name == GIT for entry in entries):
            return  # another project, or a submodule
        self.found.folders.append(path)
        prefix = f"{path}/" if path else ""
        folders: list[str] = []
        seen: dict[str, str] = {}
        for entry in entries:
            name = entry.name
            if not path and self._rules.is_left_out(name):
                continue
            if self._rules.is_candidate(name) and entry.is_file(follow_symlinks=False):
                self._file(entry, prefix, seen)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(name)
            else:
                self._other(entry, prefix)
        self._below(
            descriptor, prefix, [n for n in folders if self._enters(n, prefix, seen)], depth
        )

    def _file(self, entry: os.DirEntry[str], prefix: str, seen: dict[str, str]) -> None:
        name = entry.name
        original = conflict_copy_of(name)
        if original is not None:
            self._report(findings.conflict_copy(prefix + name, original))
        elif not is_usable(name):
            self._report(findings.unusable_name(prefix + name))
        elif len(self.found.notes) < self._notes_max:
            self._check_twin(name, prefix, seen)
            self._add(self.found.notes, entry, prefix + name)
        elif self.found.complete:
            self.found.complete = False
            self._report(findings.too_many(self._notes_max))

    def _other(self, entry: os.DirEntry[str], prefix: str) -> None:
        path = prefix + entry.name
        hidden_note = placeholder_of(entry.name)
        if entry.is_symlink():
            if not self._rules.is_ignored(entry.name):
                self._report(findings.bad_link(self._root.path, path))
        elif hidden_note is not None and self._rules.is_candidate(hidden_note):
            self._report(findings.not_downloaded(path, hidden_note))
        elif read_name(entry.name) is not None and entry.is_file(follow_symlinks=False):
            self._add(self.found.temporaries, entry, path)
        elif self._rules.is_candidate(entry.name):
            self._report(findings.not_a_file(path))

    def _add(self, to: dict[str, Stamp], entry: os.DirEntry[str], path: str) -> None:
        try:
            to[path] = stamp_of(entry.stat(follow_symlinks=False))
        except FileNotFoundError:
            return  # it went away during the walk

    def _enters(self, name: str, prefix: str, seen: dict[str, str]) -> bool:
        if self._rules.is_ignored(name):
            return False
        if not is_usable(name):
            self._report(findings.unusable_name(prefix + name))
            return False
        self._check_twin(name, prefix, seen)
        return True

    def _below(self, parent: int, prefix: str, names: Iterable[str], depth: int) -> None:
        for name in names:
            if not self.found.complete:
                return
            if depth >= DEPTH_MAX:
                self._report(findings.too_deep(prefix + name))
                continue
            try:
                descriptor = open_folder(parent, name)
            except (FileNotFoundError, NotADirectoryError):
                continue  # it went away during the walk
            except OSError as error:
                self._report(findings.unreadable_folder(prefix + name, error))
                continue
            try:
                self.folder(descriptor, prefix + name, depth + 1)
            finally:
                os.close(descriptor)

    def _check_twin(self, name: str, prefix: str, seen: dict[str, str]) -> None:
        twin = seen.setdefault(fold(name), name)
        if twin != name:
            self._report(findings.name_twin(prefix + name, twin))

    def _report(self, problem: Problem | None) -> None:
        if problem is not None:
            self.found.problems.append(problem)
