"""The git index after our commits: our paths are right, everything else is as it was."""

import os
import time
from pathlib import PurePosixPath
from threading import Thread, Timer

import pytest

from mnemos_files.errors import UnavailableError


def staged_state(vault):
    return (
        vault.git("diff", "--cached"),
        vault.git("diff"),
        vault.git("ls-files", "--stage", "--", ":!saved.md", ":!notes"),
    )


@pytest.fixture
def busy(vault):
    """A person in the middle of work: every way to have something not committed."""
    vault.add("partly.md", "one\ntwo\nthree\n")
    vault.add("gone.md")
    vault.add("unstaged.md")
    vault.write("staged.md", "staged\n")
    vault.git("add", "staged.md")
    vault.write("partly.md", "ONE\ntwo\nthree\n")
    vault.git("add", "partly.md")
    vault.write("partly.md", "ONE\ntwo\nTHREE\n")
    vault.write("unstaged.md", "changed\n")
    vault.write("untracked.md", "mine\n")
    vault.write("intent.md", "later\n")
    vault.git("add", "-N", "intent.md")
    vault.git("rm", "-q", "--cached", "gone.md")
    return vault


def test_a_save_leaves_staged_and_unstaged_work_as_it_was(busy):
    before = staged_state(busy), busy.status()

    busy.save("notes/saved.md")

    assert (staged_state(busy), busy.status()) == before
    assert busy.git("show", "--name-only", "--format=", "HEAD").split() == ["notes/saved.md"]


def test_a_group_leaves_staged_and_unstaged_work_as_it_was(busy, make_change, now):
    before = staged_state(busy), busy.status()
    names = [f"notes/{number}.md" for number in range(20)]

    changes = [make_change(name, busy.write(name, name)) for name in names]
    busy.open().commit(changes, now)

    assert (staged_state(busy), busy.status()) == before


def test_a_delete_leaves_staged_and_unstaged_work_as_it_was(busy, make_change, now):
    before = staged_state(busy), busy.status()
    busy.save("notes/saved.md")

    (busy.root / "notes/saved.md").unlink()
    busy.open().commit([make_change("notes/saved.md", None)], now)

    assert (staged_state(busy), busy.status()) == before


def test_work_staged_while_we_run_is_kept(vault, make_change, now):
    history = vault.open()
    history.commit([make_change("a.md", vault.write("a.md", "1"))], now)
    vault.write("b.md", "b\n")
    vault.git("add", "b.md")

    history.commit([make_change("a.md", vault.write("a.md", "2"))], now)

    assert vault.status() == ["A  b.md"]


def test_conflict_stages_of_other_paths_stay(vault):
    vault.git("checkout", "-q", "-b", "other")
    vault.write("first.md", "theirs\n")
    vault.git("stash")
    vault.write("first.md", "ours\n")
    vault.git("commit", "-q", "-am", "Ours")
    assert vault.try_git("stash", "pop").returncode == 1
    stages = vault.git("ls-files", "-u")
    assert len(stages.splitlines()) == 3

    vault.save("notes/saved.md")

    assert vault.git("ls-files", "-u") == stages
    assert vault.status() == ["UU first.md"]


def test_git_need_not_read_the_saved_file_again(vault):
    vault.save("notes/a.md")

    # diff-files does not refresh: it compares times and size only.
    assert vault.git("diff-files") == ""
    assert "size: 6" in vault.git("ls-files", "--debug", "notes/a.md")


def test_a_file_changed_after_the_write_shows_as_changed(vault, make_change, now):
    content = vault.write("a.md", "saved\n")
    vault.write("a.md", "saveD\n")

    vault.open().commit([make_change("a.md", content)], now)

    assert vault.status() == [" M a.md"]


def test_an_edit_of_the_same_moment_and_size_is_still_seen(vault, make_change, now):
    # git believes times only of files older than the index; a later time would hide this edit.
    vault.git("status")
    file = vault.root / "first.md"
    found = file.stat()
    index = vault.root / ".git/index"
    os.utime(index, ns=(found.st_mtime_ns, found.st_mtime_ns))
    file.write_bytes(b"FIRST\n")
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))

    vault.save("notes/a.md")

    assert vault.status() == [" M first.md"]


def test_a_held_index_lock_leaves_the_commit_and_says_so(vault, make_change, now):
    lock = vault.root / ".git/index.lock"
    lock.touch()
    os.utime(lock, (now.timestamp() - 10**8, now.timestamp() - 10**8))

    result = vault.save("notes/a.md")

    assert lock.exists()
    assert vault.subjects()[0] == "save(decision): notes/a.md"
    assert len(result.notices) == 1
    assert "index.lock" in result.notices[0]
    assert "rm '" in result.notices[0]
    notices = vault.open().notices()
    assert any("git is locked by" in text and "index.lock" in text for text in notices)
    assert any("behind for 1 paths" in text for text in notices)


def test_the_next_write_brings_the_index_up_to_date(vault, now):
    lock = vault.root / ".git/index.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    vault.save("notes/a.md", "one\n")
    vault.save("notes/a.md", "two\n")
    vault.save("notes/b.md")
    lock.unlink()
    assert vault.status() != []

    vault.save("notes/c.md")

    assert vault.status() == []
    assert not any("behind" in text for text in vault.open().notices())


def test_repair_brings_the_index_up_to_date_without_a_write(vault):
    lock = vault.root / ".git/index.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    vault.save("notes/a.md")
    lock.unlink()

    assert vault.open().repair_index() == []

    assert vault.status() == []
    assert vault.git("diff-files") == ""


def test_repair_does_not_undo_what_a_person_staged_since(vault):
    lock = vault.root / ".git/index.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    vault.save("first.md", "agent\n")
    lock.unlink()
    vault.write("first.md", "person\n")
    vault.git("add", "first.md")

    vault.open().repair_index()

    assert vault.status() == ["M  first.md"]
    assert vault.git("show", ":first.md") == "person\n"


def test_a_lock_that_is_released_is_waited_for(vault, make_change, now):
    # `git add` from a slow pipe would need a sleep; a lock let go by another thread is the same.
    lock = vault.root / ".git/index.lock"
    lock.touch()
    timer = Timer(0.2, lock.unlink)
    timer.start()

    result = vault.save("notes/a.md")

    timer.join()
    assert result.notices == ()
    assert vault.status() == []


def test_a_staged_version_that_goes_is_named(vault):
    vault.write("first.md", "staged\n")
    vault.git("add", "first.md")

    result = vault.save("first.md", "agent\n")

    assert vault.status() == []
    assert len(result.notices) == 1
    blob = result.notices[0].split()[-1].rstrip(")")
    assert vault.git("cat-file", "blob", blob) == "staged\n"


def test_the_staged_blob_is_told(busy):
    history = busy.open()

    assert history.staged(PurePosixPath("staged.md")) == busy.git("rev-parse", ":staged.md").strip()
    assert history.staged(PurePosixPath("untracked.md")) == ""
    assert history.staged(PurePosixPath("gone.md")) == ""


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index_is_kept_up_to_date(busy, version):
    busy.git("update-index", "--index-version", version)
    before = staged_state(busy), busy.status()

    busy.save("notes/saved.md")
    busy.save("notes/saved.md", "again\n")

    assert (staged_state(busy), busy.status()) == before


def test_a_split_index_is_kept_up_to_date_through_git(busy):
    busy.git("update-index", "--split-index")
    before = staged_state(busy), busy.status()

    busy.save("notes/saved.md", "one\r\n")

    assert (staged_state(busy), busy.status()) == before
    assert any("a split git index" in text for text in busy.open().notices())
    blob = busy.git("rev-parse", "HEAD:notes/saved.md").strip()
    assert busy.open().staged(PurePosixPath("notes/saved.md")) == blob


def test_a_sparse_index_is_kept_up_to_date_through_git(vault):
    vault.add("deep/b.md")
    vault.add("other/c.md")
    vault.git("sparse-checkout", "set", "--cone", "--sparse-index", "deep")
    assert not (vault.root / "other/c.md").exists()

    vault.save("deep/saved.md")
    vault.save("other/saved.md")

    assert vault.status() == []
    assert any("a sparse git index" in text for text in vault.open().notices())
    assert vault.fsck().startswith("0")


def test_a_split_index_under_a_lock_is_repaired_later(vault):
    vault.git("update-index", "--split-index")
    lock = vault.root / ".git/index.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    result = vault.save("notes/a.md")
    assert "index is behind" in result.notices[0]
    lock.unlink()

    vault.open().repair_index()

    assert vault.status() == []


def test_a_split_index_without_git_is_told(vault, monkeypatch):
    vault.git("update-index", "--split-index")
    history = vault.open()
    monkeypatch.setenv("PATH", str(vault.root / "nothing"))

    found = history.notices()

    assert any("git is not installed" in text for text in found)


def test_the_first_index_of_a_repository_is_made(empty):
    empty.save("notes/a.md")

    assert empty.status() == []
    assert empty.fsck().startswith("0")


def test_a_damaged_index_is_left_alone_and_named(vault):
    index = vault.root / ".git/index"
    index.write_bytes(b"DIRC garbage")

    with pytest.raises(UnavailableError, match="index") as caught:
        vault.save("notes/a.md")

    assert "git reset" in caught.value.remedy
    assert index.read_bytes() == b"DIRC garbage"
    assert vault.subjects() == ["Add first.md"]


def test_a_mode_of_the_index_file_is_kept(vault):
    index = vault.root / ".git/index"
    index.chmod(0o660)

    vault.save("notes/a.md")

    assert index.stat().st_mode & 0o777 == 0o660


def test_an_executable_note_stays_executable(vault):
    vault.add("run.md")
    (vault.root / "run.md").chmod(0o755)
    vault.git("commit", "-qam", "Executable")

    vault.save("run.md", "changed\n")
    (vault.root / "run.md").chmod(0o755)

    assert vault.git("ls-tree", "HEAD", "run.md").split()[0] == "100755"
    assert vault.status() == []


def test_assumed_unchanged_stays_assumed(vault):
    vault.git("update-index", "--assume-unchanged", "first.md")

    vault.save("first.md", "changed\n")

    assert vault.git("ls-files", "-v").split() == ["h", "first.md"]


def test_an_entry_that_a_slow_git_overwrote_is_set_again(vault, make_change, now):
    # `git commit` reads the index just before it locks it, and then writes what it had read.
    history = vault.open()
    index = vault.root / ".git/index"
    before = index.read_bytes()
    history.commit([make_change("a.md", vault.write("a.md", "1"))], now)
    index.write_bytes(before)
    assert vault.status() == ["D  a.md", "?? a.md"]

    assert history.repair_index() == []

    assert vault.status() == []


def test_an_entry_that_a_person_takes_back_later_stays_back(vault, make_change, now, monkeypatch):
    monkeypatch.setattr("mnemos_files.history.staging.OVERWRITTEN_SECONDS", 0.0)
    history = vault.open()
    history.commit([make_change("a.md", vault.write("a.md", "1"))], now)
    vault.git("rm", "-q", "--cached", "a.md")

    history.commit([make_change("b.md", vault.write("b.md", "1"))], now)

    assert vault.status() == ["D  a.md", "?? a.md"]


def test_nobody_can_commit_between_the_branch_and_the_index(vault, make_change, now):
    branch_lock = vault.root / ".git/refs/heads/main.lock"
    branch_lock.touch()
    history = vault.open()
    writer = Thread(target=history.commit, args=([make_change("a.md", b"1")], now))
    writer.start()
    end = time.monotonic() + 5
    while not (vault.root / ".git/index.lock").exists():
        assert time.monotonic() < end

    person = vault.try_git("commit", "--allow-empty", "-qm", "Person")

    branch_lock.unlink()
    writer.join()
    assert person.returncode != 0
    assert "index.lock" in person.stderr
    assert vault.subjects() == ["save(decision): a.md", "Add first.md"]
