"""Git as people and other programs leave it: locks, merges, odd formats, signing, hooks."""

import time
from pathlib import Path

import pytest

from mnemos_files.errors import InvalidQueryError, MnemosError, NotFoundError, RefusedError
from mnemos_files.model.query import Query
from mnemos_files.operations.editing import edit
from mnemos_files.store.store import Store
from tests.cases.conftest import Build
from tests.cases.inputs import data_of, snapshot
from tests.conftest import NOON, OpenStore, an_observation, git

LOCKS = {"index": ".git/index.lock", "ref": ".git/refs/heads/main.lock"}


def found(store: Store, text: str) -> set[str]:
    return {str(one.hit.entry.path) for one in store.search(Query(text=text, now=NOON)).found}


def subjects(vault: Path) -> list[str]:
    """Subjects of all commits, oldest first."""
    return git(vault, "log", "--reverse", "--format=%s").splitlines()


def is_running(process: int) -> bool:
    """False for a process that has ended, also when nobody has collected it yet."""
    try:
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    except (FileNotFoundError, ProcessLookupError):
        return False


def told(store: Store, words: str) -> list[str]:
    return [notice for notice in store.notices() if words in notice]


@pytest.mark.parametrize("kind", ["index", "ref"])
def test_a_lock_left_by_a_killed_git_holds_up_no_save(
    build: Build, open_vault: OpenStore, kind: str
) -> None:
    """Case c24. With the index locked the commit is made all the same, as the design says."""
    vault = build("c24", LOCK=kind)
    store = open_vault(vault)

    for title in ("Tide table", "Berth list"):
        begin = time.monotonic()
        saved = store.put(an_observation(store, title=title))
        assert time.monotonic() - begin < 5
        assert (vault / saved.path).is_file()
        assert str(saved.path) in found(store, title)
        assert any(LOCKS[kind].rpartition("/")[2] in notice for notice in saved.receipt.notices)
    assert (vault / LOCKS[kind]).exists()
    (notice,) = told(store, "git is locked by")
    assert LOCKS[kind] in notice
    assert " s old)" in notice
    assert f"rm '{vault / LOCKS[kind]}'" in notice


@pytest.mark.parametrize("kind", ["index", "ref"])
def test_what_a_lock_held_up_is_committed_once_by_the_next_write(
    build: Build, open_vault: OpenStore, kind: str
) -> None:
    """Case c24."""
    vault = build("c24", LOCK=kind)
    store = open_vault(vault)
    for title in ("Tide table", "Berth list"):
        store.put(an_observation(store, title=title))
    (vault / LOCKS[kind]).unlink()

    store.put(an_observation(store, title="Fog signal"))

    assert sorted(text.partition(": ")[2] for text in subjects(vault)[1:]) == [
        "Berth list",
        "Fog signal",
        "Tide table",
        "a memory in git",
    ]
    assert git(vault, "status", "--porcelain") == ""
    assert store.notices() == ()


def test_a_save_in_the_middle_of_a_merge_is_refused_and_leaves_nothing(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c26. The design refuses the save; the case would keep it without a commit."""
    vault = build("c26")
    store = open_vault(vault)
    before = snapshot(vault)

    with pytest.raises(RefusedError, match="a merge is in progress"):
        store.put(an_observation(store))

    after = snapshot(vault)
    assert {path: after[path] for path in before} == before
    assert set(after) - set(before) <= {".mnemos/writer.lock"}
    assert git(vault, "ls-files", "-u").count("contacts.md") == 3
    assert (vault / ".git/MERGE_HEAD").exists()
    assert told(store, "a merge is in progress")


def test_an_edit_in_the_middle_of_a_merge_is_refused_and_leaves_nothing(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c26, outcome 2."""
    vault = build("c26")
    store = open_vault(vault)
    before = snapshot(vault)

    for name in ("contacts.md", "other.md"):
        with pytest.raises(RefusedError, match="a merge is in progress"):
            edit(store, id=name, append="harbour office phone 0400")

    after = snapshot(vault)
    assert {path: after[path] for path in before} == before
    assert git(vault, "ls-files", "-u").count("contacts.md") == 3
    assert (vault / ".git/MERGE_HEAD").exists()
    (vault / "contacts.md").write_text("harbour office phone 0300\n", encoding="utf-8")
    git(vault, "commit", "-q", "-a", "-m", "Merge phone")
    edit(store, id="contacts.md", append="harbour office phone 0400")
    text = "harbour office phone 0300\n\nharbour office phone 0400\n"
    assert (vault / "contacts.md").read_text("utf-8") == text
    assert git(vault, "log", "--merges", "--format=%s").split("\n") == ["Merge phone", ""]


def test_a_note_in_conflict_is_not_served_as_knowledge(build: Build, open_vault: OpenStore) -> None:
    """Case c26."""
    store = open_vault(build("c26"))

    assert "contacts.md" not in found(store, "harbour office phone")
    assert [str(p) for p in store.get("contacts").note.problems] == [
        "contacts.md:1: unresolved merge conflict in lines 1 to 5"
    ]


def test_a_save_after_the_merge_leaves_the_merge_commit_alone(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c26."""
    vault = build("c26")
    store = open_vault(vault)
    with pytest.raises(RefusedError):
        store.put(an_observation(store))
    (vault / "contacts.md").write_text("harbour office phone 0300\n", encoding="utf-8")
    git(vault, "commit", "-q", "-a", "-m", "Merge phone")
    merge = git(vault, "rev-parse", "HEAD").strip()

    saved = store.put(an_observation(store))

    assert len(git(vault, "log", "-1", "--format=%P", merge).split()) == 2
    assert git(vault, "merge-base", "--is-ancestor", merge, saved.receipt.commit) == ""
    assert "contacts.md" in found(store, "harbour office phone")
    assert git(vault, "status", "--porcelain") == ""


def test_the_first_write_makes_the_root_commit_on_the_branch_that_head_names(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c28."""
    vault = build("c28", KIND="empty")
    store = open_vault(vault)

    store.put(an_observation(store, title="Start"))

    assert git(vault, "branch", "--show-current") == "trunk\n"
    assert subjects(vault) == ["init(vault): a memory in git", "save(decision): Start"]
    assert set(git(vault, "log", "--format=%cn <%ce>").splitlines()) == {
        "mnemos-files <mnemos-files@localhost.invalid>"
    }
    assert len(told(store, "git knows no user.name and user.email here")) == 1
    assert git(vault, "status", "--porcelain") == "?? readme.md\n"


def test_an_identity_that_is_set_later_is_used_from_the_next_commit_on(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c28."""
    vault = build("c28", KIND="empty")
    store = open_vault(vault)
    store.put(an_observation(store, title="Start"))
    git(vault, "config", "user.name", "Priya Example")
    git(vault, "config", "user.email", "priya@example.org")

    store.put(an_observation(store, title="Second"))

    assert git(vault, "log", "-1", "--format=%cn <%ce>") == "Priya Example <priya@example.org>\n"
    assert not told(store, "git knows no user.name")


def test_a_plain_folder_gets_a_repository_of_its_own_with_the_first_write(
    build: Build, open_vault: OpenStore, tmp_path: Path
) -> None:
    """Case c28. The design makes the repository at the first write; none in a parent folder."""
    vault = build("c28", KIND="none")
    store = open_vault(vault)
    with pytest.raises(NotFoundError):
        store.remove("nothing of this name")
    assert not (vault / ".git").exists()
    assert not (vault / ".mnemos/config.toml").exists()

    saved = store.put(an_observation(store))

    assert (vault / ".git").is_dir()
    assert saved.receipt.commit == git(vault, "rev-parse", "HEAD").strip()
    assert not (tmp_path / ".git").exists()
    assert git(vault, "status", "--porcelain") == "?? readme.md\n"


@pytest.mark.parametrize("kind", ["split", "sparse"])
def test_a_repository_with_another_form_of_index_is_committed_to(
    build: Build, open_vault: OpenStore, kind: str
) -> None:
    """Case c30."""
    vault = build("c30", FORMAT=kind)
    store = open_vault(vault)

    saved = store.put(an_observation(store, title="Gamma"))

    assert found(store, "alpha") == {"a.md"}
    assert found(store, "beta") == {"deep/b.md"}
    assert str(saved.path) in found(store, "Gamma")
    assert git(vault, "rev-parse", "HEAD").strip() == saved.receipt.commit
    assert git(vault, "status", "--porcelain") == ""
    assert git(vault, "fsck", "--strict") == ""


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("partial", "a partial clone"),
        ("sha256", "SHA-256 object names"),
        ("reftable", "the reftable format"),
    ],
)
def test_a_repository_that_cannot_be_opened_is_named_and_left_alone(
    build: Build, open_vault: OpenStore, kind: str, name: str
) -> None:
    """Case c30."""
    vault = build("c30", FORMAT=kind)
    git_before = {p: p.read_bytes() for p in (vault / ".git").rglob("*") if p.is_file()}
    store = open_vault(vault)

    saved = store.put(an_observation(store, title="Gamma"))

    assert found(store, "alpha") == {"a.md"}
    assert str(saved.path) in found(store, "Gamma")
    assert saved.receipt.commit == ""
    assert saved.receipt.notices
    (notice,) = store.notices()
    assert notice.startswith("history is off: ")
    assert name in notice
    assert {p: p.read_bytes() for p in (vault / ".git").rglob("*") if p.is_file()} == git_before


def test_a_signing_program_that_hangs_holds_a_save_for_less_than_ten_seconds(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c32."""
    vault = build("c32")
    slow = vault / ".git/slow-sign"
    slow.write_text(f"#!/bin/sh\nsleep 30 & echo $! > {vault}/.git/sleeper\nwait\n", "utf-8")
    store = open_vault(vault)
    begin = time.monotonic()

    saved = store.put(an_observation(store, title="Tide table"))

    assert time.monotonic() - begin < 10
    assert saved.receipt.commit == ""
    (notice,) = saved.receipt.notices
    assert notice.startswith("saved, not committed: signing the commit with ")
    assert "commit.gpgsign" in notice
    assert str(saved.path) in found(store, "Tide table")
    assert subjects(vault) == ["Start"]
    assert not is_running(int((vault / ".git/sleeper").read_text("ascii")))
    assert told(store, "git hooks are not run on commits made here: pre-commit")

    git(vault, "config", "commit.gpgsign", "false")
    store.put(an_observation(store, title="Fog FORBIDDEN"))

    assert subjects(vault)[1:] == [
        "init(vault): a memory in git",
        "recover(decision): Tide table",
        "save(decision): Fog FORBIDDEN",
    ]
    assert not (vault / ".git/hook-ran.txt").exists()
    assert git(vault, "status", "--porcelain") == ""


def test_a_burst_of_saves_gives_one_commit_for_each_call(
    open_vault: OpenStore, vault: Path
) -> None:
    """Case c34. The design makes one commit a call; the case would fold them into a few."""
    store = open_vault(vault)
    slowest = 0.0

    for number in range(30):
        begin = time.monotonic()
        record = an_observation(
            store,
            title=f"Survey point {number:02d}",
            content=f"Bolt {number:02d} sits {number * 3} cm above the datum.",
        )
        saved = store.put(record)
        slowest = max(slowest, time.monotonic() - begin)
        assert str(saved.path) in found(store, f"Survey point {number:02d}")
    for number in range(10):
        store.put(an_observation(store, title=f"Bolt {number} was moved"))

    assert slowest < 1
    assert subjects(vault)[2:] == [
        *(f"save(decision): Survey point {number:02d}" for number in range(30)),
        *(f"save(decision): Bolt {number} was moved" for number in range(10)),
    ]
    assert git(vault, "status", "--porcelain") == ""


def test_a_value_that_git_would_read_as_an_option_is_only_a_name(
    build: Build, open_vault: OpenStore, tmp_path: Path
) -> None:
    """Case c73, on the store: no tool shows the history yet."""
    vault = build("c73")
    store = open_vault(vault)
    before = snapshot(tmp_path)

    for value in data_of("c73", "values.json"):
        for call in (store.get, store.remove, store.history.resolve):
            with pytest.raises(MnemosError):
                call(value)
        store.search(Query(text=value, now=NOON))

    after = snapshot(tmp_path)
    assert {path for path in set(after) - set(before) if not path.startswith("cache/")} <= {
        "vault/.mnemos/writer.lock"
    }
    assert {path: after[path] for path in before} == before
    assert git(vault, "for-each-ref", "--format=%(refname)").split() == [
        "refs/heads/-x",
        "refs/heads/main",
    ]


def test_a_branch_and_a_note_with_the_names_of_options_are_read(
    build: Build, open_vault: OpenStore
) -> None:
    """Case c73."""
    vault = build("c73")
    store = open_vault(vault)
    head = git(vault, "rev-parse", "HEAD").strip()
    note = store.get("--help.md").note

    assert note.body == "A note with an odd name.\n"
    assert [one.subject for one in store.history.log(5, note.path)] == ["Start"]
    assert [one.subject for one in store.history.log(5)] == ["Two", "Start"]
    for name in ("HEAD", "main", "-x", head[:8]):
        assert store.history.resolve(name) == head
    assert store.history.resolve("HEAD~1") == git(vault, "rev-parse", "HEAD~1").strip()
    with pytest.raises(InvalidQueryError):
        store.history.resolve("no-such-branch")
