"""CPU to find that nothing changed, against a bare walk of the same folder.

    python -m tests.benchmarks refreshing [--notes N]

`listing` is a store without a watcher, as every command and start has it; `watching` is a server's
store, whose watcher answers instead. The bare walk is `os.scandir` with a `stat` of each note.
Then the time from an edit by hand to the answer of the next search, which has it.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygit2

from mnemos_files.operations.reading import search
from mnemos_files.store.open import open_store
from mnemos_files.store.store import Store
from tests.benchmarks import notes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=15)


def run(options: argparse.Namespace) -> Iterator[str]:
    """One line for each way."""
    made = notes.make(options.notes)
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder, "vault"), Path(folder, "cache")
        notes.write(made, root)
        pygit2.init_repository(str(root), initial_head="main")
        for name, background in (("listing", False), ("watching", True)):
            store = open_store(root, cache_folder=cache, background=background)
            store.finish()
            ours, bare = [], []
            for _ in range(options.runs):
                ours.append(_milliseconds(store.refresh))
                bare.append(_milliseconds(lambda: _walk(str(root))))
            waited = [
                _found(store, root / made[number].path, number) for number in range(options.runs)
            ]
            store.close()
            mine, base = statistics.median(ours), statistics.median(bare)
            yield (
                f"refresh of {options.notes} notes, {name}: {mine:.2f} ms CPU, "
                f"bare walk {base:.2f}, ratio {mine / base:.2f}"
            )
            yield (
                f"edit by hand to found at the next search, {name}: "
                f"{statistics.median(waited):.0f} ms, at most {max(waited):.0f}"
            )


def _found(store: Store, file: Path, number: int) -> float:
    """Time from the end of a write to the answer that has it [ms]."""
    word = f"handwritten{number}"
    file.write_text(f"{file.read_text('utf-8')}\n{word}\n", encoding="utf-8")
    start = time.perf_counter()
    answer = search(store, query=word)
    passed = 1000 * (time.perf_counter() - start)
    if [hit.path for hit in answer.results] != [str(file.relative_to(store.place.vault.root))]:
        raise AssertionError(f"{word} was not found")
    return passed


def _walk(folder: str) -> int:
    found = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == ".git":
                continue
            if entry.is_dir(follow_symlinks=False):
                found += _walk(entry.path)
            elif entry.name.endswith(".md"):
                found += entry.stat(follow_symlinks=False).st_size > 0
    return found


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)
