"""Revisions of the vault or of one note, newest first."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice

import pygit2
from pygit2.enums import DeltaStatus, SortMode

from mnemos_files.history.as_of import Chronicle
from mnemos_files.history.layout import Layout
from mnemos_files.history.message import parse_message
from mnemos_files.history.values import Mark, Revision

_ABSENT = ""
_MERGED_MAX = 100  # commits of a merged branch that are looked through


class Log:
    """Reads commits of one repository."""

    def __init__(self, repo: pygit2.Repository, layout: Layout) -> None:
        self._repo = repo
        self._layout = layout

    def revisions(self, head: str, path: str, limit: int, skip: int) -> list[Revision]:
        """Commits that changed a file or folder ("" = anything), followed through renames."""
        if not head:
            return []
        found = islice(self._changing(head, path), skip, skip + limit)
        return [self._revision(each, self._paths(each, each.parents[:1])) for each in found]

    def since(self, head: str, base: str) -> list[Revision]:
        """Commits that `head` has and `base` has not, newest first.

        Of a merge the paths are those that it changed itself: that differ from all its parents.
        """
        if not head:
            return []
        walker = self._repo.walk(head, SortMode.TOPOLOGICAL)
        walker.hide(base)
        found = ((commit, self._paths(commit, commit.parents)) for commit in walker)
        return [self._revision(commit, paths) for commit, paths in found]

    def last(self, head: str, path: str, chronicle: Chronicle) -> Mark | None:
        """The commit that gave a file its present text, None when it is in no commit.

        Halves the way back along first parents, so it looks into some twenty commits of ten
        thousand. When a file had this text, lost it and got it again, either time may be named.
        """
        here = self._entry_in(head, path)
        if here == _ABSENT:
            return None
        have, lack = 0, 1
        while self._entry_in(chronicle.commit(head, lack), path) == here:
            have, lack = lack, 2 * lack
        while lack - have > 1:
            middle = (have + lack) // 2
            if self._entry_in(chronicle.commit(head, middle), path) == here:
                have = middle
            else:
                lack = middle
        return self._into_merge(self._repo[chronicle.commit(head, have)].peel(pygit2.Commit), path)

    def _into_merge(self, commit: pygit2.Commit, path: str) -> Mark:
        """The commit itself, or for a merge the one on the branch that brought the text."""
        here = _entry(commit, path)
        for _ in range(_MERGED_MAX):
            same = [parent for parent in commit.parents if _entry(parent, path) == here]
            if not same:
                break
            commit = same[0]
        when = datetime.fromtimestamp(commit.commit_time, UTC)
        return Mark(str(commit.id), commit.author.name, when)

    def _entry_in(self, commit: str, path: str) -> str:
        return _entry(self._repo[commit].peel(pygit2.Commit), path) if commit else _ABSENT

    def _changing(self, head: str, path: str) -> Iterator[pygit2.Commit]:
        # Unsorted means newest first as in `git log`, children before parents, read on demand.
        # The other orders read all commits first, and TIME mixes those of one second.
        for commit in self._repo.walk(head, SortMode.NONE):
            here = _entry(commit, path)
            parents = commit.parents
            before = [_entry(parent, path) for parent in parents]
            if here in before or (not parents and here == _ABSENT):
                continue
            yield commit
            if len(parents) == 1 and before[0] == _ABSENT:
                path = self._former_name(commit, parents[0], path)

    def _former_name(self, commit: pygit2.Commit, parent: pygit2.Commit, path: str) -> str:
        diff = parent.tree.diff_to_tree(commit.tree)
        diff.find_similar()
        for delta in diff.deltas:
            if delta.status == DeltaStatus.RENAMED and delta.new_file.path == path:
                return delta.old_file.path
        return path

    def _revision(self, commit: pygit2.Commit, paths: set[str]) -> Revision:
        subject, body, trailers = parse_message(commit.message)
        return Revision(
            commit=str(commit.id),
            author_name=commit.author.name,
            author_email=commit.author.email,
            when=datetime.fromtimestamp(commit.commit_time, UTC),
            subject=subject,
            body=body,
            trailers=trailers,
            paths=tuple(sorted(paths)),
        )

    def _paths(self, commit: pygit2.Commit, parents: list[pygit2.Commit]) -> set[str]:
        """Paths in the vault that differ from each of some parents."""
        trees = [parent.tree for parent in parents]
        diffs = [commit.tree.diff_to_tree(tree, swap=True) for tree in trees]
        changed = [_names(diff) for diff in diffs or [commit.tree.diff_to_tree(swap=True)]]
        names = set.intersection(*changed)
        return {found for name in names if (found := self._layout.in_vault(name)) is not None}


def _names(diff: pygit2.Diff) -> set[str]:
    return {name for delta in diff.deltas for name in (delta.old_file.path, delta.new_file.path)}


def _entry(commit: pygit2.Commit, path: str) -> str:
    """Id of what lies at a path in a commit, "" when nothing does."""
    try:
        return str(commit.tree[path].id) if path else str(commit.tree_id)
    except KeyError:
        return _ABSENT
