"""CPU and changed files when a vault of years is adopted: `init`, then the first index.

    python -m tests.benchmarks adopting [--notes N]

The baseline of the index is that of `indexing`: read, parse, embed, Whoosh's own bulk add.
"""

import argparse
import hashlib
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pygit2

from mnemos_files.cli.template import template
from mnemos_files.index.embedder import StaticEmbedder
from mnemos_files.store.create import create_vault
from mnemos_files.store.open import open_store
from tests.benchmarks import foreign
from tests.benchmarks.indexing import bulk_add


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=1)


def run(options: argparse.Namespace) -> Iterator[str]:
    """What changed, and the time of both steps."""
    made = foreign.make(options.notes)
    embedder = StaticEmbedder()
    embedder.warm()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "vault")
        made.write(root)
        _commit_all(root)
        before = _digests(root, list(made.files))
        step = _cpu(lambda: create_vault(root, template(), datetime.now(UTC)))
        ours, theirs = [], []
        for number in range(options.runs):
            place = Path(folder, f"run{number}")
            theirs.append(_cpu(lambda at=place: bulk_add(root, made.notes, embedder, at)))
            ours.append(_cpu(lambda at=place: _index(root, at, embedder)))
        after = _digests(root, list(made.files))
        status = pygit2.Repository(str(root)).status()
    changed = sum(before[path] != after[path] for path in before)
    yield f"init in {len(made.files)} files: {step:.2f} s CPU"
    yield f"files changed: {changed} of {len(before)}, git status lists {len(status)}"
    mine, base = statistics.median(ours), statistics.median(theirs)
    yield (
        f"index {len(made.notes)} foreign notes: {mine:.2f} s CPU, baseline {base:.2f} s, "
        f"ratio {mine / base:.2f}"
    )


def _index(root: Path, place: Path, embedder: StaticEmbedder) -> None:
    store = open_store(root, cache_folder=place / "cache", embedder=embedder)
    store.finish()
    store.index.flush()
    store.close()


def _commit_all(root: Path) -> None:
    repo = pygit2.init_repository(str(root), initial_head="main")
    repo.index.add_all()
    repo.index.write()
    who = pygit2.Signature("Person", "person@example.org", 1_700_000_000, 0)
    repo.create_commit("HEAD", who, who, "vault backup", repo.index.write_tree(), [])


def _digests(root: Path, paths: list[str]) -> dict[str, str]:
    return {path: hashlib.sha256((root / path).read_bytes()).hexdigest() for path in paths}


def _cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
