"""CPU of a search, against SQLite FTS5 `bm25()` top 20 on the same notes and questions.

    python -m tests.benchmarks search [--notes N]

Cold: the question's terms are read from disk; warm: the same questions a second time.
"""

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath

from mnemos_files.format.record import parse
from mnemos_files.index.embedder import StaticEmbedder
from mnemos_files.index.index import Index, Indexed
from mnemos_files.index.question import ask
from mnemos_files.model.digest import blob_id
from mnemos_files.model.note import Note, Stamp
from mnemos_files.model.query import Query
from tests.benchmarks import notes

NOW = datetime(2026, 12, 1, tzinfo=UTC)
FLOOR = 0.15


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)


def run(options: argparse.Namespace) -> Iterator[str]:
    """Median and 95th percentile for both, cold and warm, and their ratio."""
    embedder = StaticEmbedder()
    made = notes.make(options.notes)
    asked = notes.questions(made, options.questions)
    parsed = [parse(PurePosixPath(note.path), note.text.encode()) for note in made]
    with tempfile.TemporaryDirectory() as folder:
        base = _sqlite(Path(folder, "fts.db"), parsed)
        index = Index(Path(folder, "index"), embedder)
        blobs = [blob_id(note.text.encode()) for note in made]
        stamp = Stamp(1, 1, 1)
        index.apply([Indexed(n, stamp, b) for n, b in zip(parsed, blobs, strict=True)], ())
        index.flush()
        cold, warm, theirs = [], [], []
        for _ in range(options.runs):
            index = Index(Path(folder, "index"), embedder)
            _ours(index, ["warm up the model and the columns"])
            cold.append(_ours(index, asked))
            warm.append(_ours(index, asked))
            theirs.append(_theirs(base, asked))
        base.close()
        fts = _middle(theirs)
        for name, times in (("cold", cold), ("warm", warm)):
            ours = _middle(times)
            yield (
                f"search of {len(made)} notes, {name} terms: p50 {ours[0]:.2f} ms CPU, "
                f"p95 {ours[1]:.2f}; FTS5 p50 {fts[0]:.2f}, p95 {fts[1]:.2f}; "
                f"ratio of medians {ours[0] / fts[0]:.2f}, of means {ours[2] / fts[2]:.2f}"
            )


def _ours(index: Index, asked: Sequence[str]) -> list[float]:
    queries = [Query(text=text, now=NOW, limit=20) for text in asked]
    return [_milliseconds(partial(_search, index, query)) for query in queries]


def _search(index: Index, query: Query) -> None:
    index.search(query, floor=FLOOR)


def _sqlite(file: Path, parsed: Sequence[Note]) -> sqlite3.Connection:
    base = sqlite3.connect(file)
    base.execute("CREATE VIRTUAL TABLE notes USING fts5(path, title, body, tokenize='porter')")
    base.executemany(
        "INSERT INTO notes VALUES (?, ?, ?)",
        [(str(note.path), note.record.title, note.body) for note in parsed],
    )
    base.commit()
    return base


def _theirs(base: sqlite3.Connection, asked: Sequence[str]) -> list[float]:
    statement = "SELECT path FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT 20"
    times = []
    for text in asked:
        words = [f'"{word}"' for word, _ in ask(text).words]
        match = " OR ".join(words)
        times.append(_milliseconds(lambda m=match: base.execute(statement, (m,)).fetchall()))
    return times


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def _middle(runs: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """Median, 95th percentile and mean over questions, each of its median over the runs."""
    times = sorted(statistics.median(values) for values in zip(*runs, strict=True))
    return (
        statistics.median(times),
        times[int(len(times) * 0.95)],
        statistics.fmean(times),
    )
