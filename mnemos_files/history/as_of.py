"""Which commit the branch had at an instant."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

import pygit2
from pygit2.enums import SortMode

_Dated = tuple[int, str]


class Chronicle:
    """Commits of the branch by committer time, kept for the head that was asked for last.

    Only first parents count: what a merge brought in was on this branch from the merge on. Commits
    are read as far back as a question needs (about 6 µs each) and kept.
    """

    def __init__(self, repo: pygit2.Repository) -> None:
        self._repo = repo
        self._head = ""
        self._known: list[_Dated] = []
        self._older: Iterator[_Dated] = iter(())

    def at(self, head: str, instant: datetime) -> str:
        """The newest commit whose committer time [s] is not after the instant, "" when none is."""
        if not head:
            return ""
        self._look_at(head)
        limit = instant.timestamp()
        for when, commit in self._known:
            if when <= limit:
                return commit
        for when, commit in self._older:
            self._known.append((when, commit))
            if when <= limit:
                return commit
        return ""

    def commit(self, head: str, place: int) -> str:
        """The commit so many first parents before the head [0 = the head], "" before the first."""
        self._look_at(head)
        missing = place + 1 - len(self._known)
        self._known += islice(self._older, max(missing, 0))
        return self._known[place][1] if place < len(self._known) else ""

    def _look_at(self, head: str) -> None:
        if head != self._head:
            self._turn_to(head)

    def _turn_to(self, head: str) -> None:
        chain = self._first_parents(head)
        if not self._head:
            self._head, self._older = head, chain
            return
        newer: list[_Dated] = []
        for dated in chain:
            if dated[1] == self._head:
                self._known = newer + self._known
                break
            newer.append(dated)
        else:
            self._known, self._older = newer, iter(())
        self._head = head

    def _first_parents(self, head: str) -> Iterator[_Dated]:
        walk = self._repo.walk(head, SortMode.NONE)
        walk.simplify_first_parent()
        for commit in walk:
            yield commit.commit_time, str(commit.id)
