"""Which commit the branch had at an instant."""

from datetime import datetime

import pygit2
from pygit2.enums import SortMode


class Chronicle:
    """Commits of the branch by committer time, kept for the head that was asked for last.

    Only first parents count: what a merge brought in was on this branch from the merge on.
    """

    def __init__(self, repo: pygit2.Repository) -> None:
        self._repo = repo
        self._head = ""
        self._commits: list[tuple[int, str]] = []

    def at(self, head: str, instant: datetime) -> str:
        """The newest commit whose committer time [s] is not after the instant, "" when none is."""
        if not head:
            return ""
        self._catch_up(head)
        limit = instant.timestamp()
        return next((commit for when, commit in self._commits if when <= limit), "")

    def _catch_up(self, head: str) -> None:
        if head == self._head:
            return
        newer: list[tuple[int, str]] = []
        walk = self._repo.walk(head, SortMode.NONE)
        walk.simplify_first_parent()
        for commit in walk:
            if str(commit.id) == self._head:
                self._commits = newer + self._commits
                break
            newer.append((commit.commit_time, str(commit.id)))
        else:
            self._commits = newer
        self._head = head
