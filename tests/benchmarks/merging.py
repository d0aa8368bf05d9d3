"""CPU of merging two branches of a vault, with 1,000 changed memories on each.

    python -m tests.benchmarks merging [--changed N] [--notes N] [--by-git N]

`apart`: the branches changed other memories. `same`: both changed the same ones, both the tags, one
the text and one a property, so each file is merged key by key. Merged by `sync` without pushing,
from a bare repository on disk; the time is that of this process and of the git programs that it
starts, with files and commit durable at the end. `by git`: `git merge` with the merge
driver, which starts a process for each file that both changed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from mnemos_files.store.exchange import set_up_driver
from mnemos_files.store.open import open_store
from mnemos_files.sync.driver import command
from tests.benchmarks import notes

_DRIVER = [sys.executable, "-P", "-m", "mnemos_files.sync.driver"]
_OURS = ("tags:\n", "tags:\n  - ours\n"), ("\n---\n", "\n---\nSaid again. ")
_THEIRS = ("tags:\n", "tags:\n  - theirs\n"), ("agent: bench\n", "agent: bench\nreviewed: ada\n")
Edits = tuple[tuple[str, str], ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--changed", type=int, default=1_000)
    parser.add_argument("--by-git", type=int, default=50)


def run(options: argparse.Namespace) -> Iterator[str]:
    """One line for each way."""
    made = notes.make(options.notes)
    changed = options.changed
    for name, second in (("apart", made[changed : 2 * changed]), ("same", made[:changed])):
        with tempfile.TemporaryDirectory() as folder:
            root = _branches(made, made[:changed], second, Path(folder))
            seconds, files = _sync(root, Path(folder))
        yield f"{name}: {seconds:.2f} s CPU for {files} files of {options.notes}"
    few = made[: options.by_git]
    with tempfile.TemporaryDirectory() as folder:
        root = _branches(few, few, few, Path(folder))
        seconds = _by_git(root)
    yield f"by git: {seconds / len(few):.3f} s CPU for each file that both changed"


def _branches(
    made: Sequence[notes.MadeNote],
    first: Sequence[notes.MadeNote],
    second: Sequence[notes.MadeNote],
    folder: Path,
) -> Path:
    """A clone whose main has the first notes changed, and whose remote the second ones."""
    root, hub = folder / "vault", folder / "hub.git"
    _git(folder, "init", "-q", "--bare", "-b", "main", str(hub))
    notes.write(made, root)
    _git(root, "init", "-q", "-b", "main")
    for name, value in (("user.name", "Bench"), ("user.email", "b@localhost"), ("gc.auto", "0")):
        _git(root, "config", name, value)
    _git(root, "remote", "add", "origin", str(hub))
    _commit(root)
    _change(root, second, _THEIRS)
    _git(root, "push", "-q", "origin", "HEAD:main")
    _git(root, "reset", "-q", "--hard", "HEAD~1")
    _change(root, first, _OURS)
    return root


def _change(root: Path, chosen: Sequence[notes.MadeNote], edits: Edits) -> None:
    for note in chosen:
        text = note.text
        for old, new in edits:
            text = text.replace(old, new, 1)
        (root / note.path).write_bytes(text.encode())
    _commit(root)


def _sync(root: Path, folder: Path) -> tuple[float, int]:
    store = open_store(root, cache_folder=folder / "cache")
    start = _cpu_seconds()
    done = store.exchange.sync(push=False)
    seconds = _cpu_seconds() - start
    store.close()
    assert done.is_merged
    assert not done.conflicts
    return seconds, done.files


def _by_git(root: Path) -> float:
    set_up_driver(root, command(_DRIVER))
    start = _cpu_seconds()
    _git(root, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    return _cpu_seconds() - start


def _cpu_seconds() -> float:
    """User and system time of this process and of those that it started."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _commit(root: Path) -> None:
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "notes")


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True)
