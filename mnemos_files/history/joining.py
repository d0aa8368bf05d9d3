"""Commits that bring main and a branch with proposals together, or change single files of one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

import pygit2
from pygit2.enums import FileMode

from mnemos_files.errors import CorruptError, UnavailableError
from mnemos_files.format.merging import merge
from mnemos_files.history.attributes import Attributes
from mnemos_files.history.chain import Maker, write_commit
from mnemos_files.history.differing import CONFLICT, Differing, Sides
from mnemos_files.history.identity import person
from mnemos_files.history.layout import Layout
from mnemos_files.history.objects import object_writer
from mnemos_files.history.process import Git
from mnemos_files.history.signing import signer
from mnemos_files.history.trees import Blob, changed_tree, tree_of
from mnemos_files.history.values import Change

Files = Mapping[str, Blob | bytes | None]
"""Files by their path in the repository: a blob, new bytes, None = gone."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A commit to be: the files in which it differs from the last of its parents, its message.

    `conflicts` are the paths at which both sides had changed and the proposed text was kept.
    """

    files: Files
    parents: tuple[str, ...]
    message: Change
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Joiner:
    """Makes such commits in one repository. Nothing names them yet."""

    repo: pygit2.Repository
    layout: Layout

    def join(self, sides: Sides, message: Change) -> Joined:
        """Main's files with the proposals, on top of branch and main.

        A file that both sides changed is merged (`format.merging`); where the two contradict each
        other, the proposed text stays and a trailer tells.
        """
        files: dict[str, Blob | bytes | None] = {}
        conflicts = []
        for one in sides.differing:
            files[one.path] = one.proposed
            if one.path in sides.conflicts:
                conflicts.append(one.path)
            elif one.has_moved:
                merged = self._merged(one)
                if merged is None:
                    conflicts.append(one.path)
                else:
                    files[one.path] = merged
        trailers = (*message.trailers, *((CONFLICT, path) for path in conflicts))
        parents = tuple(each for each in (sides.branch, sides.main) if each)
        return Joined(files, parents, replace(message, trailers=trailers), tuple(conflicts))

    def commit(self, joined: Joined, now: datetime) -> str:
        """Write the commit; its id.

        Raises:
            UnavailableError: it cannot be written or signed.
        """
        try:
            objects = object_writer(self.layout, 1)
            edits = {path: _blob(objects.repo, each) for path, each in joined.files.items()}
            last = joined.parents[-1] if joined.parents else ""
            tree = changed_tree(objects.repo, tree_of(objects.repo, last), edits)
            maker = self._maker(now)
            made = write_commit(objects.repo, joined.parents, tree, joined.message, maker)
            objects.publish()
        except (pygit2.GitError, KeyError, OSError) as error:
            message = f"git could not make the commit: {error}"
            raise UnavailableError(message, remedy="Run `git fsck` if this stays.") from error
        return made

    def _maker(self, now: datetime) -> Maker:
        identity = person(self.repo)
        attributes = Attributes(self.repo, Git(self.layout.git_dir, self.layout.workdir))
        return Maker(self.layout, attributes, identity, signer(self.repo, identity), now)

    def _merged(self, one: Differing) -> bytes | None:
        """Both changes in one text, None when that cannot be."""
        inside = self.layout.in_vault(one.path)
        if one.base is None or one.main is None or one.proposed is None or inside is None:
            return None
        versions = (one.base, one.main, one.proposed)
        base, main, ours = (self.repo[each.id].peel(pygit2.Blob).data for each in versions)
        try:
            merged = merge(base, ours, main, PurePosixPath(inside))
        except CorruptError:
            return None
        return merged.data if merged.is_clean else None


def _blob(repo: pygit2.Repository, wanted: Blob | bytes | None) -> Blob | None:
    return Blob(repo.create_blob(wanted), FileMode.BLOB) if isinstance(wanted, bytes) else wanted
