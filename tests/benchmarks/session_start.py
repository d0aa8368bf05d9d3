"""CPU of the start of a session with its block, against one search of its goal.

    python -m tests.benchmarks session_start [--notes N]

The vault holds made-up notes, 100 sessions, 40 conventions and 200 corrections of one project, its
journal some touches. Both run in one process on a warm index, with the watcher of a server, in
turn; the ratio is the median over the goals of start by search. Between them each session ends.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pygit2

from mnemos_files.format.paths import path_for
from mnemos_files.format.record import render
from mnemos_files.model.event import SessionEnded, Touched
from mnemos_files.model.record import Record
from mnemos_files.model.ulid import make_ulid
from mnemos_files.operations.reading import search
from mnemos_files.operations.sessions import session_start
from mnemos_files.store.open import open_store
from mnemos_files.store.store import Store
from tests.benchmarks import notes

PROJECT = "bench-start"
SESSIONS, CONVENTIONS, CORRECTIONS, TOUCHES = 100, 40, 200, 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--goals", type=int, default=60)
    parser.add_argument("--runs", type=int, default=3)


def run(options: argparse.Namespace) -> Iterator[str]:
    """Median of each and of their ratio."""
    made = notes.make(options.notes)
    goals = notes.questions(made, options.goals)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "vault")
        notes.write(made, root)
        _write(root, _records(made))
        pygit2.init_repository(str(root), initial_head="main")
        store = open_store(root, cache_folder=Path(folder, "cache"), background=True)
        store.finish()
        store.index.flush()
        _touch(store)
        for goal in goals:  # warm terms, entries and journal
            _both(store, goal)
        for number in range(options.runs):
            pairs = [_both(store, goal) for goal in goals]
            starts, searches = zip(*pairs, strict=True)
            ratio = statistics.median(one / other for one, other in pairs)
            yield (
                f"session_start from {len(made)} notes, run {number + 1}: "
                f"p50 {statistics.median(starts):.2f} ms CPU, "
                f"search {statistics.median(searches):.2f}, ratio {ratio:.2f}"
            )
        store.close()


def _both(store: Store, goal: str) -> tuple[float, float]:
    """Milliseconds of the start and of the search."""
    begun: list[str] = []

    def start() -> None:
        begun.append(session_start(store, project=PROJECT, goal=goal).session_id)

    taken = _milliseconds(start)
    store.journal.append([SessionEnded(store.now(), begun[0], "ok")])
    return taken, _milliseconds(partial(search, store, query=goal))


def _records(made: list[notes.MadeNote]) -> Iterator[Record]:
    """Sessions, conventions and corrections that are about the notes' matters."""
    kinds = {"session": SESSIONS, "convention": CONVENTIONS, "correction": CORRECTIONS}
    for number, kind in enumerate(kind for kind, count in kinds.items() for _ in range(count)):
        note = made[number % len(made)]
        created = notes.START + timedelta(hours=number)
        text = note.text.split("---\n", 2)[2].strip()
        yield Record(
            id=make_ulid(created, number.to_bytes(10, "big")),
            type=kind,
            title=note.title,
            content="" if kind == "correction" else text,
            sections=_parts(kind, text),
            project=PROJECT,
            agent="bench",
            created=created,
            properties=(("status", "failed"),) if kind == "session" and number % 9 == 0 else (),
        )


def _parts(kind: str, text: str) -> tuple[tuple[str, str], ...]:
    parts = {
        "session": ("summary",),
        "convention": ("rationale",),
        "correction": ("tried", "wrong_because", "fix"),
    }
    return tuple((key, text[:400].strip()) for key in parts[kind])


def _write(root: Path, records: Iterator[Record]) -> None:
    for record in records:
        file = root / path_for(record)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(render(record))
    settings = root / ".mnemos" / "config.toml"
    settings.parent.mkdir()
    settings.write_text("", encoding="utf-8")


def _touch(store: Store) -> None:
    now = store.now()
    store.journal.append([Touched(now, f"src/{n % 12}.py", PROJECT) for n in range(TOUCHES)])


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)
