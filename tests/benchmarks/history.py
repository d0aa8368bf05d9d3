"""CPU to look back at one note in a long history, against git's own answer.

    python -m tests.benchmarks history [--commits N] [--notes N]

The commits of agents and of a person save and change notes in five folders; one note is changed in
every fiftieth. Nothing kept: the first question ever, which reads all commits. First: a new store,
with what an earlier process kept. Again: the same question; after a commit: the same with one more
commit. The baseline is the CPU of `git log -- PATH`, for the lines `git blame PATH`, for the news
`git log --since --name-status`. CPU is that of this process and of the programs that it starts.
"""

import argparse
import resource
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from mnemos_files.operations.history import history
from mnemos_files.operations.news import changes
from mnemos_files.operations.provenance import provenance
from mnemos_files.store.open import open_store
from mnemos_files.store.store import Store
from tests.benchmarks import notes

BEGIN = 1_750_000_000
WATCHED = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--notes", type=int, default=500)
    parser.add_argument("--runs", type=int, default=7)


def run(options: argparse.Namespace) -> Iterator[str]:
    """History first and again, then lines and news."""
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder, "vault"), Path(folder, "cache")
        path = _make(root, options.commits, options.notes)
        store = open_store(root, cache_folder=cache)
        store.finish()
        nothing = _cpu(lambda: store.versions.of(path))
        store.close()
        yield f"nothing kept, {options.commits} commits: {nothing:.0f} ms CPU"
        yield from _history(root, cache, path, options.runs)
        yield from _others(root, cache, path, options.runs)


def _history(root: Path, cache: Path, path: str, runs: int) -> Iterator[str]:
    first, again, moved, base = [], [], [], []
    for number in range(runs):
        store = _opened(root, cache)
        first.append(_cpu(lambda store=store: history(store, id=path)))
        again.append(_cpu(lambda store=store: history(store, id=path)))
        with (root / path).open("a") as file:
            file.write(f"Once more, {number}.\n")
        _git(root, "commit", "-q", "-a", "-m", f"change {number}")
        store.refresh()
        moved.append(_cpu(lambda store=store: history(store, id=path)))
        base.append(_cpu(lambda: _git(root, "log", "--format=%H", "--", path)))
        store.close()
    for name, times in (("first", first), ("again", again), ("after a commit", moved)):
        yield _line(f"history {name}", times, "git log -- PATH", base)


def _others(root: Path, cache: Path, path: str, runs: int) -> Iterator[str]:
    lines, git_lines, news, git_news = [], [], [], []
    end = int(_git(root, "log", "-1", "--skip=20", "--format=%ct"))
    for _ in range(runs):
        store = _opened(root, cache)
        history(store, id=path)
        lines.append(_cpu(lambda store=store: provenance(store, id=path, blame=True)))
        git_lines.append(_cpu(lambda: _git(root, "blame", "--porcelain", "--", path)))
        since = _git(root, "rev-parse", "HEAD~200").strip()
        news.append(_cpu(lambda store=store, since=since: changes(store, since=since)))
        git_news.append(_cpu(lambda: _git(root, "log", "--name-status", f"--since={end - 86_400}")))
        store.close()
    yield _line("provenance with lines", lines, "git blame PATH", git_lines)
    yield _line("changes since 200 commits", news, "git log --name-status", git_news)


def _line(name: str, times: list[float], baseline: str, base: list[float]) -> str:
    mine, theirs = statistics.median(times), statistics.median(base)
    return f"{name}: {mine:.1f} ms CPU, {baseline} {theirs:.1f}, ratio {mine / theirs:.2f}"


def _opened(root: Path, cache: Path) -> Store:
    """A store as a server has it: with a watcher."""
    store = open_store(root, cache_folder=cache, background=True)
    store.finish()
    return store


def _make(root: Path, commits: int, count: int) -> str:
    """A repository, and the path of the note that is asked about."""
    made = notes.make(count)
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    _git(root, "config", "user.name", "Ines Example")
    _git(root, "config", "user.email", "ines@example.org")
    stream = "".join(_stream(made, commits))
    command = ["git", "fast-import", "--quiet"]
    subprocess.run(command, cwd=root, input=stream.encode(), check=True)
    _git(root, "reset", "-q", "--hard")
    return made[0].path


def _stream(made: list[notes.MadeNote], commits: int) -> Iterator[str]:
    for number in range(commits):
        note = made[0] if number % WATCHED == 0 else made[number % len(made)]
        text = f"{note.text}Change {number}.\n"
        who = "claude-code <claude-code@mnemos.invalid>" if number % 3 else "Ines <ines@x>"
        message = f"save(decision): {note.title}\n\nMnemos-Op: save\nMnemos-Agent: claude-code\n"
        when = BEGIN + 300 * number
        yield f"commit refs/heads/main\nauthor {who} {when} +0000\n"
        yield f"committer Ines <ines@x> {when} +0000\ndata {len(message.encode())}\n{message}\n"
        yield f"M 100644 inline {note.path}\ndata {len(text.encode())}\n{text}\n"


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _cpu(work: Callable[[], object]) -> float:
    """CPU [ms] of this process and of the programs that it ran."""
    start = _used()
    work()
    return 1000 * (_used() - start)


def _used() -> float:
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)
