"""Expired memories are deleted in one commit, and nothing else."""

from datetime import timedelta
from pathlib import Path

from mnemos_files.report.prune import lines, prune
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, git
from tests.report.days import save

ID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
LINE = "expired 2026-12-{day}  [decision] {title}  {id}  {path}"


def some_memories(store: Store, vault: Path, clock: Clock) -> dict[str, str]:
    """Two that expired, one that will, one that only ended, a person's own; lines by title."""
    told = {}
    for title, days in (("Later", 2), ("Sooner", 1), ("Not yet", 9)):
        record = save(store, title=title, content=title, expires=NOON + timedelta(days=days))
        path = store.index.by_id(record.id)[0]
        told[title] = LINE.format(day=f"{days + 1:02}", title=title, id=record.id, path=path)
    save(store, title="Ended", content="x", valid_until=NOON + timedelta(days=1))
    (vault / "own.md").write_text("---\nexpires: 2020-01-01\n---\nMine.\n", encoding="utf-8")
    clock.now = NOON + timedelta(days=3)
    return told


def test_what_expired_is_deleted_in_one_commit_that_lists_it(
    store: Store, vault: Path, clock: Clock
) -> None:
    told = some_memories(store, vault, clock)

    done = prune(store)

    assert [*lines(done)] == [
        told["Sooner"],
        told["Later"],
        f"2 deleted; the git history keeps their texts (commit {done.commit[:10]})",
    ]
    message = git(vault, "log", "-1", "--format=%B").splitlines()
    assert message[:4] == [
        "prune(memory): 2 expired memories",
        "",
        told["Sooner"],
        told["Later"],
    ]
    assert [line for line in message if line.startswith("Mnemos-Id")] == [
        f"Mnemos-Id: {one.id}" for one in done.expired
    ]
    changes = git(vault, "show", "--format=", "--name-status", "HEAD").split("\n")
    assert sorted(changes) == ["", *sorted(f"D\t{one.path}" for one in done.expired)]
    assert (vault / "own.md").exists()


def test_a_dry_run_lists_the_same_and_changes_nothing(
    store: Store, vault: Path, clock: Clock
) -> None:
    told = some_memories(store, vault, clock)
    head = git(vault, "rev-parse", "HEAD")

    done = prune(store, dry_run=True)

    assert [*lines(done)] == [
        told["Sooner"],
        told["Later"],
        "2 would be deleted; the git history keeps their texts",
    ]
    assert git(vault, "rev-parse", "HEAD") == head


def test_a_second_time_there_is_nothing_to_do(store: Store, vault: Path, clock: Clock) -> None:
    some_memories(store, vault, clock)
    prune(store)
    head = git(vault, "rev-parse", "HEAD")

    assert [*lines(prune(store))] == ["nothing has expired"]
    assert git(vault, "rev-parse", "HEAD") == head


def test_a_memory_expires_at_its_very_second(store: Store, clock: Clock) -> None:
    save(store, title="Now", content="x", expires=NOON + timedelta(hours=1))
    clock.now = NOON + timedelta(seconds=3_599)
    before = len(prune(store).expired)
    clock.tick(seconds=1)

    assert (before, len(prune(store).expired)) == (0, 1)


def test_the_edit_of_a_person_is_committed_before_the_end(
    store: Store, vault: Path, clock: Clock
) -> None:
    record = save(store, title="Soon", content="x", expires=NOON + timedelta(days=1))
    path = vault / store.index.by_id(record.id)[0]
    path.write_text(path.read_text(encoding="utf-8") + "\nmine\n", encoding="utf-8")
    clock.tick(days=2)

    prune(store)

    subjects = git(vault, "log", "--format=%s", "-2").splitlines()
    assert subjects == ["prune(memory): 1 expired memory", "edit(decision): Soon"]


def test_a_time_that_a_person_moved_counts(store: Store, vault: Path, clock: Clock) -> None:
    record = save(store, title="Soon", content="x", expires=NOON + timedelta(days=1))
    path = vault / store.index.by_id(record.id)[0]
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("2026-12-02", "2027-12-02"), encoding="utf-8")
    clock.tick(days=2)

    assert prune(store).expired == []


def test_without_a_history_nobody_says_that_it_is_kept(
    tmp_path: Path, open_vault: OpenStore
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    note = f"---\nid: {ID}\ntype: decision\nexpires: 2026-01-01T00:00:00Z\n---\nText.\n"
    (plain / "a.md").write_text(note, encoding="utf-8")

    done = prune(open_vault(plain), dry_run=True)

    assert done.message == "1 would be deleted"
