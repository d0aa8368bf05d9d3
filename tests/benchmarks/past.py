"""CPU of a search in the vault of a year ago, against the same search in that of now.

    python -m tests.benchmarks as_of [--notes N]

Half of the notes have another text since. First: nothing of that day was read before. Repeated:
other questions about the same day; plain: the same questions without a time.
"""

# ruff: noqa: S311 - repeatable, not secret

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pygit2

from mnemos_files.operations.reading import search
from mnemos_files.store.open import open_store
from mnemos_files.store.store import Store
from tests.benchmarks import notes

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
YEAR = timedelta(days=365)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=50)


def run(options: argparse.Namespace) -> Iterator[str]:
    """One line for the first question about that day, one for the others."""
    made = notes.make(options.notes)
    asked = notes.questions(made, options.questions + 1)
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder, "vault"), Path(folder, "cache")
        changed = build(root, made)
        store = open_store(root, cache_folder=cache, clock=lambda: NOW, background=True)
        whole = _milliseconds(store.finish)
        store.index.flush()
        plain = _all(store, asked, "")
        then = (NOW - YEAR).isoformat()
        first = _milliseconds(partial(search, store, query=asked[0], as_of=then))
        repeated = _all(store, asked[1:], then)
        store.close()
    ours, base = statistics.median(repeated), statistics.median(plain)
    share = first / (whole * changed / len(made))
    yield (
        f"first search in {len(made)} notes of a year ago, {changed} changed: {first:.0f} ms CPU, "
        f"{share:.2f} of reading so many in for today"
    )
    yield f"repeated: p50 {ours:.2f} ms CPU, plain {base:.2f}, ratio {ours / base:.2f}"


def build(root: Path, made: Sequence[notes.MadeNote]) -> int:
    """A vault with a commit of a year ago and one of now; how many texts differ."""
    rnd = random.Random(1)
    changed = set(rnd.sample(range(len(made)), len(made) // 2))
    notes.write(made, root)
    repo = pygit2.init_repository(str(root), initial_head="main")
    _commit(repo, NOW - YEAR - timedelta(days=1))
    for number in changed:
        file = root / made[number].path
        kept, _, last = file.read_text("utf-8").rstrip("\n").rpartition(" ")
        file.write_text(f"{kept} no longer {last}\n\nSeen again in {number}.\n", encoding="utf-8")
    _commit(repo, NOW - timedelta(days=1))
    return len(changed)


def _commit(repo: pygit2.Repository, when: datetime) -> None:
    who = pygit2.Signature("Bench", "bench@example.org", int(when.timestamp()), 0)
    repo.index.add_all()
    repo.index.write()
    parents = [] if repo.head_is_unborn else [repo.head.target]
    repo.create_commit("HEAD", who, who, "bench", repo.index.write_tree(), parents)


def _all(store: Store, asked: Sequence[str], as_of: str) -> list[float]:
    ask = partial(search, store, as_of=as_of)
    ask(query="warm up the model and the columns")
    return [_milliseconds(partial(ask, query=text)) for text in asked]


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)
