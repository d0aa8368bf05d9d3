"""Where an agent's proposals are written: a linked work tree of its own, in the cache folder."""

import hashlib
import re
import unicodedata
from datetime import datetime
from pathlib import Path

from mnemos_files.config import Settings
from mnemos_files.errors import UnavailableError
from mnemos_files.history.branches import PROPOSALS, Branches
from mnemos_files.history.refs import Branch
from mnemos_files.history.values import NoHistory
from mnemos_files.history.worktrees import Worktree
from mnemos_files.store.bench import TREE_NAME, Bench, edits_notice, turn
from mnemos_files.vault.lock import VaultLock

FOLDER = "proposals"
"""Folder in the cache folder that holds the work trees."""

_SLUG_LENGTH = 40
_HASH_LENGTH = 8
_OTHER = re.compile(r"[^a-z0-9]+")
_DAYS_BRANCHES_MAX = 1_000


class Desk:
    """The work tree of one agent at one vault.

    `key` names the vault among those of the cache folder, `root` is the person's folder.
    """

    def __init__(self, root: Path, agent: str, cache: tuple[Path, str], settings: Settings) -> None:
        self.agent = agent
        self.slug = agent_slug(agent)
        self._root = root
        self._settings = settings
        self._folder = cache[0].resolve() / FOLDER / cache[1] / self.slug
        self._tree: Worktree | None = None

    @property
    def root(self) -> Path:
        """The vault's folder in the work tree; known when `renew` has been called."""
        return self._folder if self._tree is None else self._tree.vault

    @property
    def branch(self) -> str:
        """The branch that proposals go to; `renew` may change it, also that of another process."""
        return "" if self._tree is None else self._tree.branch

    @property
    def notice(self) -> str:
        """What to tell the agent with each write."""
        return f"this is a proposal on the branch {self.branch} until a person approves it"

    def renew(self, now: datetime) -> tuple[str, ...]:
        """Make the work tree if it is not there, and bring main's news in; gives facts to tell.

        A branch whose proposals are all decided is left for a new one of this day.

        Raises:
            UnavailableError: there is no repository, or it or the cache cannot be written to.
        """
        branches = _opened(self._root)
        name = TREE_NAME + f"{self.slug}-{_hash(str(self._folder))}"
        tree = self._tree = branches.worktree(name, self._folder)
        with turn(self._folder):
            return self._renewed(branches, tree, now)

    def _renewed(self, branches: Branches, tree: Worktree, now: datetime) -> tuple[str, ...]:
        main = branches.main(self._settings.review_base)
        if not tree.is_whole:
            self._make(branches, tree, main, now)
        bench = Bench(branches, self._settings, tree.branch, tree)
        with VaultLock(tree.vault / ".mnemos").hold():
            edited = self._brought_up(bench, main, now)
        notice = edits_notice(edited, bench.branch)
        return (notice,) if notice else ()

    def _brought_up(self, bench: Bench, main: Branch, now: datetime) -> tuple[str, ...]:
        if blocked := bench.settle():
            return blocked
        if bench.sides(main).differing:
            return bench.follow(main, now)
        tip, today = bench.tip, self._name(now)
        is_unused = bench.branches.is_ahead(main.tip, tip)
        if is_unused and bench.branch.startswith(today):
            return bench.follow(main, now) if tip or main.tip else ()
        return self._leave(bench, main, now)

    def _leave(self, bench: Bench, main: Branch, now: datetime) -> tuple[str, ...]:
        """Stand at main, on a new branch; the old one, all decided, is deleted.

        One of this day that was pushed nowhere is moved instead.
        """
        old, tip = bench.branch, bench.tip
        if old == self._name(now) and not bench.branches.is_on_origin(old):
            return bench.go(tip, Branch(old, main.tip), now) or ()
        fresh = self._fresh(bench.branches, now)
        bench.branches.make(fresh, main.tip)
        edited = bench.go(tip, Branch(fresh, main.tip), now)
        bench.branches.delete(old if edited == () else fresh)
        return edited or ()

    def _make(self, branches: Branches, tree: Worktree, main: Branch, now: datetime) -> None:
        branch = self._open_branch(branches, tree, main)
        if not branch:
            branch = self._fresh(branches, now)
            branches.make(branch, main.tip)
        tree.make(branch, branches.tip(branch))

    def _open_branch(self, branches: Branches, tree: Worktree, main: Branch) -> str:
        """The branch to go on with after the work tree was lost, "" when all are decided."""
        taken = {each.branch for each in branches.linked() if each.is_whole}
        taken.add(branches.current())
        own = [tree.branch] if tree.branch else []
        for name in (*own, *reversed(branches.of_agent(self.slug))):
            if name in taken or not branches.tip(name):
                continue
            sides = branches.sides(main.tip, branches.tip(name))
            inside = [branches.layout.in_vault(one.path) for one in sides.differing]
            if inside and all(inside):
                return name
        return ""

    def _fresh(self, branches: Branches, now: datetime) -> str:
        first = self._name(now)
        for number in range(1, _DAYS_BRANCHES_MAX):
            name = first if number == 1 else f"{first}-{number}"
            if not branches.tip(name) and not branches.is_on_origin(name):
                return name
        raise UnavailableError(f"there are too many branches {first}-*", remedy="Delete some.")

    def _name(self, now: datetime) -> str:
        return f"{PROPOSALS}{self.slug}/{now:%Y-%m-%d}"


def agent_slug(agent: str) -> str:
    """The name of an agent as part of a branch: lower-case ASCII letters, digits and hyphens.

    Names that differ in case, blanks or signs only are the same agent; letters that are not ASCII
    are told apart by a hash.
    """
    decomposed = unicodedata.normalize("NFKD", agent)
    plain = _OTHER.sub("-", decomposed.lower()).strip("-")[:_SLUG_LENGTH].strip("-")
    is_lossless = not any(each.isalnum() and not each.isascii() for each in decomposed)
    if plain and is_lossless:
        return plain
    return f"{plain or 'agent'}-{_hash(unicodedata.normalize('NFKC', agent).casefold())}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:_HASH_LENGTH]


def _opened(root: Path) -> Branches:
    opened = Branches.open(root)
    if isinstance(opened, NoHistory):
        raise UnavailableError(
            opened.reason or f"{root} is in no git repository, so there is no branch to propose on",
            remedy="Run `mnemos-files init` or `git init` there, or set [review] mode to direct.",
        )
    return opened
