"""Index folders of earlier versions and other models."""

import os
from pathlib import Path

import pytest
from whoosh.filedb.filestore import FileStorage

from mnemos_files.index.disk import FORMAT, LOCK
from mnemos_files.index.index import Index
from tests.index.conftest import LetterEmbedder, note

DAY_NS = 86_400 * 10**9


class OtherEmbedder(LetterEmbedder):
    identity = "other"


def write(folder: Path, embedder=LetterEmbedder) -> Path:
    """An index with a note; the folder of its files."""
    before = set(folder.glob("*"))
    index = Index(folder, embedder())
    index.apply([note("a.md", "lighthouse")], ())
    index.close()
    (files,) = set(folder.glob("*")) - before
    return files


def age(files: Path, days: int) -> None:
    for path in files.iterdir():
        stamp = path.stat().st_mtime_ns - days * DAY_NS
        os.utime(path, ns=(stamp, stamp))


def earlier(files: Path) -> Path:
    """The folder as an earlier version would have called it."""
    return files.rename(files.with_name(files.name.replace(f"v{FORMAT}-", f"v{FORMAT - 1}-")))


def test_an_index_of_an_earlier_format_goes_when_the_new_one_is_written(tmp_path):
    old = earlier(write(tmp_path))

    index = Index(tmp_path, LetterEmbedder())
    assert (len(index.entries), index.notices, old.exists()) == (0, [], True)

    index.apply([note("a.md", "lighthouse")], ())
    index.close()
    assert not old.exists()
    assert len(Index(tmp_path, LetterEmbedder()).entries) == 1


def test_an_index_of_a_later_format_stays(tmp_path):
    files = write(tmp_path)
    later = files.rename(files.with_name(files.name.replace(f"v{FORMAT}-", f"v{FORMAT + 1}-")))
    age(later, days=300)

    write(tmp_path)

    assert later.exists()


@pytest.mark.parametrize(("days", "stays"), [(0, True), (6, True), (8, False)])
def test_an_index_of_another_model_goes_when_it_lay_still_for_a_week(tmp_path, days, stays):
    other = write(tmp_path, OtherEmbedder)
    age(other, days=days)

    write(tmp_path)

    assert other.exists() is stays


def test_an_index_that_is_being_written_stays(tmp_path):
    old = earlier(write(tmp_path))
    lock = FileStorage(str(old)).lock(LOCK)
    assert lock.acquire()

    write(tmp_path)
    lock.release()

    assert len(list(old.glob("*.toc"))) == 1


def test_what_was_left_goes_with_the_next_process(tmp_path):
    files = write(tmp_path)
    old = files.with_name("v1-0123456789ab")
    old.mkdir()
    (old / "_MAIN_1.toc").write_bytes(b"x")

    index = Index(tmp_path, LetterEmbedder())
    index.apply([note("b.md", "ferry")], ())
    index.close()

    assert [path.name for path in tmp_path.iterdir()] == [files.name]


@pytest.mark.parametrize("name", ["notes", "v1", "v1-notes", "v1-0123456789ab.bak", "machine"])
def test_what_is_no_index_stays(tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "a.txt").write_text("kept", encoding="utf-8")

    write(tmp_path)

    assert (tmp_path / name / "a.txt").read_text(encoding="utf-8") == "kept"


def test_a_folder_that_cannot_be_emptied_is_no_fault(tmp_path):
    old = tmp_path / "v1-0123456789ab"
    (old / "folder").mkdir(parents=True)

    index = Index(tmp_path, LetterEmbedder())
    index.apply([note("a.md", "lighthouse")], ())
    index.flush()

    assert (index.pending, index.notices) == (0, [])


def test_a_link_to_a_folder_elsewhere_is_not_followed(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.txt").write_text("kept", encoding="utf-8")
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "v1-0123456789ab").symlink_to(elsewhere, target_is_directory=True)

    write(cache)

    assert (elsewhere / "a.txt").exists()


def test_a_process_of_an_earlier_version_that_still_runs_starts_again(tmp_path):
    files = write(tmp_path)
    running = Index(tmp_path, LetterEmbedder())
    for path in sorted(files.iterdir()):
        path.unlink()
    files.rmdir()

    running.reload()
    assert (len(running.entries), running.notices) == (0, [])

    running.apply([note("a.md", "lighthouse")], ())
    running.flush()
    assert len(Index(tmp_path, LetterEmbedder()).entries) == 1
