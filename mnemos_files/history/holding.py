"""What of a repository holds a text: objects, paths of all commits, files beside git."""

import re
import shutil
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pygit2

from mnemos_files.errors import UnavailableError
from mnemos_files.history.layout import Layout
from mnemos_files.history.process import Finished, environment, run

REWRITE_SECONDS = 3600.0
"""Longest time [s] for one step: a gc of a repository of several gigabytes takes minutes."""

LOOSE_MAX = 64 * 1024 * 1024
"""Largest file [bytes] outside of git that is looked into for a purged text."""

ABSENT = "0" * 40
"""What git names where there is no object."""

_RAW = re.compile(r":\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*")


@dataclass(frozen=True, slots=True)
class Holding:
    """Searches one repository, with git and object by object."""

    layout: Layout

    def loose(self, patterns: Sequence[re.Pattern[bytes]]) -> list[str]:
        """Files in the work tree that git does not have and that hold one of the patterns."""
        told = text_of(self._git("ls-files", "--others", "-z").output).split("\0")
        paths = (path for path in told if path and (self.layout.workdir / path).is_file())
        return [path for path in paths if _holds(self.layout.workdir / path, patterns)]

    def left_in(self, copy: Path, patterns: Sequence[str]) -> tuple[str, ...]:
        """Names of what holds a pattern in the rewritten copy: files, commits, tags."""
        if not patterns:
            return ()
        wanted = [re.compile(pattern.encode()) for pattern in patterns]
        repo = pygit2.Repository(str(copy))
        rows = text_of(self._git("rev-list", "--objects", "--all", at=copy).output).splitlines()
        pairs = (row.partition(" ") for row in rows)
        left = {
            name or f"commit or tag {oid[:10]}"
            for oid, _, name in pairs
            if any(pattern.search(repo.odb.read(oid)[1]) for pattern in wanted)
        }
        return tuple(sorted(left))

    def holders(self, wanted: re.Pattern[bytes] | frozenset[str]) -> list[str]:
        """Ids of all objects, also unnamed ones, that hold the pattern or are among the ids."""
        repo = pygit2.Repository(str(self.layout.common_dir))
        if isinstance(wanted, frozenset):
            return sorted(str(oid) for oid in repo.odb if str(oid) in wanted)
        return [str(oid) for oid in repo.odb if wanted.search(repo.odb.read(oid)[1])]

    def blobs_with(self, text: bytes) -> Iterator[tuple[str, bytes]]:
        """Ids and bytes of all blobs that hold a text, also of unnamed ones."""
        repo = pygit2.Repository(str(self.layout.common_dir))
        for oid in repo.odb:
            kind, data = repo.odb.read(oid)
            if kind == pygit2.enums.ObjectType.BLOB and text in data:
                yield str(oid), data

    def paths_of(self, blobs: Container[str]) -> dict[str, set[str]]:
        """Paths that each of these blobs has had in any commit, from the work tree's root."""
        told = self._git(
            *("log", "--all", "-m", "--no-renames", "--raw", "-z", "--no-abbrev", "--format=")
        )
        fields = [text_of(field) for field in told.output.split(b"\0")]
        found: dict[str, set[str]] = {}
        for line, path in pairwise(fields):
            match = _RAW.fullmatch(line.strip())
            for blob in match.groups() if match else ():
                if blob in blobs:
                    found.setdefault(blob, set()).add(path)
        return found

    def blobs_at(self, path: str) -> frozenset[str]:
        """Every blob that a path has had in any commit."""
        told = self._git(
            *("log", "--all", "-m", "--no-renames", "--raw", "-z", "--no-abbrev", "--format="),
            *("--", path),
        )
        lines = (_RAW.fullmatch(text_of(field).strip()) for field in told.output.split(b"\0"))
        return frozenset(blob for line in lines if line for blob in line.groups()) - {ABSENT}

    def names_in(self, copy: Path) -> set[bytes]:
        """Every path that any commit has."""
        told = self._git(
            *("log", "--all", "-m", "--root", "--no-renames", "--name-only", "-z", "--format="),
            at=copy,
        )
        return set(told.output.split(b"\0")) - {b""}

    def _tree(self, place: Path | None, commit: str) -> dict[str, tuple[str, str]]:
        """Mode and blob of every file of a commit, by path."""
        told = self._git("ls-tree", "-r", "-z", commit, at=place or self.layout.git_dir)
        rows = (row.split("\t", 1) for row in text_of(told.output).split("\0") if row)
        return {path: (meta.split()[0], meta.split()[2]) for meta, path in rows}

    def _refs(self, place: Path | None) -> dict[str, str]:
        told = self._git(
            "for-each-ref", "--format=%(objectname) %(refname)", at=place or self.layout.git_dir
        )
        rows = (row.split(" ", 1) for row in text_of(told.output).splitlines())
        return {name: oid for oid, name in rows}

    def _git(self, *arguments: str, payload: bytes = b"", at: Path | None = Path()) -> Finished:
        """A git command on a repository: this one, the one `at` a place, or (None) on none."""
        return checked(self._try(*arguments, payload=payload, at=at), f"git {arguments[0]}")

    def _try(self, *arguments: str, payload: bytes = b"", at: Path | None = Path()) -> Finished:
        program = shutil.which("git") or "git"
        place = [f"--git-dir={self.layout.git_dir if at == Path() else at}"] if at else []
        if at == Path():
            place.append(f"--work-tree={self.layout.workdir}")
        trusted = str(self.layout.workdir)
        settings = [f"safe.directory={trusted}", f"safe.directory={self.layout.common_dir}"]
        settings += ["core.fsmonitor=false", "core.hooksPath=/dev/null", "gc.auto=0"]
        options = [part for one in settings for part in ("-c", one)]
        top = ["-C", trusted]  # names are from there, wherever the caller stands
        command = [program, *top, *place, "--literal-pathspecs", *options, *arguments]
        return run(command, payload, REWRITE_SECONDS, environment())


def check_gone(holders: Sequence[str]) -> None:
    """Let pass when no object holds what was purged.

    Raises:
        UnavailableError: some do.
    """
    if holders:
        raise UnavailableError(
            f"{len(holders)} objects still hold it: {', '.join(holders[:3])}",
            remedy=(
                "A binary file is purged by its path, a name of an author with a mailmap of "
                "git-filter-repo. Another program may keep objects too: end it and try again."
            ),
        )


def _holds(path: Path, patterns: Sequence[re.Pattern[bytes]]) -> bool:
    try:
        data = path.read_bytes() if path.stat().st_size <= LOOSE_MAX else b""
    except OSError:
        return False
    return any(pattern.search(data) for pattern in patterns)


def checked(done: Finished, what: str) -> Finished:
    """What a program gave.

    Raises:
        UnavailableError: it failed.
    """
    if not done.is_ok:
        lines = done.errors.splitlines()
        raise UnavailableError(f"{what} failed: {lines[-1] if lines else 'no reason given'}")
    return done


def text_of(octets: bytes) -> str:
    """What git wrote, bytes that are no UTF-8 kept as surrogates."""
    return octets.decode("utf-8", "surrogateescape")
