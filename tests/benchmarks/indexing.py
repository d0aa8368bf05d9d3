"""CPU to index a vault's files, against reading, parsing, embedding and Whoosh's own bulk add.

    python -m tests.benchmarks indexing [--notes N]

Also: CPU of one note that is applied to an index of that size, and of a flush of that note.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from whoosh.analysis import StemmingAnalyzer
from whoosh.fields import ID, KEYWORD, TEXT, Schema
from whoosh.filedb.filestore import FileStorage

from mnemos_files.format.record import parse
from mnemos_files.index.document import meaning
from mnemos_files.index.embedder import StaticEmbedder
from mnemos_files.index.index import Index, Indexed
from mnemos_files.model.digest import blob_id
from mnemos_files.model.note import Stamp
from tests.benchmarks import notes

ONE_NOTE_RUNS = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=3)


def run(options: argparse.Namespace) -> Iterator[str]:
    """The ratio for the whole vault, then the cost of one note."""
    embedder = StaticEmbedder()
    embedder.warm()
    made = notes.make(options.notes)
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder, "vault")
        notes.write(made, vault)
        paths = [note.path for note in made]
        ours, theirs = [], []
        for number in range(options.runs):
            place = Path(folder, f"run{number}")
            theirs.append(_cpu(lambda at=place: bulk_add(vault, paths, embedder, at / "whoosh")))
            ours.append(_cpu(lambda at=place: _index(vault, paths, embedder, at / "index")))
        mine, base = statistics.median(ours), statistics.median(theirs)
        yield (
            f"index {len(paths)} notes: {mine:.2f} s CPU, baseline {base:.2f} s, "
            f"ratio {mine / base:.2f} (median of {options.runs})"
        )
        index = Index(Path(folder, "run0", "index"), embedder)
        yield from _one_note(index, embedder, len(paths))


def _index(vault: Path, paths: Sequence[str], embedder: StaticEmbedder, folder: Path) -> None:
    index = Index(folder, embedder)
    index.apply([_read(vault, path) for path in paths], ())
    index.flush()


def _read(vault: Path, path: str) -> Indexed:
    data = (vault / path).read_bytes()
    return Indexed(parse(PurePosixPath(path), data), Stamp(len(data), 1, 1), blob_id(data))


def bulk_add(vault: Path, paths: Sequence[str], embedder: StaticEmbedder, folder: Path) -> None:
    """Read, parse and embed notes, and add their words to an index of Whoosh's own."""
    folder.mkdir(parents=True)
    schema = Schema(
        path=ID(stored=True, unique=True),
        title=TEXT(StemmingAnalyzer(), stored=True),
        body=TEXT(StemmingAnalyzer()),
        tags=KEYWORD(stored=True),
    )
    read = [_read(vault, path).note for path in paths]
    embedder.encode([meaning(note) for note in read])
    writer = FileStorage(str(folder)).create_index(schema).writer(limitmb=256)
    for note in read:
        record = note.record
        tags = " ".join(record.tags)
        writer.add_document(path=str(note.path), title=record.title, body=note.body, tags=tags)
    writer.commit()


def _one_note(index: Index, embedder: StaticEmbedder, size: int) -> Iterator[str]:
    more = notes.make(ONE_NOTE_RUNS, seed=8)
    fresh = []
    for note in more:
        data = note.text.encode()
        parsed = parse(PurePosixPath("new", note.path), data)
        fresh.append(Indexed(parsed, Stamp(len(data), 1, 1), blob_id(data)))
    encode = [_cpu(lambda one=one: embedder.encode([meaning(one.note)])) for one in fresh]
    apply = [_cpu(lambda one=one: index.apply([one], ())) for one in fresh]
    index.flush()
    flush = []
    for one in fresh[:10]:
        index.apply((), [str(one.note.path)])
        flush.append(_cpu(index.flush))
    nothing = _cpu(lambda: [index.reload() for _ in range(100)]) / 100
    yield (
        f"one note at {size}: apply {1000 * statistics.median(apply):.2f} ms CPU "
        f"(its vector alone {1000 * statistics.median(encode):.2f} ms), "
        f"flush {1000 * statistics.median(flush):.1f} ms, "
        f"reload with nothing new {1e6 * nothing:.0f} us"
    )


def _cpu(work: Callable[[], object]) -> float:
    """CPU seconds of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start
