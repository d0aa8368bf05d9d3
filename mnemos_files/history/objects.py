"""Writing objects so that they are durable before the branch names them.

A few commits: libgit2 writes loose objects and syncs each of them and its folder (5 objects and 10
fsyncs a commit). A burst: objects are gathered in memory and written as one pack, 3 fsyncs whatever
the number. Measured for 60 commits: 109 ms instead of 324 ms wall, 107 instead of 189 ms CPU; a
burst also leaves two files instead of 300. A pack for each single commit would slow every look-up.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pygit2

from mnemos_files.history.layout import Layout

PACK_FROM = 8
"""Number of commits from which a pack is written: git repacks at 50 packs (gc.autoPackLimit)."""

_ID_LENGTH = 40
_MEMORY_FIRST = 10
"""libgit2 asks backends in falling order; the ones on disk have 1 and 2."""


class ObjectWriter(Protocol):
    """A repository to write objects with; they are durable and visible after `publish`."""

    repo: pygit2.Repository

    def publish(self) -> None:
        """Make every written object durable."""


def object_writer(repo: pygit2.Repository, layout: Layout, commits: int) -> ObjectWriter:
    """A writer that suits the number of commits."""
    pygit2.settings.enable_fsync_gitdir(value=True)
    return PackWriter(layout) if commits >= PACK_FROM else LooseWriter(repo)


class LooseWriter:
    """Every object is a file, synced when it is written."""

    def __init__(self, repo: pygit2.Repository) -> None:
        self.repo = repo

    def publish(self) -> None:
        """Do nothing: each write was durable."""


class PackWriter:
    """Objects stay in memory until they are written as one pack."""

    def __init__(self, layout: Layout) -> None:
        objects = layout.common_dir / "objects"
        self._pack_dir = objects / "pack"
        self._memory = _Memory()
        odb = pygit2.Odb()
        odb.add_backend(self._memory, _MEMORY_FIRST)
        odb.add_disk_alternate(str(objects))
        self.repo = pygit2.Repository(str(layout.git_dir))
        self.repo.set_odb(odb)

    def publish(self) -> None:
        """Write the pack and its index, both synced before they get their names."""
        if not self._memory.objects:
            return
        builder = pygit2.PackBuilder(self.repo)
        for oid in self._memory.objects:
            builder.add(oid)
        Path(self._pack_dir).mkdir(exist_ok=True)
        builder.write(str(self._pack_dir))
        # pygit2's repository objects are cycles that live until the garbage collector comes.
        self._memory.objects.clear()


class _Memory(pygit2.OdbBackend):
    """Objects by id. libgit2 takes KeyError for "not here, ask the next"."""

    def __init__(self) -> None:
        super().__init__()
        self.objects: dict[pygit2.Oid, tuple[int, bytes]] = {}

    def write_cb(self, oid: pygit2.Oid, data: bytes, kind: int) -> None:
        self.objects[oid] = (kind, bytes(data))

    def read_cb(self, oid: pygit2.Oid) -> tuple[int, bytes]:
        return self.objects[oid]

    def read_header_cb(self, oid: pygit2.Oid) -> tuple[int, int]:
        kind, data = self.objects[oid]
        return kind, len(data)

    def read_prefix_cb(self, text: str) -> tuple[int, bytes, pygit2.Oid]:
        oid = self._full(text)
        return (*self.objects[oid], oid)

    def exists_cb(self, oid: pygit2.Oid) -> bool:
        return oid in self.objects

    def exists_prefix_cb(self, text: str) -> pygit2.Oid:
        oid = self._full(text)
        if oid not in self.objects:
            raise KeyError(text)
        return oid

    def refresh_cb(self) -> None:
        pass

    def __iter__(self) -> Iterator[pygit2.Oid]:
        return iter(self.objects)

    def _full(self, text: str) -> pygit2.Oid:
        """pygit2 reads some objects by a "prefix" of full length; short ones are never asked."""
        if len(text) < _ID_LENGTH:
            raise KeyError(text)
        return pygit2.Oid(hex=text)
