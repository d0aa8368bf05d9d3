"""Taking a text out of every commit: rewritten in a private copy first, then taken over whole.

The rewriting itself is done by git-filter-repo, which is an optional extra. Until `adopt` moves the
branches nothing of the repository changes but for objects that nobody names.
"""

import importlib.util
import json
import os
import re
import shutil
import sys
from collections.abc import Container, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import pygit2

from mnemos_files.errors import RefusedError, UnavailableError
from mnemos_files.history.layout import Layout
from mnemos_files.history.process import Finished, environment, run

REWRITE_SECONDS = 3600.0
"""Longest time [s] for one step: a gc of a repository of several gigabytes takes minutes."""

DEBT_NAME = "purge.json"
"""File in our folder in the git folder: what a purge that was cut short still owes."""

_TOOL = "git_filter_repo"
_KEPT = "refs/mnemos-purge/"
_ABSENT = "0" * 40
_RAW = re.compile(r":\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*")


@dataclass(frozen=True, slots=True)
class Removal:
    """What shall be in no commit any more.

    `paths` (from the work tree's root) go with all their versions. `rules` are lines of
    git-filter-repo's --replace-text, used on files and messages; `names` are regular expressions
    that are taken out of the names of files. `titles` are replaced in the messages of commits that
    name the id beside them.
    """

    paths: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    titles: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """A branch, tag or note: the object it named, and the one it will name ("" = it is gone)."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Touched:
    """A file of the current commit that changes: its blobs before and after ("" = it is not)."""

    path: str
    old: str
    new: str
    mode: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rewriting comes to. `commits` counts [changed or dropped, dropped]."""

    moved: tuple[Moved, ...]
    touched: tuple[Touched, ...]
    commits: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """One rewriting of a repository; `folder` is an empty place for the private copy."""

    layout: Layout
    folder: Path

    def rehearse(self, removal: Removal) -> Outcome:
        """Rewrite the private copy; the repository's branches and files stay as they are.

        Raises:
            UnavailableError: git or git-filter-repo is missing or fails.
            RefusedError: the repository is of a kind that cannot be rewritten safely.
        """
        _check_tool()
        self._check_kind()
        copy = self.folder / "copy.git"
        source = str(self.layout.common_dir)
        self._git("clone", "--mirror", "--quiet", source, str(copy), at=None)
        before = self._refs(copy)
        foreign = [name for name in before if name.startswith("refs/remotes/")]
        self._delete(copy, foreign)
        counts = self._filter(copy, removal)
        after = self._refs(copy)
        mine = [name for name in before if name not in foreign]
        moved = [Moved(name, before[name], after.get(name, "")) for name in mine]
        moved = [one for one in moved if one.old != one.new]
        moved += [Moved(name, before[name], "") for name in foreign]
        return Outcome(tuple(moved), self._touched(copy, moved, removal), counts)

    def adopt(self, outcome: Outcome) -> None:
        """Take the rewritten history over and forget the old one, for good.

        Moves all branches in one transaction, brings git's index and the files that changed up to
        date, drops the reflogs and every object that nobody names.

        Raises:
            RefusedError: a branch moved since the rehearsal, or a file to change has an edit that
                is not committed; nothing was changed.
            UnavailableError: a step of git failed.
        """
        dirty = self._dirty() & {one.path for one in outcome.touched}
        fresh = (one.path for one in outcome.touched if not one.old)
        dirty |= {path for path in fresh if os.path.lexists(self.layout.workdir / path)}
        if dirty:
            raise RefusedError(
                "uncommitted",
                f"{', '.join(sorted(dirty))}: not committed, and the purge would change it",
                remedy="Commit the edits or take them back, then try again.",
            )
        copy = self.folder / "copy.git"
        wanted = f"+refs/*:{_KEPT}*"
        self._git("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", str(copy), wanted)
        debt = self._debt()
        debt.parent.mkdir(exist_ok=True)
        debt.write_text(json.dumps(asdict(outcome)), "utf-8")
        self._transact(outcome.moved)
        self._settle(outcome.touched)
        debt.unlink()

    def finish(self) -> bool:
        """Do what is left of an `adopt` that was cut short; False when none was.

        Raises:
            UnavailableError: a step of git failed.
        """
        debt = self._debt()
        if not debt.exists():
            return False
        kept = json.loads(debt.read_text("utf-8"))
        refs = self._refs(None)
        if all(refs.get(one["name"], "") == one["new"] for one in kept["moved"]):
            self._settle([Touched(**one) for one in kept["touched"]])
        debt.unlink()
        return True

    def _debt(self) -> Path:
        return self.layout.own_dir / DEBT_NAME

    def _settle(self, touched: Sequence[Touched]) -> None:
        """The steps after the branches have moved; each may be done again."""
        entries = [
            f"{one.mode if one.new else '0'} {one.new or _ABSENT}\t{one.path}\0" for one in touched
        ]
        self._git("update-index", "-z", "--index-info", payload="".join(entries).encode())
        kept = [f"{one.path}\0" for one in touched if one.new]
        self._git("checkout-index", "-f", "-z", "--stdin", payload="".join(kept).encode())
        for one in touched:
            if not one.new:
                (self.layout.workdir / one.path).unlink(missing_ok=True)
        self._delete(None, [name for name in self._refs(None) if name.startswith(_KEPT)])
        for name in ("ORIG_HEAD", "FETCH_HEAD"):
            (self.layout.git_dir / name).unlink(missing_ok=True)
        self._git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
        self._git("gc", "--quiet", "--prune=now")

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
        fields = [_text(field) for field in told.output.split(b"\0")]
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
        lines = (_RAW.fullmatch(_text(field).strip()) for field in told.output.split(b"\0"))
        return frozenset(blob for line in lines if line for blob in line.groups()) - {_ABSENT}

    def _check_kind(self) -> None:
        common = self.layout.common_dir
        reasons = {
            "it is a shallow clone: run `git fetch --unshallow` first": common / "shallow",
            "it borrows objects of another repository (objects/info/alternates)": (
                common / "objects/info/alternates"
            ),
            "it has stashes, whose older ones would be lost: apply or drop them first": (
                common / "logs/refs/stash"
            ),
        }
        found = [reason for reason, path in reasons.items() if path.exists()]
        told = self._git("worktree", "list", "--porcelain").output.decode("utf-8", "replace")
        trees = re.findall(r"^worktree (.+)$", told, re.MULTILINE)[1:]
        if trees:
            found.append(f"it has linked work trees: `git worktree remove` {', '.join(trees)}")
        if found:
            raise RefusedError("repository", f"the history cannot be rewritten: {found[0]}")

    def _filter(self, copy: Path, removal: Removal) -> tuple[int, int]:
        command = [sys.executable, "-m", _TOOL, "--force", "--partial", "--quiet"]
        if removal.paths:
            command += [part for path in removal.paths for part in ("--path", path)]
            command.append("--invert-paths")
        if removal.rules:
            rules = self.folder / "rules"
            rules.write_bytes("".join(f"{rule}\n" for rule in removal.rules).encode())
            command += ["--replace-text", str(rules), "--replace-message", str(rules)]
        if removal.names:
            command += ["--filename-callback", _renaming(removal.names)]
        if removal.titles:
            command += ["--commit-callback", _callback(removal.titles)]
        variables = environment() | {"GIT_DIR": str(copy)}
        _checked(run(command, b"", REWRITE_SECONDS, variables), "git filter-repo")
        lines = (copy / "filter-repo/commit-map").read_text("ascii").splitlines()[1:]
        pairs = [line.split() for line in lines]
        return (
            sum(1 for old, new in pairs if old != new),
            sum(1 for _, new in pairs if new == _ABSENT),
        )

    def _touched(self, copy: Path, moved: Sequence[Moved], removal: Removal) -> tuple[Touched, ...]:
        """Files of the current commit that change.

        Raises:
            RefusedError: the current branch would be empty, or other files would change than shall.
        """
        head = self._git("symbolic-ref", "HEAD").output.decode().strip()
        one = next((one for one in moved if one.name == head), None)
        if one is None:
            return ()
        if not one.new:
            raise RefusedError(
                "empty", "nothing would be left of the current branch", remedy="Delete the vault."
            )
        gone = frozenset(removal.paths)
        old, new = (self._tree(place, name) for place, name in ((None, one.old), (copy, one.new)))
        nothing = ("100644", "")
        found = [
            Touched(path, was[1], now[1], (now if now[1] else was)[0])
            for path in sorted({*old, *new})
            if (was := old.get(path, nothing)) != (now := new.get(path, nothing))
        ]
        wrong = {
            one.path
            for one in found
            if not (removal.names or (one.old and (removal.rules if one.new else one.path in gone)))
        }
        if wrong:
            raise RefusedError("purge", f"other files would change too: {', '.join(sorted(wrong))}")
        return tuple(found)

    def _tree(self, place: Path | None, commit: str) -> dict[str, tuple[str, str]]:
        """Mode and blob of every file of a commit, by path."""
        told = self._git("ls-tree", "-r", "-z", commit, at=place or self.layout.git_dir)
        rows = (row.split("\t", 1) for row in _text(told.output).split("\0") if row)
        return {path: (meta.split()[0], meta.split()[2]) for meta, path in rows}

    def _dirty(self) -> set[str]:
        """Paths whose file or entry in git's index is not that of the current commit."""
        told = self._git("diff", "--name-only", "-z", "--no-ext-diff", "HEAD")
        return set(_text(told.output).split("\0")) - {""}

    def _refs(self, place: Path | None) -> dict[str, str]:
        told = self._git(
            "for-each-ref", "--format=%(objectname) %(refname)", at=place or self.layout.git_dir
        )
        rows = (row.split(" ", 1) for row in _text(told.output).splitlines())
        return {name: oid for oid, name in rows}

    def _delete(self, place: Path | None, names: Sequence[str]) -> None:
        orders = "".join(f"delete {name}\0\0" for name in names)
        at = place or self.layout.git_dir
        self._git("update-ref", "-z", "--no-deref", "--stdin", payload=orders.encode(), at=at)

    def _transact(self, moved: Sequence[Moved]) -> None:
        orders = "".join(
            f"update {one.name}\0{one.new}\0{one.old}\0"
            if one.new
            else f"delete {one.name}\0{one.old}\0"
            for one in moved
        )
        self._git("update-ref", "-z", "--no-deref", "--stdin", payload=orders.encode())

    def _git(self, *arguments: str, payload: bytes = b"", at: Path | None = Path()) -> Finished:
        """A git command on a repository: this one, the one `at` a place, or (None) on none."""
        program = shutil.which("git") or "git"
        place = [f"--git-dir={self.layout.git_dir if at == Path() else at}"] if at else []
        if at == Path():
            place.append(f"--work-tree={self.layout.workdir}")
        trusted = str(self.layout.workdir)
        settings = [f"safe.directory={trusted}", f"safe.directory={self.layout.common_dir}"]
        settings += ["core.fsmonitor=false", "core.hooksPath=/dev/null", "gc.auto=0"]
        options = [part for one in settings for part in ("-c", one)]
        command = [program, *place, "--literal-pathspecs", *options, *arguments]
        done = run(command, payload, REWRITE_SECONDS, environment())
        return _checked(done, f"git {arguments[0]}")


def _check_tool() -> None:
    if importlib.util.find_spec(_TOOL) is None:
        raise UnavailableError(
            "git-filter-repo, which rewrites histories, is not installed",
            remedy="Run `pip install 'mnemos-files[purge]'`.",
        )


def _callback(titles: Sequence[tuple[str, str]]) -> str:
    """Code for git-filter-repo: the title is replaced where the commit names the id."""
    pairs = [(name.encode(), title.encode()) for name, title in titles]
    return (
        f"for name, title in {pairs!r}:\n"
        "  if name in commit.message:\n"
        "    commit.message = commit.message.replace(title, b'removed')\n"
    )


def _renaming(names: Sequence[str]) -> str:
    """Code for git-filter-repo: what matches is taken out of the names of files."""
    patterns = [name.encode() for name in names]
    return (
        "import re\n"
        f"for pattern in {patterns!r}:\n"
        "  filename = re.sub(pattern, b'removed', filename) if filename else filename\n"
        "return filename\n"
    )


def _checked(done: Finished, what: str) -> Finished:
    if not done.is_ok:
        lines = done.errors.splitlines()
        raise UnavailableError(f"{what} failed: {lines[-1] if lines else 'no reason given'}")
    return done


def _text(octets: bytes) -> str:
    return octets.decode("utf-8", "surrogateescape")
