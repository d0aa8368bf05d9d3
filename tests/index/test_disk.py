"""The folder of the index: damage, rivals and sudden death."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from whoosh.filedb.filestore import FileStorage

from mnemos_files.index.index import Index
from tests.index.conftest import LetterEmbedder, found, note

ROOT = Path(__file__).parents[2]


def filled(folder: Path) -> Path:
    """An index of two segments; the folder of its files."""
    index = Index(folder, LetterEmbedder())
    index.apply([note(f"{n}.md", f"lighthouse number {n}") for n in range(20)], ())
    index.flush()
    index.apply([note("late.md", "ferry")], ["3.md"])
    index.flush()
    (files,) = folder.iterdir()
    return files


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "pattern"),
    [
        *((damage, "*.seg") for damage in (cut, empty, zero, flip, Path.unlink)),
        *((damage, "*.toc") for damage in (cut, empty, zero, Path.unlink)),
        *((damage, "meta.json") for damage in (cut, empty, zero, flip, Path.unlink)),
    ],
)
def test_damage_is_told_thrown_away_and_filled_again(tmp_path, damage, pattern):
    files = filled(tmp_path)
    victim = sorted(files.glob(pattern))[0]
    damage(victim)

    index = Index(tmp_path, LetterEmbedder())

    gone_whole = damage is Path.unlink and pattern == "*.toc"
    assert len(index.entries) == 0
    assert len(index.notices) == (0 if gone_whole else 1)
    index.apply([note("new.md", "lighthouse")], ())
    index.flush()
    again = Index(tmp_path, LetterEmbedder())
    assert (found(again, "lighthouse"), again.notices) == (["new.md"], [])


def test_a_deleted_folder_is_made_again_while_the_index_is_open(tmp_path):
    index = Index(tmp_path / "index", LetterEmbedder())
    index.apply([note("a.md", "lighthouse")], ())
    index.flush()
    for path in sorted((tmp_path / "index").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()

    index.reload()
    index.apply([note("b.md", "ferry")], ())
    index.flush()

    assert list(Index(tmp_path / "index", LetterEmbedder()).entries) == ["b.md"]


class OtherEmbedder(LetterEmbedder):
    identity = "other"


class HalfEmbedder(LetterEmbedder):
    dims = 13


@pytest.mark.parametrize("other", [OtherEmbedder, HalfEmbedder])
def test_another_model_has_an_index_of_its_own(tmp_path, other):
    filled(tmp_path)

    assert len(Index(tmp_path, other()).entries) == 0
    assert len(Index(tmp_path, LetterEmbedder()).entries) == 20


def test_a_folder_that_says_another_model_is_not_believed(tmp_path):
    files = filled(tmp_path)
    meta = json.loads((files / "meta.json").read_text())
    (files / "meta.json").write_text(json.dumps(meta | {"model": "other"}, sort_keys=True))

    index = Index(tmp_path, LetterEmbedder())

    assert len(index.entries) == 0
    assert "another model" in index.notices[0]


def test_a_held_lock_is_not_damage(tmp_path):
    files = filled(tmp_path)
    index = Index(tmp_path, LetterEmbedder())
    index.apply([note("new.md", "harbour")], ())
    lock = FileStorage(str(files)).lock("MAIN_WRITELOCK")
    assert lock.acquire()

    index.flush()
    rival = Index(tmp_path, LetterEmbedder())
    lock.release()

    assert (index.pending, index.notices) == (1, [])
    assert (len(rival.entries), rival.notices) == (20, [])
    index.flush()
    assert index.pending == 0


def test_damage_is_not_put_right_while_another_process_writes(tmp_path):
    files = filled(tmp_path)
    segment = sorted(files.glob("*.seg"))[0]
    data = segment.read_bytes()
    cut(segment)
    lock = FileStorage(str(files)).lock("MAIN_WRITELOCK")
    assert lock.acquire()

    index = Index(tmp_path, LetterEmbedder())
    segment.write_bytes(data)
    lock.release()
    index.reload()

    assert (len(index.entries), index.notices) == (20, [])


def test_a_lock_file_that_was_left_behind_stops_nobody(tmp_path):
    files = filled(tmp_path)
    (files / "MAIN_WRITELOCK").touch()
    index = Index(tmp_path, LetterEmbedder())

    index.apply([note("new.md", "harbour")], ())
    index.flush()

    assert index.pending == 0


def test_many_small_flushes_leave_few_files(tmp_path):
    index = Index(tmp_path, LetterEmbedder())

    for number in range(100):
        index.apply([note(f"{number}.md", f"lighthouse {number}")], ())
        index.flush()

    (files,) = tmp_path.iterdir()
    assert len(list(files.glob("*.seg"))) <= 12
    assert len(list(files.glob("*.toc"))) == 1
    assert len(index.entries) == 100


def test_deleted_notes_leave_the_disk(tmp_path):
    index = Index(tmp_path, LetterEmbedder())
    index.apply([note(f"{n}.md", f"lighthouse {n} " * 50) for n in range(200)], ())
    index.flush()
    (files,) = tmp_path.iterdir()
    before = sum(path.stat().st_size for path in files.iterdir())

    index.apply((), [f"{n}.md" for n in range(190)])
    index.flush()

    assert sum(path.stat().st_size for path in files.iterdir()) < before / 4
    assert len(index.entries) == 10


def test_an_index_whose_notes_all_went_is_empty(tmp_path):
    index = Index(tmp_path, LetterEmbedder())
    index.apply([note("a.md", "lighthouse")], ())
    index.flush()
    index.apply((), ["a.md"])
    index.flush()

    again = Index(tmp_path, LetterEmbedder())

    assert (len(again.entries), again.notices) == (0, [])
    again.apply([note("b.md", "ferry")], ())
    again.flush()
    assert list(Index(tmp_path, LetterEmbedder()).entries) == ["b.md"]


WRITER = """
import sys
from pathlib import Path
from mnemos_files.index.index import Index
from tests.index.conftest import LetterEmbedder, note
index = Index(Path(sys.argv[1]), LetterEmbedder())
print("ready", flush=True)
for turn in range(10_000):
    notes = [note(f"{n}.md", f"lighthouse {turn} {n} " * 20) for n in range(turn % 7, 60, 7)]
    index.apply(notes, [f"{turn % 60}.md"])
    index.flush()
"""


def storm(folder: Path, kills: int) -> None:
    """Kill a process that writes all the time, at other moments each time."""
    for kill in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder)], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.003 * (kill * 7 % 23))  # not a wait for anything: the moment of the kill
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        index = Index(folder, LetterEmbedder())
        assert index.notices == []
        index.apply([note("after.md", f"harbour {kill}")], ())
        index.flush()
        assert index.pending == 0
        assert found(index, "harbour")[0] == "after.md"
    (files,) = folder.iterdir()
    assert len(list(files.glob("*.seg"))) <= 12
    assert len([path for path in files.iterdir() if ".toc" in path.name]) <= 2


def test_a_killed_writer_leaves_an_index_that_opens(tmp_path):
    storm(tmp_path, 5)


@pytest.mark.slow
def test_forty_killed_writers_leave_an_index_that_opens(tmp_path):
    storm(tmp_path, 40)
