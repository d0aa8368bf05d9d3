"""A kill between any two steps of a commit leaves the old state or the new, and no lock.

One child process stands for many: before each step that touches the disk (each audit event of an
open, link, rename, remove, ...) a fork of it dies as by `kill -9`, in a copy of the vault.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHILD = """
import os, shutil, sys
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from mnemos_files.history.repo import Change, History

source, copies, files = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
EVENTS = ("open", "os.link", "os.rename", "os.remove", "os.truncate", "os.utime", "os.chmod")

def commit(root, last_step):
    history = History.open(root)
    changes = []
    for number in range(files):
        path = PurePosixPath(f"notes/{number}.md")
        (root / "notes").mkdir(exist_ok=True)
        (root / path).write_bytes(b"saved")
        changes.append(Change({path: b"saved"}, f"save {number}"))
    left = [last_step]
    def count(event, arguments):
        if event in EVENTS and str(root) in str(arguments):
            left[0] -= 1
            if left[0] < 0:
                os._exit(9)
    sys.addaudithook(count)
    history.commit(changes, datetime(2026, 12, 1, tzinfo=UTC))
    os._exit(0)

for step in range(1000):
    root = copies / str(step)
    shutil.copytree(source, root, symlinks=True)
    child = os.fork()
    if child == 0:
        commit(root, step)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
"""


@pytest.mark.parametrize("files", [1, 10])
def test_a_kill_at_any_step_is_repaired_by_the_next_write(vault, tmp_path, make_change, now, files):
    vault.save("before.md")
    vault.write("staged.md", "staged\n")
    vault.git("add", "staged.md")
    copies = tmp_path / "copies"
    copies.mkdir()
    command = [sys.executable, "-c", CHILD, str(vault.root), str(copies), str(files)]
    subprocess.run(command, check=True)
    steps = sorted(copies.iterdir(), key=lambda path: int(path.name))
    assert len(steps) > 15

    for root in steps:
        vault.root = root
        again_and_check(vault, make_change, now, files)
        shutil.rmtree(root)


def again_and_check(vault, make_change, now, files):
    made = vault.subjects().count("save 0")
    assert made in (0, 1)
    history = vault.open()

    repaired = history.repair_index()
    status = vault.status()
    changes = [
        make_change(f"notes/{number}.md", b"saved", subject=f"save {number}")
        for number in range(files)
    ]
    result = history.commit(changes, now)

    # Committed before the kill, or by the second try: once, and the git index knows it.
    assert repaired == []
    assert result.notices == ()
    assert vault.subjects().count("save 0") == 1
    assert any(result.commits) is (made == 0)
    if made:
        assert status == ["A  staged.md"]
    assert vault.status() == ["A  staged.md"]
    left = {path.name for path in Path(vault.root, ".git").rglob("*.lock")}
    assert left <= {"git-writer.lock"}
    assert vault.fsck().startswith("0")
