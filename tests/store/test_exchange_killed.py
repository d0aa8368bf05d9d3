"""A merge that a kill cut short is finished by the next start."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import an_observation, git
from tests.store.test_exchange import hub, only, ours, retitled, root, theirs, together, tree

__all__ = ["hub", "ours", "theirs"]

POINTS = [
    # Before the first file is written, between two files, and when all are but the branch has
    # not moved; in the middle of moving it and updating git's index.
    *((point, way) for point in ("apply", "publish", "around") for way in ("merge", "forward")),
    ("commit", "merge"),
    ("advance", "forward"),
]

KILLER = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from mnemos_files.history.commits import Writer
from mnemos_files.history.repo import History
from mnemos_files.history.staging import Staging
from mnemos_files.store import exchange
from mnemos_files.store.open import open_store
from mnemos_files.vault.steps import Create, Replace

def killing(real, count):
    left = [count]
    def call(*arguments, **options):
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return real(*arguments, **options)
    return call

point = sys.argv[2]
if point == "apply":
    exchange.apply_merge = killing(exchange.apply_merge, 0)
elif point == "publish":
    for step in (Create, Replace):
        step.publish = killing(step.publish, 1)
elif point in ("advance", "commit"):
    setattr(History, point, killing(getattr(History, point), 0))
else:
    Staging._rewrite = killing(Staging._rewrite, 0)
store = open_store(Path(sys.argv[1]), cache_folder=Path(sys.argv[3]))
store.exchange.sync()
"""


def killed_at(point: str, store, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLER, root(store), point, tmp_path / "cache-killed"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr


def status(store) -> str:
    """What git sees, without drafts of the killed process: the next server sweeps them."""
    lines = git(root(store), "status", "--porcelain").splitlines()
    return "\n".join(line for line in lines if not line.endswith(".tmp"))


@pytest.mark.parametrize(("point", "way"), POINTS)
def test_a_merge_cut_short_is_whole_after_the_next_sync(ours, theirs, tmp_path, point, way):
    theirs.refresh()
    memory = only(theirs).id
    retitled(ours, "Use Argon2id everywhere")
    for number in range(4):
        ours.put(an_observation(ours, title=f"Number {number}", content=f"Text {number}."))
    ours.exchange.sync()
    if way == "merge":
        theirs.update(memory, lambda note: replace(note.record, tags=("x",)), op="edit")
    theirs.close()

    killed_at(point, theirs, tmp_path)
    (root(theirs) / "Home.md").write_text("# Mine\n")
    report = theirs.exchange.sync()

    assert report.conflicts == ()
    assert status(theirs) == " M Home.md"
    git(root(theirs), "checkout", "-q", "Home.md")
    for draft in root(theirs).rglob("*.tmp"):
        draft.unlink()
    together(ours, theirs)
    assert tree(ours) == tree(theirs)
    texts = "".join(file.read_text() for file in (root(ours) / "observations").rglob("*.md"))
    assert all(f"Text {number}." in texts for number in range(4))
    assert "title: Use Argon2id everywhere" in texts
