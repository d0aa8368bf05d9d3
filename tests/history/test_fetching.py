"""A commit waits while a `git pull` may be about to merge."""

import os
import threading
import time

import pytest

from mnemos_files.history import fetching


@pytest.fixture
def remote(vault, tmp_path):
    """A remote that is one commit ahead, and what was fetched of it."""
    vault.add("base.md")
    folder = tmp_path / "remote"
    vault.git("clone", "-q", str(vault.root), str(folder))
    vault.git(
        "-C",
        str(folder),
        "-c",
        "user.name=Ben",
        "-c",
        "user.email=ben@example.org",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "ahead",
    )
    vault.git("fetch", "-q", str(folder), "main")
    return folder


def waited(vault) -> float:
    history = vault.open()
    begin = time.monotonic()
    fetching.let_pull_pass(history._repo, history._layout)
    return time.monotonic() - begin


def test_news_of_a_moment_ago_are_waited_for(vault, remote, monkeypatch):
    monkeypatch.setattr(fetching, "MERGE_SECONDS", 0.3)
    vault.git("fetch", "-q", str(remote), "main")

    assert waited(vault) >= 0.1


def test_a_merge_that_is_made_ends_the_wait(vault, remote, monkeypatch):
    monkeypatch.setattr(fetching, "MERGE_SECONDS", 60.0)
    vault.git("fetch", "-q", str(remote), "main")
    waiting = threading.Thread(target=waited, args=(vault,))
    waiting.start()

    vault.git("merge", "-q", "FETCH_HEAD")

    waiting.join(30)
    assert not waiting.is_alive()


@pytest.mark.parametrize("how", ["old", "merged", "none", "not for merge"])
def test_nothing_else_is_waited_for(vault, remote, monkeypatch, how):
    monkeypatch.setattr(fetching, "MERGE_SECONDS", 60.0)
    told = vault.root / ".git/FETCH_HEAD"
    match how:
        case "old":
            os.utime(told, (1_000_000_000, 1_000_000_000))
        case "merged":
            vault.git("merge", "-q", "FETCH_HEAD")
        case "none":
            told.unlink()
        case "not for merge":
            told.write_text("0" * 40 + "\tnot-for-merge\tbranch 'side' of x\n", encoding="utf-8")

    assert waited(vault) < 10
