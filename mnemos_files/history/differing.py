"""What a branch proposes: the files that it changed and that main does not have so.

It is told by content, not by commits alone, so that a proposal which was taken one by one or in one
squashed commit counts as taken.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import pygit2
from pygit2.enums import SortMode

from mnemos_files.history.message import parse_message
from mnemos_files.history.trees import Blob, changed_files, find_blob, tree_of

CONFLICT = "Mnemos-Conflict"
"""Trailer of a merge of ours: a path at which the proposal was kept though main changed too."""

_COMMITS_MAX = 2_000
"""Commits [1] of either side that are looked at; a branch lives for days."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A file that a branch has otherwise than main; None = no such file.

    `path` is that in the repository, `base` the version of main from which the proposed one was
    made.
    """

    path: str
    base: Blob | None
    proposed: Blob | None
    main: Blob | None

    @property
    def has_moved(self) -> bool:
        """True when main has changed the file as well."""
        return self.main != self.base


@dataclass(frozen=True, slots=True)
class Step:
    """A commit that only one side has, and the paths in which it differs from its first parent."""

    commit: pygit2.Commit
    paths: frozenset[str]

    @property
    def is_merge(self) -> bool:
        """True when it brought another branch in."""
        return len(self.commit.parents) > 1


class Sides:
    """A branch's commit and main's ("" = none), compared once."""

    def __init__(self, repo: pygit2.Repository, main: str, branch: str) -> None:
        self._repo = repo
        self.main, self.branch = main, branch
        self.base = _merge_base(repo, main, branch)
        self._base_tree = tree_of(repo, self.base)
        self._main_tree = tree_of(repo, main)
        self._branch_tree = tree_of(repo, branch)

    @cached_property
    def differing(self) -> tuple[Differing, ...]:
        """Every file that the branch changed and main lacks as it is there, by path."""
        if self.base == self.branch:
            return ()
        found = changed_files(self._base_tree, self._branch_tree)
        judged = (self._judged(path, was, now) for path, was, now in found)
        return tuple(sorted((one for one in judged if one), key=lambda one: one.path))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Commits of the branch that main does not hold, newest first; those from main left out."""
        return tuple(self._steps(self.branch, self.main))

    @cached_property
    def conflicts(self) -> frozenset[str]:
        """Paths at which a proposal was kept against main, and that nobody has edited since."""
        found: set[str] = set()
        settled: set[str] = set()
        for step in self.steps:
            _, _, trailers = parse_message(step.commit.message)
            if step.is_merge:
                found |= {value for key, value in trailers if key == CONFLICT} - settled
            elif all(key != "Mnemos-Op" for key, _ in trailers):
                settled |= step.paths  # a person has put the text right
        return frozenset(found)

    def renamed(self, path: str) -> str:
        """Where main has moved a file since the base, "" when it is just gone."""
        return self._renames.get(path, "")

    @cached_property
    def _renames(self) -> dict[str, str]:
        if self._base_tree is None or self._main_tree is None:
            return {}
        diff = self._base_tree.diff_to_tree(self._main_tree)
        diff.find_similar()
        return {
            _old_path(delta): _new_path(delta)
            for delta in diff.deltas
            if delta.status == pygit2.enums.DeltaStatus.RENAMED
        }

    @cached_property
    def _main_steps(self) -> tuple[Step, ...]:
        return tuple(self._steps(self.main, self.branch))

    def _judged(self, path: str, was: Blob | None, now: Blob | None) -> Differing | None:
        there = find_blob(self._main_tree, path)
        if there is None and was is not None and now and (moved := self.renamed(path)):
            return self._followed(moved, was, now)
        if there == now or (there != was and self._was_taken(path, now)):
            return None
        return Differing(path, was if there == was else self._common(path, was), now, there)

    def _followed(self, path: str, was: Blob, now: Blob) -> Differing | None:
        """The change of a file that main has moved here."""
        there = find_blob(self._main_tree, path)
        return None if there == now else Differing(path, was, now, there)

    def _was_taken(self, path: str, now: Blob | None) -> bool:
        """True when main held this very text since, or a person's version of what was new here."""
        theirs = [find_blob(step.commit.tree, path) for step in self._touching(path, main=True)]
        if now is not None and now in theirs:
            return True
        if find_blob(self._base_tree, path) is not None or not theirs or theirs[0] is None:
            return False
        if self._common(path, None) is not None:
            return False
        # Names of new records end in their id: the file on main came from here, edited on its way.
        own = next((s for s in self._touching(path, main=False) if not s.is_merge), None)
        came = next(self._touching(path, main=True))
        return own is not None and own.commit.commit_time <= came.commit.commit_time

    def _common(self, path: str, default: Blob | None) -> Blob | None:
        """The newest version of the branch that main had as well."""
        theirs = [find_blob(step.commit.tree, path) for step in self._touching(path, main=True)]
        for step in self._touching(path, main=False):
            version = find_blob(step.commit.tree, path)
            if version is not None and version in theirs:
                return version
        return default

    def _touching(self, path: str, *, main: bool) -> Iterator[Step]:
        return (s for s in (self._main_steps if main else self.steps) if path in s.paths)

    def _steps(self, tip: str, without: str) -> Iterator[Step]:
        if not tip:
            return
        walk = self._repo.walk(tip, SortMode.NONE)
        walk.simplify_first_parent()
        if without:
            walk.hide(without)
        for commit in islice(walk, _COMMITS_MAX):
            before = commit.parents[0].tree if commit.parents else None
            paths = frozenset(path for path, _, _ in changed_files(before, commit.tree))
            yield Step(commit, paths)


def _old_path(delta: pygit2.DiffDelta) -> str:
    return os.fsdecode(delta.old_file.raw_path)


def _new_path(delta: pygit2.DiffDelta) -> str:
    return os.fsdecode(delta.new_file.raw_path)


def _merge_base(repo: pygit2.Repository, main: str, branch: str) -> str:
    if not main or not branch:
        return ""
    found = str(repo.merge_base(main, branch))
    return "" if found == "None" else found  # None for unrelated ones, though its type says not
