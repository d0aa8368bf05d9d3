"""What is on disk and not committed: after a crash, a locked branch, a merge in progress."""

from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.errors import RefusedError
from mnemos_files.format.record import render
from mnemos_files.model.query import Query
from mnemos_files.store.intent import Debt, IntentFile
from mnemos_files.store.store import Store
from tests.conftest import NOON, OpenStore, an_observation, git

NOTE = PurePosixPath("observations/global/2026-12-01-note-aaaaaa.md")
OTHER = PurePosixPath("observations/global/2026-12-01-other-bbbbbb.md")


def owe(vault: Path, files: dict[PurePosixPath, bytes | None], **options: object) -> None:
    before = dict.fromkeys(files, "")
    debt = Debt(files, before, "save(decision): a note", "", (("Mnemos-Op", "save"),), "codex")
    IntentFile(vault / ".git/mnemos/pending.json").write([debt])


def subjects(vault: Path) -> list[str]:
    return git(vault, "log", "--format=%an|%s").splitlines()


def test_a_file_that_a_crash_left_uncommitted_is_committed_at_the_next_start(
    store: Store, vault: Path, open_vault: OpenStore
) -> None:
    store.put(an_observation(store))
    data = render(an_observation(store, title="a note", content="whole"))
    (vault / NOTE).write_bytes(data)
    owe(vault, {NOTE: data})

    restarted = open_vault(vault, background=True)

    assert subjects(vault)[0] == "codex|recover(decision): a note"
    assert git(vault, "status", "--porcelain") == ""
    assert restarted.notices() == ()


def test_what_a_crash_prevented_from_being_written_stays_absent(
    store: Store, vault: Path, open_vault: OpenStore
) -> None:
    store.put(an_observation(store))
    owe(vault, {NOTE: b"---\nid: x\n---\nnever written\n"})
    before = subjects(vault)

    open_vault(vault, background=True)

    assert not (vault / NOTE).exists()
    assert subjects(vault) == before


def test_half_of_a_group_is_finished_at_the_next_start(
    store: Store, vault: Path, open_vault: OpenStore
) -> None:
    store.put(an_observation(store))
    one = render(an_observation(store, title="one", content="first file"))
    two = render(an_observation(store, title="two", content="second file"))
    (vault / NOTE).write_bytes(one)
    owe(vault, {NOTE: one, OTHER: two})

    open_vault(vault, background=True)

    assert (vault / OTHER).read_bytes() == two
    assert git(vault, "show", "--name-only", "--format=", "HEAD").split() == [
        str(NOTE),
        str(OTHER),
    ]


def test_a_person_s_edit_of_an_uncommitted_note_is_left_to_the_person(
    store: Store, vault: Path, open_vault: OpenStore
) -> None:
    store.put(an_observation(store))
    (vault / NOTE).write_bytes(b"---\nid: x\n---\nedited by hand since\n")
    owe(vault, {NOTE: b"---\nid: x\n---\nas the agent wrote it\n"})

    open_vault(vault, background=True)

    assert (vault / NOTE).read_bytes() == b"---\nid: x\n---\nedited by hand since\n"
    assert git(vault, "status", "--porcelain") == f"?? {NOTE}\n"


def test_a_locked_branch_delays_the_commit_and_loses_nothing(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    before = subjects(vault)
    lock = vault / ".git/refs/heads/main.lock"
    lock.touch()

    first = store.put(an_observation(store, title="first", content="while locked"))
    second = store.put(an_observation(store, title="second", content="still locked"))

    assert first.receipt.commit == second.receipt.commit == ""
    assert first.receipt.notices[0].startswith("saved, not committed: ")
    assert (vault / first.path).exists()
    assert lock.exists()
    assert subjects(vault) == before
    found = store.search(Query(text="locked", now=NOON)).found
    assert {each.hit.entry.record.title for each in found} == {"first", "second"}

    lock.unlink()
    third = store.put(an_observation(store, title="third", content="unlocked"))

    assert third.receipt.commit
    assert subjects(vault)[:3] == [
        "claude-code|save(decision): third",
        "claude-code|recover(decision): second",
        "claude-code|recover(decision): first",
    ]
    assert git(vault, "status", "--porcelain") == ""


def test_a_deleted_note_that_was_never_committed_stays_deleted(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    lock = vault / ".git/refs/heads/main.lock"
    lock.touch()
    saved = store.put(an_observation(store, title="first", content="while locked"))
    (vault / saved.path).unlink()
    lock.unlink()

    store.put(an_observation(store, title="next", content="later"))

    assert not (vault / saved.path).exists()
    assert "first" not in git(vault, "log", "--format=%s")


def test_a_held_git_index_does_not_stop_the_commit(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    lock = vault / ".git/index.lock"
    lock.touch()

    saved = store.put(an_observation(store, title="first", content="while locked"))

    assert saved.receipt.commit == git(vault, "rev-parse", "HEAD").strip()
    assert saved.receipt.notices
    assert lock.exists()

    lock.unlink()
    store.put(an_observation(store, title="second", content="unlocked"))
    assert git(vault, "status", "--porcelain") == ""


def test_in_the_middle_of_a_merge_reading_works_and_writing_is_refused(
    store: Store, vault: Path
) -> None:
    store.put(an_observation(store))
    git(vault, "checkout", "-q", "-b", "side")
    (vault / "Home.md").write_text("side\n", encoding="utf-8")
    git(vault, "commit", "-q", "-am", "side")
    git(vault, "checkout", "-q", "main")
    (vault / "Home.md").write_text("main\n", encoding="utf-8")
    git(vault, "commit", "-q", "-am", "main")
    git(vault, "merge", "side", check=False)
    before = git(vault, "status", "--porcelain")

    with pytest.raises(RefusedError, match="merge"):
        store.put(an_observation(store, content="New."))

    assert git(vault, "status", "--porcelain") == before
    assert [f.hit.entry.record.title for f in store.search(Query(text="bcrypt", now=NOON)).found]
    assert store.search(Query(text="side main", now=NOON)).found == ()
