"""CPU of a review of a branch that changes many memories of a large vault.

    python -m tests.benchmarks reviewing [--notes N] [--changed N]

The vault is committed and indexed. The branch has one commit for each memory: three in five are
new, the others other texts of old ones. Timed is what the command does: a new store on the warm
index, the comparison, all rules, the search for similar ones, and the comment; first with the
branch checked out, as for a pull request, then from main, where the new texts get their vectors on
the way.
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path

from mnemos_files.review.formats import FORMATS
from mnemos_files.review.run import review
from mnemos_files.store.changeset import change_set
from mnemos_files.store.open import open_store
from mnemos_files.store.store import Store
from tests.benchmarks import notes

NEW_SHARE = 0.6
"""Share of the changed memories that are new [1]."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--changed", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)


def run(options: argparse.Namespace) -> Iterator[str]:
    """A review, several times, each with a store of its own."""
    fresh = round(options.changed * NEW_SHARE)
    made = notes.make(options.notes + fresh)
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder, "vault"), Path(folder, "cache")
        notes.write(made[: options.notes], root)
        _git(root, "init", "-q", "-b", "main")
        _git(root, "config", "gc.auto", "0")
        _commit(root)
        now = notes.START + timedelta(days=700)

        def opened() -> Store:
            return open_store(root, cache_folder=cache, clock=lambda: now)

        _warm(opened)
        _git(root, "checkout", "-q", "-b", "proposal")
        _propose(root, made, fresh, options)
        _warm(opened)
        yield _measured("checked out", opened, "main...HEAD", options)
        _git(root, "checkout", "-q", "main")
        _warm(opened)
        yield _measured("from main", opened, "proposal", options)


def _measured(
    what: str, opened: Callable[[], Store], named: str, options: argparse.Namespace
) -> str:
    times, sizes = [], set()
    for _ in range(options.runs):
        start = time.process_time()
        sizes.add(_review(opened, named))
        times.append(time.process_time() - start)
    return (
        f"review of {options.changed} changed memories, {options.notes} notes, {what}: "
        f"{statistics.median(times):.2f} s CPU (bar 2.0); comment of {sizes.pop()} characters"
    )


def _warm(opened: Callable[[], Store]) -> None:
    store = opened()
    store.finish()
    store.close()


def _review(opened: Callable[[], Store], named: str) -> int:
    store = opened()
    store.finish()
    text = FORMATS["markdown"](review(change_set(store, named), store.now()))
    store.close()
    return len(text)


def _propose(
    root: Path, made: Sequence[notes.MadeNote], fresh: int, options: argparse.Namespace
) -> None:
    """The commits of the branch."""
    old = made[:: options.notes // (options.changed - fresh)][: options.changed - fresh]
    for note in made[options.notes :]:
        notes.write([note], root)
        _commit(root, note.path)
    for note in old:
        file = root / note.path
        file.write_text(f"{note.text}\nThis was looked at again and still holds.\n", "utf-8")
        _commit(root, note.path)


def _commit(root: Path, path: str = ".") -> None:
    _git(root, "add", path)
    who = ["-c", "user.name=bench", "-c", "user.email=bench@mnemos.invalid"]
    _git(root, *who, "commit", "-q", "-m", "save\n\nMnemos-Agent: bench")


def _git(root: Path, *arguments: str) -> None:
    root.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "-C", str(root), *arguments], check=True)
