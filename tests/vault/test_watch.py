import mmap
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.config import DEFAULT_IGNORED
from mnemos_files.model.digest import blob_id
from mnemos_files.vault.dirty import DIRTY_MAX, Taken
from mnemos_files.vault.files import Vault, Write
from mnemos_files.vault.watch import Watcher
from tests.vault.disk import descriptors, put, texts

DEADLINE = 10.0  # seconds; generous, because machines are busy


@pytest.fixture
def cookies(tmp_path: Path) -> Path:
    return tmp_path / "cookies"


@pytest.fixture
def watcher(files: Vault, cookies: Path) -> Iterator[Watcher]:
    watcher = Watcher(files, cookies)
    yield watcher
    watcher.stop()


def started(watcher: Watcher) -> Watcher:
    assert watcher.start(), watcher.problem
    assert watcher.take(DEADLINE) == Taken()
    return watcher


def take(watcher: Watcher) -> Taken:
    taken = watcher.take(DEADLINE)
    assert taken is not None
    return taken


def paths(watcher: Watcher) -> set[str]:
    taken = take(watcher)
    assert not taken.folders
    assert not taken.all
    return set(taken.paths)


def notes_to_look_at(watcher: Watcher, files: Vault, known: set[str]) -> set[str]:
    """What a caller ends up with who knows these notes and follows the news."""
    taken = take(watcher)
    doubtful = set(taken.paths)
    for folder in taken.folders:
        doubtful |= {path for path in known if path.startswith(f"{folder}/")}
        doubtful |= set(files.listing(folder).notes)
    there = {path for path in doubtful if files.stamp(PurePosixPath(path)) is not None}
    return (known - doubtful) | there


def write_in_place(note: Path) -> None:
    note.write_text("save1\n")


def replace_atomically(note: Path) -> None:
    new = note.with_name(".note.md.tmp")
    new.write_text("save2\n")
    new.rename(note)


def keep_a_backup(note: Path) -> None:
    backup = note.with_name("note.md~")
    note.rename(backup)
    note.write_text("save3\n")
    backup.unlink()


def delete_and_write(note: Path) -> None:
    note.unlink()
    note.write_text("save4\n")


def keep_the_old_time(note: Path) -> None:
    times = note.stat()
    note.write_text("save5\n")
    os.utime(note, ns=(times.st_atime_ns, times.st_mtime_ns))


def write_in_pieces(note: Path) -> None:
    with note.open("w") as file:
        for piece in ("PARTIAL\n", "more\n", "save6\n"):
            file.write(piece)
            file.flush()


SAVES = [
    write_in_place,
    replace_atomically,
    keep_a_backup,
    delete_and_write,
    keep_the_old_time,
    write_in_pieces,
]


@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.__name__)
def test_every_way_to_save_marks_the_note_and_nothing_else(
    root: Path, watcher: Watcher, save: Callable[[Path], None]
) -> None:
    put(root, {"sub/note.md": "save0\n", "sub/other.md": "other\n"})
    started(watcher)

    save(root / "sub/note.md")

    assert paths(watcher) == {"sub/note.md"}
    assert paths(watcher) == set()


def test_each_piece_of_a_slow_save_marks_the_note_again(root: Path, watcher: Watcher) -> None:
    put(root, {"note.md": ""})
    started(watcher)

    with (root / "note.md").open("w") as file:
        for piece in ("PARTIAL\n", "more\n", "save6\n"):
            file.write(piece)
            file.flush()
            assert paths(watcher) == {"note.md"}


def test_a_write_through_a_memory_map_is_seen_when_the_file_is_closed(
    root: Path, watcher: Watcher
) -> None:
    put(root, {"note.md": "old"})
    started(watcher)

    with (root / "note.md").open("r+b") as file:
        mapped = mmap.mmap(file.fileno(), 0)
        mapped[:3] = b"new"
        mapped.close()

    assert paths(watcher) == {"note.md"}


def test_reading_and_listing_are_no_news(root: Path, files: Vault, watcher: Watcher) -> None:
    put(root, {f"sub/{i}.md": "text" for i in range(50)})
    started(watcher)

    texts(root)
    files.listing()
    files.read(PurePosixPath("sub/1.md"))

    assert take(watcher) == Taken()


def test_files_that_are_no_notes_are_no_news(root: Path, watcher: Watcher) -> None:
    started(watcher)

    put(
        root,
        {"a.txt": "", ".hidden.md": "", "x.md~": "", ".git/x.md": "", "node_modules/p/x.md": ""},
    )

    assert take(watcher) == Taken()


def test_a_copy_of_a_sync_program_is_news(root: Path, watcher: Watcher) -> None:
    started(watcher)
    copy = "House (conflicted copy 2026-05-03 181502).md"

    put(root, {copy: ""})

    assert paths(watcher) == {copy}


def test_a_rename_marks_both_names(root: Path, watcher: Watcher) -> None:
    put(root, {"a/old.md": "", "b/x.md": ""})
    started(watcher)

    (root / "a/old.md").rename(root / "b/new.md")

    assert paths(watcher) == {"a/old.md", "b/new.md"}


def test_a_note_moved_away_is_told_at_once(root: Path, tmp_path: Path, watcher: Watcher) -> None:
    put(root, {"a.md": ""})
    started(watcher)

    (root / "a.md").rename(tmp_path / "a.md")

    assert paths(watcher) == {"a.md"}


def test_our_own_writes_are_seen_by_every_process(
    root: Path, files: Vault, watcher: Watcher
) -> None:
    put(root, {"old.md": "old", "gone.md": "gone"})
    started(watcher)

    files.apply(
        [
            Write(PurePosixPath("new.md"), b"new"),
            Write(PurePosixPath("old.md"), b"newer", blob_id(b"old")),
            Write(PurePosixPath("gone.md"), None, blob_id(b"gone")),
        ]
    )

    assert paths(watcher) == {"new.md", "old.md", "gone.md"}


@pytest.mark.parametrize("way", ["inside", "in", "out"])
def test_a_moved_folder_ends_with_the_right_notes(
    root: Path, tmp_path: Path, files: Vault, watcher: Watcher, way: str
) -> None:
    notes = {f"n{i}.md": "x" for i in range(25)} | {f"deep/er/m{i}.md": "x" for i in range(25)}
    start = {"inside": root / "a/old", "in": tmp_path / "old", "out": root / "a/old"}[way]
    target = {"inside": root / "b/new", "in": root / "b/new", "out": tmp_path / "new"}[way]
    put(start, notes)
    put(root, {"b/kept.md": ""})
    known = set(files.listing().notes)
    started(watcher)

    start.rename(target)

    found = notes_to_look_at(watcher, files, known)
    assert found == set(files.listing().notes)
    assert len(found) == (1 if way == "out" else 51)


@pytest.mark.parametrize("way", ["inside", "in"])
def test_a_folder_that_was_moved_is_watched_at_its_new_place(
    root: Path, tmp_path: Path, watcher: Watcher, way: str
) -> None:
    start = root / "old" if way == "inside" else tmp_path / "old"
    put(start, {"deep/a.md": ""})
    started(watcher)
    start.rename(root / "new")
    take(watcher)

    put(root, {"new/deep/a.md": "edited"})

    assert paths(watcher) == {"new/deep/a.md"}


def test_a_folder_that_left_is_watched_no_more(
    root: Path, tmp_path: Path, watcher: Watcher
) -> None:
    put(root, {"old/deep/a.md": ""})
    started(watcher)
    (root / "old").rename(tmp_path / "elsewhere")
    take(watcher)

    put(tmp_path, {"elsewhere/deep/a.md": "edited"})

    assert take(watcher) == Taken()
    assert watcher.watches == 1


def test_new_folders_are_watched_however_quickly_they_fill(
    root: Path, files: Vault, watcher: Watcher
) -> None:
    started(watcher)
    known: set[str] = set()

    for i in range(30):
        put(root, {f"d{i}/a/b/c/note.md": "1", f"d{i}/note.md": "1"})
        known = notes_to_look_at(watcher, files, known)
        assert len(known) == 2 * (i + 1)
        put(root, {f"d{i}/a/b/c/note.md": "2"})
        assert paths(watcher) == {f"d{i}/a/b/c/note.md"}

    assert watcher.watches == 1 + 30 * 4


def test_a_deleted_folder_takes_its_notes_along(root: Path, files: Vault, watcher: Watcher) -> None:
    put(root, {f"a/{i}/n.md": "" for i in range(20)} | {"kept.md": ""})
    known = set(files.listing().notes)
    started(watcher)

    shutil.rmtree(root / "a")

    assert notes_to_look_at(watcher, files, known) == {"kept.md"}
    assert watcher.watches == 1


def test_a_folder_renamed_twice_before_anybody_asks(
    root: Path, files: Vault, watcher: Watcher
) -> None:
    put(root, {"a/n.md": ""})
    started(watcher)

    for i in range(50):
        (root / "a").rename(root / f"b{i}")
        (root / f"b{i}").rename(root / "c")
        (root / "c").rename(root / "a")

    assert notes_to_look_at(watcher, files, {"a/n.md"}) == {"a/n.md"}
    put(root, {"a/n.md": "edited"})
    assert paths(watcher) == {"a/n.md"}


def test_a_folder_that_becomes_a_repository_leaves_the_vault_and_can_come_back(
    root: Path, files: Vault, watcher: Watcher
) -> None:
    put(root, {"sub/deep/n.md": "", "kept.md": ""})
    started(watcher)

    put(root, {"sub/.git/HEAD": "ref"})
    assert notes_to_look_at(watcher, files, {"sub/deep/n.md", "kept.md"}) == {"kept.md"}
    put(root, {"sub/deep/n.md": "edited", "sub/m.md": "new"})
    assert take(watcher) == Taken()

    shutil.rmtree(root / "sub/.git")
    assert notes_to_look_at(watcher, files, {"kept.md"}) == {"kept.md", "sub/deep/n.md", "sub/m.md"}
    put(root, {"sub/deep/n.md": "again"})
    assert paths(watcher) == {"sub/deep/n.md"}


def test_masses_that_are_ignored_cost_no_watches(root: Path, watcher: Watcher) -> None:
    put(root, {f"notes/{i}.md": "fact" for i in range(12)})
    for i in range(300):
        (root / f"node_modules/p{i}/lib").mkdir(parents=True)
    put(root, {".cache/x/c.md": "", "project/.git/objects/o": "", "project/src/a.md": ""})
    (root / "rootlink").symlink_to("/")

    started(watcher)
    put(root, {"node_modules/p1/lib/f.md": "", "project/src/a.md": "edited"})

    assert take(watcher) == Taken()
    assert watcher.watches <= 3


def test_a_burst_stays_bounded_and_its_end_is_told(root: Path, watcher: Watcher) -> None:
    started(watcher)

    for i in range(DIRTY_MAX + 2_000):
        (root / f"{i}.md").touch()

    taken = watcher.take(DEADLINE)
    assert taken is None or taken == Taken(all=True)
    while taken is None:  # the system's queue had overflowed: the watcher starts clean
        taken = watcher.take(DEADLINE)
    put(root, {"1.md": "after"})
    assert paths(watcher) == {"1.md"}


def test_an_overflow_is_told_and_the_next_news_is_whole_again(root: Path, watcher: Watcher) -> None:
    put(root, {"a.md": "", "b.md": ""})
    started(watcher)
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())

    with watcher._tree._guard:  # the reader stands still, as under a heavy load
        with (root / "a.md").open("a") as one, (root / "b.md").open("a") as two:
            for _ in range(2 * limit):
                os.pwrite(one.fileno(), b"x", 0)
                os.pwrite(two.fileno(), b"x", 0)
        put(root, {"new/c.md": ""})
        shutil.move(root / "new", root / "newer")

    assert watcher.take(DEADLINE) is None
    assert watcher.take(DEADLINE) is None
    assert take(watcher) == Taken()
    put(root, {"newer/c.md": "edited"})
    assert paths(watcher) == {"newer/c.md"}


def test_a_late_answer_is_no_answer_and_the_watcher_starts_clean(
    root: Path, watcher: Watcher
) -> None:
    started(watcher)

    with watcher._tree._guard:
        put(root, {"a.md": "during"})
        assert watcher.take(0.05) is None

    assert watcher.take(DEADLINE) is None
    assert take(watcher) == Taken()
    put(root, {"a.md": "after"})
    assert paths(watcher) == {"a.md"}


def test_a_listener_is_called_when_a_note_moved_and_not_by_the_asking(
    root: Path, watcher: Watcher
) -> None:
    told = threading.Event()
    started(watcher).on_news(told.set)

    take(watcher)
    told_by_asking = told.is_set()
    put(root, {"a.md": "text"})

    assert not told_by_asking
    assert told.wait(DEADLINE)


def test_a_listener_is_called_when_the_vault_vanishes(
    root: Path, tmp_path: Path, watcher: Watcher
) -> None:
    told = threading.Event()
    started(watcher).on_news(told.set)

    root.rename(tmp_path / "elsewhere")

    assert told.wait(DEADLINE)


def test_nobody_is_called_after_the_listener_left(root: Path, watcher: Watcher) -> None:
    told = threading.Event()
    started(watcher).on_news(told.set)

    watcher.on_news(None)
    put(root, {"a.md": "text"})

    assert paths(watcher) == {"a.md"}
    assert not told.is_set()


def test_zero_seconds_hand_out_what_has_arrived(root: Path, watcher: Watcher) -> None:
    started(watcher)
    put(root, {"a.md": ""})
    paths(watcher)

    assert watcher.take(0) == Taken()


def test_no_cookie_is_left_and_none_is_ever_in_the_vault(
    root: Path, cookies: Path, watcher: Watcher
) -> None:
    cookies.mkdir()
    (cookies / "cookie-0123456789ab-7").touch()
    (cookies / "pending.json").touch()
    started(watcher)

    for _ in range(20):
        take(watcher)

    assert [path.name for path in cookies.iterdir()] == ["pending.json"]
    assert texts(root) == {}


def test_several_watchers_share_a_cookie_folder(root: Path, files: Vault, cookies: Path) -> None:
    watchers = [started(Watcher(files, cookies)) for _ in range(3)]

    put(root, {"a.md": ""})

    assert [paths(watcher) for watcher in watchers] == [{"a.md"}] * 3
    for watcher in watchers:
        watcher.stop()


def test_one_thread_serves_any_number_of_folders(root: Path, watcher: Watcher) -> None:
    put(root, {f"d{i}/n.md": "" for i in range(200)})
    before = threading.active_count()

    started(watcher)

    assert watcher.watches == 201
    assert threading.active_count() == before + 1


def test_stopping_ends_the_thread_within_a_second(root: Path, watcher: Watcher) -> None:
    threads, opened = threading.active_count(), descriptors()
    for _ in range(5):
        started(watcher)
        begin = time.monotonic()
        watcher.stop()
        assert time.monotonic() - begin < 1

    assert threading.active_count() == threads
    assert descriptors() == opened
    assert watcher.take(0.1) is None


def test_a_vault_that_vanishes_is_told_and_watched_again_when_it_is_back(
    root: Path, watcher: Watcher
) -> None:
    put(root, {"sub/a.md": ""})
    started(watcher)

    root.rename(root.with_name("away"))
    assert watcher.take(DEADLINE) is None
    assert watcher.take(DEADLINE) is None
    assert "gone" in watcher.problem

    root.with_name("away").rename(root)
    assert watcher.take(DEADLINE) is None
    assert watcher.problem == ""
    put(root, {"sub/a.md": "edited"})
    assert paths(watcher) == {"sub/a.md"}


def test_a_vault_below_a_renamed_folder_is_told(tmp_path: Path, cookies: Path) -> None:
    put(tmp_path, {"home/notes/a.md": ""})
    watcher = Watcher(Vault(tmp_path / "home/notes", DEFAULT_IGNORED), cookies)
    started(watcher)

    (tmp_path / "home").rename(tmp_path / "elsewhere")
    put(tmp_path, {"home/notes/a.md": "another vault"})

    assert not watcher._vault.alive()
    assert watcher.take(DEADLINE) is None
    watcher.stop()


def test_stopping_works_when_the_vault_is_gone(root: Path, watcher: Watcher) -> None:
    put(root, {"sub/a.md": ""})
    started(watcher)
    shutil.rmtree(root)

    begin = time.monotonic()
    watcher.stop()

    assert time.monotonic() - begin < 1


def test_cookies_that_cannot_be_written_are_told(
    root: Path, cookies: Path, watcher: Watcher
) -> None:
    started(watcher)
    shutil.rmtree(cookies)

    assert watcher.take(DEADLINE) is None
    assert watcher.take(DEADLINE) in (None, Taken())
    put(root, {"a.md": ""})
    assert paths(watcher) == {"a.md"}


def test_a_watcher_without_a_place_for_cookies_says_so(files: Vault, tmp_path: Path) -> None:
    watcher = Watcher(files, tmp_path / "no" / "cookies")

    assert not watcher.start()
    assert watcher.problem
    assert watcher.take(0.1) is None


LIMITED = """
import sys
from pathlib import Path
from mnemos_files.vault.files import Vault
from mnemos_files.vault.watch import Watcher
watcher = Watcher(Vault(Path(sys.argv[1]), ()), Path(sys.argv[2]))
print(watcher.start(), watcher.problem, watcher.take(0.1), sep="|")
"""


@pytest.mark.parametrize(
    ("setting", "limit", "problem"),
    [("max_inotify_watches", 5, "max_user_watches"), ("max_inotify_instances", 0, "instances")],
)
def test_limits_of_the_system_are_told_and_stop_nothing(
    root: Path, cookies: Path, setting: str, limit: int, problem: str
) -> None:
    put(root, {f"d{i}/n.md": "" for i in range(10)})
    script = f'echo {limit} > /proc/sys/user/{setting} && exec "$@"'
    inside = [sys.executable, "-c", LIMITED, str(root), str(cookies)]

    done = subprocess.run(
        ["unshare", "-Ur", "sh", "-c", script, "sh", *inside],
        check=False,
        capture_output=True,
        text=True,
    )

    if done.returncode:
        pytest.skip(f"this system lends no user namespace: {done.stderr.strip()}")
    started, reason, taken = done.stdout.strip().split("|")
    assert (started, taken) == ("False", "None")
    assert problem in reason


def test_a_folder_that_was_closed_is_watched_once_it_is_open(
    root: Path, files: Vault, watcher: Watcher
) -> None:
    put(root, {"sub/deep/a.md": ""})
    started(watcher)
    watcher._tree._fences.add("sub")  # as after a permission was missing

    (root / "sub").chmod(0o700)

    assert notes_to_look_at(watcher, files, set()) == {"sub/deep/a.md"}
    put(root, {"sub/deep/a.md": "edited", "sub/b.md": ""})
    assert paths(watcher) == {"sub/deep/a.md", "sub/b.md"}
