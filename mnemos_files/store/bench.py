"""A branch with proposals and the work tree that stands on it: bringing both on, file by file.

The order is: files, then the branch, then git's index of the work tree. A note beside git's folder
says which commit is on its way, so that what a crash left half done is known as ours and finished.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from filelock import FileLock, Timeout

from mnemos_files import __version__
from mnemos_files.config import Settings
from mnemos_files.errors import MnemosError, NotFoundError, RefusedError, UnavailableError
from mnemos_files.history.branches import PROPOSALS, Branches
from mnemos_files.history.differing import Sides
from mnemos_files.history.refs import Branch
from mnemos_files.history.repo import History
from mnemos_files.history.values import Change
from mnemos_files.history.worktrees import Worktree
from mnemos_files.model.digest import blob_id
from mnemos_files.store.batch import AUTHOR
from mnemos_files.store.counting import JOURNALS
from mnemos_files.vault.files import Vault, Write
from mnemos_files.vault.lock import VaultLock

LOCK_SECONDS = 30.0
TREE_NAME = "mnemos-"
"""What the names of our linked work trees begin with."""

SYNCED_ONE_BY_ONE = 64
"""So many files [1] are made durable one by one; of more, all that the system has to write is."""

_ATTEMPTS = 5
_MARK = "moving"


@dataclass(slots=True)
class Bench:
    """One branch with proposals. `tree` is the work tree of ours that stands on it, if one does."""

    branches: Branches
    settings: Settings
    branch: str
    tree: Worktree | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep every writer of the work tree out.

        Raises:
            UnavailableError: one has been busy for too long.
        """
        if self.tree is None:
            yield
            return
        with turn(self.tree.folder), VaultLock(self.tree.vault / ".mnemos").hold(LOCK_SECONDS):
            yield

    @property
    def tip(self) -> str:
        """The commit that the branch names, "" when it has none."""
        return self.branches.tip(self.branch)

    def sides(self, main: Branch) -> Sides:
        """The branch compared with main."""
        return self.branches.sides(main.tip, self.tip)

    def follow(self, main: Branch, now: datetime) -> tuple[str, ...]:
        """Bring main's news in; gives paths whose uncommitted edits stand in the way, if any.

        Raises:
            UnavailableError: git's folder or the work tree cannot be written to.
        """
        if blocked := self.settle():
            return blocked
        for _ in range(_ATTEMPTS):
            tip = self.tip
            if self.branches.is_ahead(tip, main.tip):
                return ()
            new = main.tip
            if not self.branches.is_ahead(main.tip, tip):
                joiner = self.branches.joiner
                joined = joiner.join(self.sides(main), _message(main, self.branch))
                new = joiner.commit(joined, now)
            moved = self.go(tip, Branch(self.branch, new), now)
            if moved is not None:
                return moved
        raise _moving(self.branch)

    def settle(self) -> tuple[str, ...]:
        """Bring the files to where another program has moved the branch; as `follow`."""
        if self.tree is None or not self.tip:
            return ()
        repo, tip = self.tree.repository(), self.tip
        pairs = {
            path: pair
            for path, pair in self.tree.behind(repo, tip).items()
            if self.tree.is_wanted(path) and not self._is_own_journal(self.tree, path)
        }
        if not pairs:
            return ()
        blocked = self._write(self.tree, pairs, tip)
        if not blocked:
            self.tree.reindex(repo, tip)
        return blocked

    def go(self, old: str, to: Branch, now: datetime) -> tuple[str, ...] | None:
        """Move branch and files from a commit to another, or to another branch.

        Gives paths whose uncommitted edits stand in the way, nothing was done then; None when
        another program has moved the branch.
        """
        if self.tree is None:
            return () if self.branches.move(Branch(self.branch, old), to.tip) else None
        blocked = self._put(self.tree, old, to.tip)
        if blocked:
            return blocked
        if not self.tree.move(self.tree.repository(), old, to, now):
            return None
        self.branch = to.name
        (self.tree.layout.own_dir / _MARK).unlink(missing_ok=True)
        return ()

    def _put(self, tree: Worktree, old: str, new: str) -> tuple[str, ...]:
        """Write the files in which two commits differ; paths with edits if there are any."""
        return self._write(tree, self._changed(tree, old, new), new)

    def _write(
        self, tree: Worktree, changed: Mapping[str, tuple[str, ...]], new: str
    ) -> tuple[str, ...]:
        vault = Vault(tree.vault, self.settings.ignored)
        writes, rest, edited = _Plan(self.branches, tree, vault).made(changed)
        if edited:
            return edited
        (tree.layout.own_dir / _MARK).write_text(f"{new}\n", "ascii")
        repo = tree.repository()
        tree.put(repo, new, rest)
        is_few = len(writes) <= SYNCED_ONE_BY_ONE
        vault.apply(writes, is_durable=is_few)
        if not is_few:
            os.sync()
        return ()

    def _changed(self, tree: Worktree, old: str, new: str) -> Mapping[str, tuple[str, ...]]:
        """Blob ids that may lie on disk, the last of them is to; by path."""
        found: dict[str, tuple[str, ...]] = {}
        begun = _read(tree.layout.own_dir / _MARK)
        for start in (old or tree.last_commit(), *([begun] if begun else [])):
            try:
                pairs = self.branches.changed(start, new)
            except (KeyError, ValueError):
                continue  # git has forgotten it
            for path, (was, now) in pairs.items():
                if tree.is_wanted(path) and not self._is_own_journal(tree, path):
                    found[path] = (*found.get(path, ())[:-1], was, now)
        return found

    def _is_own_journal(self, tree: Worktree, path: str) -> bool:
        """True for the journal that only this work tree appends to: it is never behind."""
        inside = self.branches.layout.in_vault(path) or ""
        folder = PurePosixPath(inside).parent
        return folder.parent == JOURNALS and folder.name.endswith(f"-{tree.folder.name}")


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to write so that the files of a work tree are those of another commit."""

    branches: Branches
    tree: Worktree
    vault: Vault

    def made(
        self, changed: Mapping[str, tuple[str, ...]]
    ) -> tuple[list[Write], list[str], tuple[str, ...]]:
        """Writes of notes, paths of other files, and paths that somebody has edited."""
        history = History.open(self.tree.vault)
        repo = self.tree.repository()
        writes, rest, edited = [], [], []
        for path, known in changed.items():
            inside = PurePosixPath(self.branches.layout.in_vault(path) or ".")
            if not self.vault.is_note(inside):
                rest.append(path)
                continue
            disk = self._read(inside)
            lies = "" if disk is None else blob_id(disk)
            if disk is not None and lies not in known and isinstance(history, History):
                lies = history.blob_id(inside, disk)
            if lies not in known:
                edited.append(str(inside))
            elif lies != known[-1]:
                data = self.tree.text(repo, path, known[-1]) if known[-1] else None
                writes.append(Write(inside, data, None if disk is None else blob_id(disk)))
        return writes, rest, tuple(edited)

    def _read(self, path: PurePosixPath) -> bytes | None:
        try:
            return self.vault.read(path)[0]
        except NotFoundError:
            return None


@contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Be the only process that makes or brings on the work tree in a folder.

    Raises:
        UnavailableError: another one takes too long, or the cache cannot be written to.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder.with_name(f"{folder.name}.lock"), timeout=LOCK_SECONDS)
        lock.acquire()
    except Timeout as error:
        message = "another program is bringing the proposals up to date"
        raise UnavailableError(message, remedy="Try again.") from error
    except OSError as error:
        raise UnavailableError(f"{folder.parent} cannot be written to: {error}") from error
    try:
        yield
    finally:
        lock.release()


def bench_of(branches: Branches, settings: Settings, branch: str) -> Bench:
    """The bench of a branch, whoever works at it.

    Raises:
        RefusedError: a person has the branch checked out.
    """
    for each in branches.linked():
        if each.branch == branch and each.is_whole:
            if not each.name.startswith(TREE_NAME):
                raise _checked_out(branch, each.folder)
            return Bench(branches, settings, branch, branches.worktree(each.name, each.folder))
    if branches.current() == branch:
        raise _checked_out(branch, branches.layout.workdir)
    return Bench(branches, settings, branch)


def edits_notice(paths: tuple[str, ...], branch: str) -> str:
    """What to say of edits in the work tree that keep main's news out; "" for none."""
    if not paths:
        return ""
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return (
        f"{branch} was not brought up to date: {paths[0]}{more} was edited there and not committed"
    )


def _message(main: Branch, branch: str) -> Change:
    short = branch.removeprefix(PROPOSALS)
    trailers = (("Mnemos-Op", "update"), ("Mnemos-Tool-Version", __version__))
    return Change({}, f"update(branch): {main.name} into {short}", "", trailers, AUTHOR)


def _checked_out(branch: str, folder: Path) -> MnemosError:
    return RefusedError(
        "checked-out",
        f"{branch} is checked out in {folder}",
        remedy="Switch to another branch there, then try again.",
    )


def _moving(branch: str) -> UnavailableError:
    return UnavailableError(f"other programs keep moving {branch}", remedy="Try again.")


def _read(mark: Path) -> str:
    try:
        return mark.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""
