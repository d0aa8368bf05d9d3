"""CPU to find that nothing changed, against a bare walk of the same folder.

    python -m tests.benchmarks refreshing [--notes N]

`listing` is a store without a watcher, as every command and start has it; `watching` is a server's
store, whose watcher answers instead. The bare walk is `os.scandir` with a `stat` of each note.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygit2

from mnemos_files.store.open import open_store
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
            store.close()
            mine, base = statistics.median(ours), statistics.median(bare)
            yield (
                f"refresh of {options.notes} notes, {name}: {mine:.2f} ms CPU, "
                f"bare walk {base:.2f}, ratio {mine / base:.2f}"
            )


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
