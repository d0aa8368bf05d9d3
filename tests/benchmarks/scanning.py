"""Time of a scan of 32 KB, and of 1 MB of texts made to be slow.

    python -m tests.benchmarks scanning [--runs N] [--kilobytes N]

The bars: 5 ms CPU for 32 KB of plain text; a hostile text takes at most 100 times as long as a
plain one of the same size. Time grows with the size of a text, whatever it holds; findings are
what costs.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from mnemos_files.safety.sanitise import sanitise
from mnemos_files.safety.scan import scan
from tests.safety.test_scan import HOSTILE

KIB = 1 << 10
ORDINARY_KIB = 32
SENTENCE = """the file is read by store and written to disk with care when a note changes in vault
because every branch needs one commit that says who did what and why it was done"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Size of the hostile texts and number of runs, of which the best counts."""
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--kilobytes", type=int, default=1024)


def run(options: argparse.Namespace) -> Iterator[str]:
    """Ordinary texts first, then the hostile ones, worst first."""
    for name, text in _ordinary():
        clipped = text.encode()[: ORDINARY_KIB * KIB].decode(errors="ignore")
        scanning, cleaning = (_best(each, clipped, options.runs) for each in (scan, sanitise))
        yield f"{name}: scan {scanning * 1e3:.1f} ms, sanitise {cleaning * 1e3:.1f} ms"
    size = options.kilobytes * KIB
    plain = _plain(size)
    scanning, cleaning = (_best(each, plain, 1) for each in (scan, sanitise))
    yield f"plain, {options.kilobytes} KB: scan {scanning:.3f} s, sanitise {cleaning:.3f} s"
    rows = []
    for name, piece in HOSTILE.items():
        text = piece * (size // len(piece.encode()))
        ratios = _best(scan, text, 1) / scanning, _best(sanitise, text, 1) / scanning
        rows.append((*ratios, name))
    for scanned, cleaned, name in sorted(rows, reverse=True):
        yield f"  {name}: scan {scanned:.1f}, sanitise {cleaned:.1f} times a scan of plain text"


def _ordinary() -> Iterator[tuple[str, str]]:
    root = Path(__file__).parents[2]
    yield "words", _plain(ORDINARY_KIB * KIB)
    yield "docs", "\n".join(path.read_text("utf-8") for path in sorted(root.glob("docs/*.md")))
    yield "code", (root / "mnemos_files/store/writer.py").read_text("utf-8") * 3
    yield "Chinese", "笔记保存在文件夹里\uff0c每次修改都是一次提交\uff0c因此历史一目了然。" * 2000
    yield "Russian", "Заметки лежат в файлах, и каждая правка видна в истории. " * 2000


def _plain(size: int) -> str:
    choice = random.Random(5)  # noqa: S311 - the same words each time
    return " ".join(choice.choices(SENTENCE.split(), k=size // 4))[:size]


def _best(call: Callable[[str], object], text: str, runs: int) -> float:
    """CPU [s] of the quickest run."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        call(text)
        times.append(time.process_time() - start)
    return min(times)
