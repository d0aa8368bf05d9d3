"""Linked work trees of our own, in which only the files of a vault lie.

They are made as `git worktree add` makes them, so `git worktree list` shows them and `git worktree
prune` tidies up after a folder that was deleted. What is left out is marked in the work tree's
index as not to be looked at, so that git does not take it for deleted.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pygit2
from pygit2.enums import CheckoutStrategy, FilterMode

from mnemos_files.errors import UnavailableError
from mnemos_files.history.identity import FALLBACK_EMAIL, FALLBACK_NAME, person
from mnemos_files.history.index_file import IndexFile
from mnemos_files.history.layout import OWN_FOLDER, Layout
from mnemos_files.history.locks import Locks, Patience
from mnemos_files.history.refs import Branch, Move, swap, sync_folder
from mnemos_files.history.trees import tree_of

HEADS = "refs/heads/"
ASIDE = ".aside"
"""Ending of the folder of a work tree that git had forgotten; the next one takes its place."""

_ADMIN = "worktrees"
_LINK = "gitdir: "
_REF = "ref: "
_RULES = (".gitattributes", ".gitignore")
_OWN = ".mnemos/"
_SUFFIX = ".md"
_NO_COMMIT = "0" * 40


@dataclass(frozen=True, slots=True)
class Linked:
    """A linked work tree as git knows it: its name, its folder, its branch ("" = none).

    `is_whole` is false when the folder is gone or does not lead back here.
    """

    name: str
    folder: Path
    branch: str
    is_whole: bool


def linked(common_dir: Path) -> Iterator[Linked]:
    """Every linked work tree of a repository."""
    with suppress(OSError):
        for admin in sorted((common_dir / _ADMIN).iterdir()):
            link = _line(admin / "gitdir")
            if link:
                back = _line(Path(link)).removeprefix(_LINK)
                is_whole = bool(back) and Path(back).resolve() == admin.resolve()
                yield Linked(admin.name, Path(link).parent, _head(admin), is_whole)


class Worktree:
    """One linked work tree, there or not. Whoever changes it holds a lock of its folder.

    `prefix` leads from its top to the vault, "" = the same.
    """

    def __init__(self, common_dir: Path, name: str, folder: Path, prefix: str) -> None:
        self.folder = folder
        self.vault = folder / prefix
        self._common_dir = common_dir
        self._prefix = prefix
        admin = common_dir / _ADMIN / name
        self.layout = Layout(admin, common_dir, folder, prefix, admin / OWN_FOLDER)

    @property
    def branch(self) -> str:
        """Short name of the branch that it stands on, "" when git does not know it."""
        return _head(self.layout.git_dir)

    @property
    def is_whole(self) -> bool:
        """True when it was made to the end, and git and the folder know each other."""
        back = _line(self.folder / ".git").removeprefix(_LINK)
        admin = self.layout.git_dir
        return bool(back) and Path(back) == admin and (admin / "index").exists()

    def make(self, branch: str, commit: str) -> None:
        """Make it, or what is missing of it, with the files of a commit ("" = none).

        A folder that git has forgotten is set aside first: nobody knows what was done there.

        Raises:
            UnavailableError: a folder cannot be written to.
        """
        with _failures(self.folder):
            if self.folder.exists() and not (self.layout.git_dir / "HEAD").exists():
                self._set_aside()
            self._make(branch, commit)

    def _set_aside(self) -> None:
        aside = self.folder.with_name(f"{self.folder.name}{ASIDE}")
        shutil.rmtree(aside, ignore_errors=True)
        self.folder.rename(aside)
        (aside / ".git").unlink(missing_ok=True)

    def _make(self, branch: str, commit: str) -> None:
        admin = self.layout.git_dir
        self.layout.own_dir.mkdir(parents=True, exist_ok=True)
        self.vault.mkdir(parents=True, exist_ok=True)
        (admin / "index").unlink(missing_ok=True)
        _write(admin / "commondir", "../..")
        _write(admin / "gitdir", str(self.folder / ".git"))
        _write(admin / "HEAD", f"{_REF}{HEADS}{branch}")
        _write(self.folder / ".git", f"{_LINK}{admin}")
        repo = self.repository()
        self.put(repo, commit, self.wanted(repo, commit))
        os.sync()  # the index says that all is there: it must not outlive the files
        self.reindex(repo, commit)

    def repository(self) -> pygit2.Repository:
        """A repository object of this work tree, freshly opened."""
        return pygit2.Repository(str(self.layout.git_dir))

    def is_wanted(self, path: str) -> bool:
        """True for the path of a file that lies here: a note, our own, or a rule of git's."""
        folder, _, name = path.rpartition("/")
        if self._prefix and not path.startswith(self._prefix + "/"):
            around = folder == "" or f"{self._prefix}/".startswith(f"{folder}/")
            return name in _RULES and around
        inside = path[len(self._prefix) + 1 :] if self._prefix else path
        return name in _RULES or name.lower().endswith(_SUFFIX) or inside.startswith(_OWN)

    def wanted(self, repo: pygit2.Repository, commit: str) -> list[str]:
        """Paths of all files of a commit that lie here."""
        tree = tree_of(repo, commit)
        if tree is None:
            return []
        index = pygit2.Index()
        index.read_tree(tree)
        return [entry.path for entry in index if self.is_wanted(entry.path)]

    def put(self, repo: pygit2.Repository, commit: str, paths: Iterable[str]) -> None:
        """Write these files as the commit has them, whatever lies there; what it lacks goes.

        Raises:
            UnavailableError: a folder cannot be written to.
        """
        with _failures(self.folder):
            self._put(repo, commit, paths)

    def _put(self, repo: pygit2.Repository, commit: str, paths: Iterable[str]) -> None:
        tree, names = tree_of(repo, commit), list(paths)
        for path in names:
            if tree is None or path not in tree:
                (self.folder / path).unlink(missing_ok=True)
        if tree is None or not names:
            return
        strategy = (
            CheckoutStrategy.FORCE
            | CheckoutStrategy.DONT_UPDATE_INDEX
            | CheckoutStrategy.DISABLE_PATHSPEC_MATCH
        )
        repo.checkout_tree(  # type: ignore[no-untyped-call]  # pygit2 has no types here
            tree, paths=names, strategy=strategy
        )

    def reindex(self, repo: pygit2.Repository, commit: str) -> None:
        """Make git's index of this work tree anew from a commit.

        Raises:
            UnavailableError: another program holds its lock for too long.
        """
        draft = self.layout.own_dir / "whole-index"
        draft.unlink(missing_ok=True)
        index = pygit2.Index(str(draft))
        tree = tree_of(repo, commit)
        if tree is not None:
            index.read_tree(tree)
        index.write()
        content = IndexFile(draft.read_bytes())
        content.overlook(self.is_wanted)
        file = self.layout.git_dir / "index"
        with Locks(self.layout).hold(Patience(), file):
            with draft.open("wb") as stream:
                stream.writelines(content.render())
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(file)

    def text(self, repo: pygit2.Repository, path: str, blob: str) -> bytes:
        """The bytes that git would put into this file for a blob."""
        data = repo[blob].peel(pygit2.Blob).data
        filters = repo.load_filter_list(path, FilterMode.SMUDGE)
        return data if filters is None or b"\0" in data else filters.apply_to_buffer(data)

    def behind(self, repo: pygit2.Repository, commit: str) -> dict[str, tuple[str, str]]:
        """Files that the index has otherwise than a commit, as blob ids there and here, "" = none.

        They show that another program has moved the branch without this work tree.
        """
        tree = tree_of(repo, commit)
        if tree is None or not (self.layout.git_dir / "index").exists():
            return {}
        found = {}
        for delta in tree.diff_to_index(repo.index).deltas:
            sides = delta.new_file, delta.old_file
            ids = ["" if not any(each.id.raw) else str(each.id) for each in sides]
            found[os.fsdecode(delta.new_file.raw_path)] = (ids[0], ids[1])
        return found

    def last_commit(self) -> str:
        """The commit that it stood on last, whatever became of its branch; "" when unknown."""
        lines = _line(self.layout.git_dir / "logs/HEAD").splitlines()
        fields = lines[-1].split(" ", 2) if lines else []
        return fields[1] if len(fields) > 1 else ""

    def move(self, repo: pygit2.Repository, old: str, to: Branch, when: datetime) -> bool:
        """Move the branch that it stands on from `old`, or stand on another branch at its tip.

        Returns:
            False when another program was quicker.

        Raises:
            UnavailableError: another program holds a lock for too long, or the system refuses.
        """
        locks = Locks(self.layout)
        with _failures(self.folder), locks.writing():
            if to.name == self.branch:
                branch = Branch(HEADS + to.name, old)
                move = Move(branch, to.tip, person(repo), when, "update: from main")
                if not swap(repo, self.layout, locks, move, Patience()):
                    return False
            else:
                head = self.layout.git_dir / "HEAD"
                with locks.hold(Patience(), head):
                    _write(head, f"{_REF}{HEADS}{to.name}")
                    _append_log(self.layout.git_dir / "logs/HEAD", old, to.tip)
            self.reindex(repo, to.tip)
        return True


def make_branch(common_dir: Path, branch: Branch) -> None:
    """Make a branch, or do nothing when it is to begin unborn.

    Raises:
        UnavailableError: a branch of this name is there, or one that is a folder to it.
    """
    if not branch.tip:
        return
    try:
        repo = pygit2.Repository(str(common_dir))
        repo.create_reference(HEADS + branch.name, branch.tip)
    except (pygit2.GitError, ValueError, OSError) as error:
        raise UnavailableError(
            f"the branch {branch.name} cannot be made: {error}",
            remedy="Rename a branch that is called like the beginning of it, such as "
            f"{branch.name.partition('/')[0]}.",
        ) from error


@contextmanager
def _failures(folder: Path) -> Iterator[None]:
    try:
        yield
    except (pygit2.GitError, OSError, KeyError, ValueError) as error:
        raise UnavailableError(
            f"the work tree for proposals in {folder} cannot be brought on: {error}",
            remedy="Look at the folder and at `git worktree list`, then try again.",
        ) from error


def move_branch(layout: Layout, branch: Branch, to: str) -> bool:
    """Move a branch on which no work tree stands; False when it is no longer what it was.

    Raises:
        UnavailableError: another program holds a lock for too long.
    """
    file = layout.common_dir / HEADS / branch.name
    repo = pygit2.Repository(str(layout.git_dir))
    locks = Locks(layout)
    with locks.writing(), locks.hold(Patience(), file):
        found = repo.references.get(HEADS + branch.name)
        if found is None or str(found.peel(pygit2.Commit).id) != branch.tip:
            return False
        _write(file, to)
    return True


def _append_log(log: Path, old: str, new: str) -> None:
    log.parent.mkdir(exist_ok=True)
    line = f"{old or _NO_COMMIT} {new} {FALLBACK_NAME} <{FALLBACK_EMAIL}> 0 +0000\tnext branch\n"
    with log.open("a", encoding="utf-8") as stream:
        stream.write(line)


def _head(admin: Path) -> str:
    text = _line(admin / "HEAD")
    prefix = _REF + HEADS
    return text.removeprefix(prefix) if text.startswith(prefix) else ""


def _line(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except (OSError, ValueError):
        return ""


def _write(file: Path, text: str) -> None:
    draft = file.with_name(file.name + ".new")
    draft.write_text(text + "\n", "utf-8")
    draft.replace(file)
    sync_folder(file.parent)
