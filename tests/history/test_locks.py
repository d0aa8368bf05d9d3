"""git's lock files: waited for, never taken from others, ours known again after a crash."""

import errno
import os
import time
from threading import Timer

import pytest

from mnemos_files.errors import UnavailableError


def old(lock):
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()
    os.utime(lock, (1, 1))
    return lock


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "HEAD.lock"])
def test_a_held_branch_makes_no_commit_and_names_the_lock(vault, name):
    lock = old(vault.root / ".git" / name)
    before = vault.git("rev-parse", "HEAD")
    start = time.monotonic()

    with pytest.raises(UnavailableError, match=name) as caught:
        vault.save("a.md")

    assert time.monotonic() - start < 5
    assert f"rm '{lock}'" in caught.value.remedy
    assert lock.exists()
    assert vault.git("rev-parse", "HEAD") == before
    lock.unlink()
    vault.save("a.md")
    assert vault.status() == []
    assert vault.subjects() == ["save(decision): a.md", "Add first.md"]


def test_a_fresh_lock_is_waited_for_two_seconds(vault):
    lock = vault.root / ".git/refs/heads/main.lock"
    lock.touch()
    start = time.monotonic()

    with pytest.raises(UnavailableError):
        vault.save("a.md")

    assert 1.5 < time.monotonic() - start < 5


def test_a_branch_that_is_let_go_is_taken(vault):
    lock = vault.root / ".git/refs/heads/main.lock"
    lock.touch()
    timer = Timer(0.2, lock.unlink)
    timer.start()

    vault.save("a.md")

    timer.join()
    assert vault.subjects()[0] == "save(decision): a.md"


def test_no_lock_of_ours_stays(vault):
    vault.save("a.md")

    assert list((vault.root / ".git").rglob("*.lock")) == [
        vault.root / ".git/mnemos/git-writer.lock"
    ]


def test_locks_of_a_dead_writer_of_ours_are_cleared(vault):
    vault.save("a.md")
    token = vault.root / ".git/mnemos/lock-token"
    locks = [vault.root / ".git" / n for n in ("index.lock", "HEAD.lock", "refs/heads/main.lock")]
    for lock in locks:
        os.link(token, lock)

    result = vault.save("b.md")

    assert result.notices == ()
    assert not any(lock.exists() for lock in locks)
    assert vault.status() == []


def test_a_dead_writers_lock_on_another_branch_is_cleared(vault):
    vault.git("checkout", "-q", "-b", "feature/x")
    vault.save("a.md")
    lock = vault.root / ".git/refs/heads/feature/x.lock"
    os.link(vault.root / ".git/mnemos/lock-token", lock)
    vault.git("checkout", "-q", "main")

    vault.save("b.md")

    assert not lock.exists()


def test_beside_our_own_dead_lock_a_foreign_one_stays(vault):
    vault.save("a.md")
    os.link(vault.root / ".git/mnemos/lock-token", vault.root / ".git/HEAD.lock")
    foreign = old(vault.root / ".git/index.lock")

    result = vault.save("b.md")

    assert foreign.exists()
    assert not (vault.root / ".git/HEAD.lock").exists()
    assert "index.lock" in result.notices[0]


def test_a_deleted_token_is_made_again(vault, make_change, now):
    history = vault.open()
    history.commit([make_change("a.md", vault.write("a.md", "1"))], now)
    (vault.root / ".git/mnemos/lock-token").unlink()

    for text in "23":
        history.commit([make_change("a.md", vault.write("a.md", text))], now)

    assert vault.status() == []
    assert len(vault.subjects()) == 4


def test_a_branch_with_a_slash_that_lives_in_packed_refs_moves(vault):
    vault.git("checkout", "-q", "-b", "feature/deep/x")
    vault.git("pack-refs", "--all", "--prune")
    assert not (vault.root / ".git/refs/heads/feature").exists()

    vault.save("a.md")

    assert vault.subjects()[0] == "save(decision): a.md"
    assert vault.status() == []
    assert vault.fsck().startswith("0")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_git_folder_that_is_read_only_is_an_error(vault):
    folder = vault.root / ".git"
    folder.chmod(0o555)
    try:
        with pytest.raises(UnavailableError, match="cannot be written"):
            vault.save("a.md")
    finally:
        folder.chmod(0o755)


def test_where_our_folder_cannot_be_made_the_error_says_so(vault):
    (vault.root / ".git/mnemos").write_text("in the way")

    with pytest.raises(UnavailableError, match="git folder cannot be written"):
        vault.save("a.md")


def test_where_there_are_no_hard_links_locks_are_plain_files(vault, monkeypatch):
    def no_links(source, target):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)

    vault.save("a.md")

    assert vault.status() == []
    assert not (vault.root / ".git/index.lock").exists()
    old(vault.root / ".git/HEAD.lock")
    with pytest.raises(UnavailableError, match=r"HEAD\.lock"):
        vault.save("b.md")
    assert not (vault.root / ".git/refs/heads/main.lock").exists()
