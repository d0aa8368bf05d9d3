"""CPU of an event, and of counting the events of a vault at a start.

    python -m tests.benchmarks journaling [--events N ...]

Append: one event into a journal, the mean of many; the tally after one more event. Start: the first
tally of a new process on N events of one month, first with nothing kept by an earlier process, then
with what that kept. Years: the same for the largest number spread over three years; "replaced" when
the file of this month was replaced by another, as a switch of branches does.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random

from mnemos_files.format.journal import month, render
from mnemos_files.model.event import (
    Accessed,
    Event,
    SessionEnded,
    SessionStarted,
    SkillUsed,
    Surfaced,
    Touched,
)
from mnemos_files.store.counting import JOURNALS, Counting
from mnemos_files.store.journal import Journal
from mnemos_files.store.kept_count import KeptCount
from mnemos_files.store.place import Place
from mnemos_files.vault.files import Vault

END = datetime(2026, 12, 1, tzinfo=UTC)
SESSION_EVENTS = 60
_APPENDS = 2_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--events", type=int, nargs="+", default=[10_000, 500_000])
    parser.add_argument("--runs", type=int, default=5)


def run(options: argparse.Namespace) -> Iterator[str]:
    """One event, then a start with each number of them, then years of the largest number."""
    with tempfile.TemporaryDirectory() as folder:
        yield _appending(Path(folder))
    for count in options.events:
        with tempfile.TemporaryDirectory() as folder:
            yield _starting(Path(folder), count, options.runs)
    with tempfile.TemporaryDirectory() as folder:
        yield _years(Path(folder), options.events[-1], options.runs)


def _appending(root: Path) -> str:
    journal = Journal(Place(root, vault_id="bench"), "bench123")
    events = list(made(_APPENDS, timedelta(days=20)))
    start = time.process_time()
    for event in events:
        journal.append([event])
    each = 1000 * (time.process_time() - start) / len(events)
    journal.tally()
    again = []
    for event in events[:100]:
        journal.append([event])
        again.append(_milliseconds(journal.tally))
    return f"append: {each:.3f} ms CPU for one event; tally after one more: {_middle(again):.2f} ms"


def _starting(root: Path, count: int, runs: int) -> str:
    size = _write(root, made(count, timedelta(days=28)))
    kept = KeptCount(root / "cache", lambda: END)
    first = [_milliseconds(partial(_tally, root, None)) for _ in range(runs)]
    _tally(root, kept)
    later = [_milliseconds(partial(_tally, root, kept)) for _ in range(runs)]
    return (
        f"start with {count} events ({size:.1f} MB) of one month: first {_middle(first):.0f} ms "
        f"CPU, later {_middle(later):.0f}"
    )


def _years(root: Path, count: int, runs: int) -> str:
    size = _write(root, made(count, timedelta(days=3 * 365)))
    kept = KeptCount(root / "cache", lambda: END)
    first = _milliseconds(partial(_tally, root, kept))
    later = [_milliseconds(partial(_tally, root, kept)) for _ in range(runs)]
    for file in kept.folder.glob("journal.json"):
        file.unlink()
    replaced = _milliseconds(partial(_tally, root, kept))
    return (
        f"start with {count} events ({size:.0f} MB) of three years: first {first:.0f} ms CPU, "
        f"later {_middle(later):.0f}, replaced {replaced:.0f}"
    )


def made(count: int, span: timedelta) -> Iterator[Event]:
    """Events of one machine that end at `END`: sessions of an hour's work each."""
    chance = Random(7)  # noqa: S311 - the same each time
    ids = [f"01KBC3W6H5M0V2T8N4Q9F{number:05d}" for number in range(min(10_000, count))]
    for number in range(count):
        at = END - span + span * number / count
        session = f"01KBC3W6H5SESSION{number // SESSION_EVENTS:09d}"
        place = number % SESSION_EVENTS
        if place == 0:
            yield SessionStarted(at, session, "api", "bench", "mend the login", 4711)
        elif place == SESSION_EVENTS - 1:
            yield SessionEnded(at, session, "ok")
        elif place % 4 == 0:
            path = f"src/module_{chance.randrange(2_000)}.py"
            yield Touched(at, path, "api", "bench", session, "auto:Edit")
        elif place % 4 == 1:
            yield Accessed(at, (chance.choice(ids),), "bench", session)
        elif place % 4 == 2:
            yield Surfaced(at, tuple(chance.sample(ids, 5)), "prewarm", "api", "bench", session)
        else:
            yield SkillUsed(at, chance.choice(ids[:50]), "success", "bench", session)


def _write(root: Path, events: Iterator[Event]) -> float:
    """Write the journals; their size [MB]."""
    folder = root / JOURNALS / "bench123"
    folder.mkdir(parents=True)
    size = 0
    for name, group in groupby(events, month):
        size += (folder / name).write_bytes(b"".join(render(group)))
    return size / 1e6


def _tally(root: Path, kept: KeptCount | None) -> None:
    Counting(Vault(root, ()).own, kept).tally()


def _middle(times: list[float]) -> float:
    return statistics.median(times)


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)
