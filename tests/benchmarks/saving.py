"""CPU of a save with its commit, against a bare loop that does the same by hand.

    python -m tests.benchmarks saving [--notes N]

The bare loop: write a temporary file, fsync, rename, write blob and changed trees, commit with the
objects made durable, add the path to git's index and write that. Both work on vaults of N notes
of their own and take turns, so that whatever else the machine does hits both. `group` is what one
save costs when 60 are sent at once.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pygit2

from mnemos_files.model.record import Record
from mnemos_files.store.open import open_store
from mnemos_files.store.store import Store
from tests.benchmarks import notes

GROUP = 60
_TEXT = "The worker retries three times and then parks the parcel event in the dead-letter table. "


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--saves", type=int, default=60)


def run(options: argparse.Namespace) -> Iterator[str]:
    """One line for each size, then the ratio between the sizes."""
    middles = []
    for count in options.notes:
        made = notes.make(count)
        with tempfile.TemporaryDirectory() as folder:
            ours, bare, group = _measure(made, Path(folder), options.saves)
        middles.append(ours)
        yield (
            f"save into {count} notes: {ours:.2f} ms CPU, bare loop {bare:.2f}, "
            f"ratio {ours / bare:.2f}; in a group of {GROUP}: {group:.2f} each"
        )
    if len(middles) > 1:
        yield f"largest against smallest vault: {middles[-1] / middles[0]:.2f}"


def _measure(
    made: Sequence[notes.MadeNote], folder: Path, saves: int
) -> tuple[float, float, float]:
    repositories = [_vault(made, folder / name) for name in ("ours", "bare")]
    store = open_store(folder / "ours", cache_folder=folder / "cache")
    store.finish()
    store.index.flush()
    bare = _Bare(repositories[1], folder / "bare")
    for number in range(5):
        store.put(_record(store, -1 - number))
        bare.save(-1 - number)
    ours_ms, bare_ms = [], []
    for number in range(saves):
        ours_ms.append(_milliseconds(partial(store.put, _record(store, number))))
        bare_ms.append(_milliseconds(partial(bare.save, number)))
    group = _milliseconds(partial(_all_at_once, store)) / GROUP
    store.close()
    return statistics.median(ours_ms), statistics.median(bare_ms), group


def _all_at_once(store: Store) -> None:
    records = [_record(store, 10_000 + number) for number in range(GROUP)]
    with ThreadPoolExecutor(GROUP) as pool:
        list(pool.map(store.put, records))


def _vault(made: Sequence[notes.MadeNote], root: Path) -> pygit2.Repository:
    notes.write(made, root)
    repository = pygit2.init_repository(str(root), initial_head="main")
    repository.index.add_all()
    repository.index.write()
    person = pygit2.Signature("Bench", "bench@localhost")
    tree = repository.index.write_tree()
    repository.create_commit("HEAD", person, person, "notes", tree, [])
    return repository


def _record(store: Store, number: int) -> Record:
    return Record(
        id=store.new_id(store.now()),
        type="decision",
        title=f"Retry policy of the intake worker, variant {number}",
        content=_TEXT * 8 + f"Variant {number}.",
        project="bench",
        tags=("worker", "retry"),
        agent="bench",
        created=store.now().replace(microsecond=0),
    )


class _Bare:
    """The least that puts one file into a folder and into git."""

    def __init__(self, repository: pygit2.Repository, root: Path) -> None:
        pygit2.settings.enable_fsync_gitdir(True)  # noqa: FBT003 - pygit2 takes no keyword
        self._repository = repository
        self._root = root
        self._person = pygit2.Signature("Bench", "bench@localhost")

    def save(self, number: int) -> None:
        name = f"2026-12-01-retry-policy-of-the-intake-worker-{number}.md"
        parts = ("observations", "bench", name)
        data = f"---\nid: {number}\ntype: decision\n---\n{_TEXT * 8}Variant {number}.\n".encode()
        path = self._root.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".tmp")
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        self._commit(parts, data, f"save {number}")

    def _commit(self, parts: tuple[str, ...], data: bytes, message: str) -> None:
        repository = self._repository
        head = repository.head.target
        tree = self._tree(repository[head].tree, parts, repository.create_blob(data))
        repository.create_commit("HEAD", self._person, self._person, message, tree, [head])
        index = repository.index
        index.read(False)  # noqa: FBT003 - pygit2 takes no keyword
        index.add("/".join(parts))
        index.write()

    def _tree(
        self, tree: pygit2.Tree | None, parts: tuple[str, ...], blob: pygit2.Oid
    ) -> pygit2.Oid:
        builder = self._repository.TreeBuilder(*([tree] if tree is not None else []))
        if len(parts) == 1:
            builder.insert(parts[0], blob, pygit2.enums.FileMode.BLOB)
        else:
            child = tree[parts[0]] if tree is not None and parts[0] in tree else None
            below = self._tree(child, parts[1:], blob)
            builder.insert(parts[0], below, pygit2.enums.FileMode.TREE)
        return builder.write()


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)
