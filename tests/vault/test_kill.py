"""A writer that is killed at a random moment, many times."""

import os
import random
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemos_files.vault.files import Vault
from mnemos_files.vault.lock import VaultLock
from tests.vault.disk import put, texts

WRITER = """
import sys
from pathlib import Path, PurePosixPath
from mnemos_files.model.digest import blob_id
from mnemos_files.vault.files import Vault, Write
from mnemos_files.vault.lock import VaultLock

root = Path(sys.argv[1])
files = Vault(root, (".*",))
lock = VaultLock(root / ".mnemos")
note, second, moving = map(PurePosixPath, ("note.md", "sub/second.md", "m.md"))

def text(version):
    return (f"{version}\\n" * 20_000 + f"end {version}").encode()

def seen(path):
    return blob_id(files.read(path)[0])

with lock.hold(5):
    version = int(files.read(note)[0].rsplit(b" ", 1)[1])
    print("ready", flush=True)
    while True:
        version += 1
        there = files.stamp(moving) is not None
        files.apply([
            Write(note, text(version), seen(note)),
            Write(second, text(version), seen(second)),
            Write(moving, None, seen(moving)) if there else Write(moving, text(version)),
        ])
        print(version, flush=True)
"""


def run_and_kill(root: Path, milliseconds: float) -> int:
    """Last version that the writer said was done [0 = none]."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            process.wait(milliseconds / 1000)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
        answers = process.stdout.read().split("\n")[:-1]
    return int(answers[-1]) if answers else 0


def version_of(text: str) -> int:
    """Version of a text that must be whole."""
    version = int(text.rsplit(" ", 1)[1])
    assert text == f"{version}\n" * 20_000 + f"end {version}"
    return version


def check(rounds: int, root: Path, files: Vault) -> None:
    chance = random.Random(20261201)  # noqa: S311 - moments, no secrets
    first = "0\n" * 20_000 + "end 0"
    put(root, {"note.md": first, "sub/second.md": first, "theirs.md": "a person's", ".x.tmp": "t"})
    for _ in range(rounds):
        done = run_and_kill(root, chance.uniform(0, 60))

        with VaultLock(root / ".mnemos").hold(2):
            assert files.sweep_temporaries(datetime.now(UTC), age_seconds=-5) == []
        left = texts(root)
        versions = [version_of(left.pop("note.md")), version_of(left.pop("sub/second.md"))]
        assert min(versions) >= done
        assert max(versions) - min(versions) <= 1
        if "m.md" in left:
            version_of(left.pop("m.md"))
        assert left == {".mnemos/writer.lock": "", ".x.tmp": "t", "theirs.md": "a person's"}


def test_a_killed_writer_leaves_whole_texts_and_no_lock(root: Path, files: Vault) -> None:
    check(25, root, files)


@pytest.mark.slow
def test_a_killed_writer_leaves_whole_texts_and_no_lock_hundreds_of_times(
    root: Path, files: Vault
) -> None:
    check(400, root, files)
