"""CPU of a whole answer, against SQLite FTS5 `bm25()` top 20 with `snippet()`.

    python -m tests.benchmarks answering [--notes N]

A whole answer is what a server does: look for changes through the watcher, rank by words and
vectors, filter, read the files of the page, cut the snippets. Terms are cold in our caches at the
first of the runs.
"""

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath

import pygit2

from mnemos_files.format.record import parse
from mnemos_files.index.question import ask
from mnemos_files.operations.reading import search
from mnemos_files.store.open import open_store
from tests.benchmarks import notes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=200)


def run(options: argparse.Namespace) -> Iterator[str]:
    """Medians of both over the questions, the first and the second time they are asked."""
    made = notes.make(options.notes)
    asked = notes.questions(made, options.questions)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "vault")
        notes.write(made, root)
        pygit2.init_repository(str(root), initial_head="main")
        base = _sqlite(made)
        store = open_store(root, cache_folder=Path(folder, "cache"), background=True)
        store.finish()
        store.index.flush()
        search(store, query="warm up the model and the columns")
        for name in ("first", "second"):
            ours, theirs = [], []
            for text in asked:
                ours.append(_milliseconds(partial(search, store, query=text)))
                theirs.append(_milliseconds(partial(_fts, base, text)))
            mine, other = statistics.median(ours), statistics.median(theirs)
            yield (
                f"answer from {len(made)} notes, asked the {name} time: p50 {mine:.2f} ms CPU, "
                f"FTS5 with snippets {other:.2f}, ratio {mine / other:.2f}"
            )
        store.close()
        base.close()


def _sqlite(made: list[notes.MadeNote]) -> sqlite3.Connection:
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE notes USING fts5(path, title, body, tokenize='porter')")
    for note in made:
        parsed = parse(PurePosixPath(note.path), note.text.encode())
        row = (note.path, parsed.record.title, parsed.body)
        base.execute("INSERT INTO notes VALUES (?, ?, ?)", row)
    return base


def _fts(base: sqlite3.Connection, text: str) -> list[tuple[str, str]]:
    words = " OR ".join(f'"{word}"' for word, _ in ask(text).words)
    statement = (
        "SELECT path, snippet(notes, 2, '', '', '…', 40) FROM notes "
        "WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT 20"
    )
    return base.execute(statement, (words,)).fetchall()


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)
