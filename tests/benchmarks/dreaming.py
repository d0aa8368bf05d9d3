"""CPU of a dream that finds nothing to do, against loading catalogue and vectors.

    python -m tests.benchmarks dreaming [--notes N]

Loading: a new store on the indexed vault compares the folder with its catalogue, and reads every
entry of it and every vector. Dream: all passes on such a store, with its look at the folder and its
report. `steps` are the passes alone, on a store that is loaded.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pygit2

from mnemos_files.dream.proposal import Scene
from mnemos_files.dream.run import dream
from mnemos_files.dream.table import PASSES
from mnemos_files.store.open import open_store
from mnemos_files.store.store import Store
from tests.benchmarks import notes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=7)


def run(options: argparse.Namespace) -> Iterator[str]:
    """The first dream, then loading and dreaming side by side, then each pass."""
    made = notes.make(options.notes)
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder, "vault"), Path(folder, "cache")
        notes.write(made, root)
        pygit2.init_repository(str(root), initial_head="main")
        now = notes.START + timedelta(days=700)

        def opened() -> Store:
            return open_store(root, cache_folder=cache, clock=lambda: now)

        yield _first(opened)
        loading, dreaming = [], []
        for _ in range(options.runs):
            store = opened()
            loading.append(_milliseconds(lambda store=store: _load(store)))
            store.close()
            store = opened()
            dreaming.append(_milliseconds(lambda store=store: dream(store, now)))
            store.close()
        base, mine = statistics.median(loading), statistics.median(dreaming)
        yield (
            f"dream over {options.notes} notes with nothing to do: {mine:.0f} ms CPU, loading "
            f"{base:.0f}, ratio {mine / base:.2f}"
        )
        yield _steps(opened())


def _first(opened: Callable[[], Store]) -> str:
    store = opened()
    store.finish()
    reports = []
    took = _milliseconds(lambda: reports.append(dream(store, store.now())))
    while reports[-1].changed:
        reports.append(dream(store, store.now()))
    store.close()
    done = ", ".join(f"{one.step} {len(one.done)}" for one in reports[0].outcomes)
    return f"first dream: {took:.0f} ms CPU ({done}), nothing to do after {len(reports)}"


def _load(store: Store) -> None:
    store.finish()
    store.index.vectors()
    for entry in store.index.entries.values():
        assert entry.blob


def _steps(store: Store) -> str:
    store.finish()
    scene = Scene(store, store.now(), store.journal.tally().deeds)
    times = {each.step: _milliseconds(lambda each=each: each.propose(scene)) for each in PASSES}
    store.close()
    return "steps: " + ", ".join(f"{step} {took:.0f} ms" for step, took in times.items())


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)
