"""Searching: never stale, filters, time."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemos_files.model.query import Query
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, an_observation, git


def titles(store: Store, text: str, **options: object) -> list[str]:
    answer = store.search(Query(text=text, now=store.now(), **options))
    return [found.hit.entry.record.title for found in answer.found]


def test_a_save_is_found_by_the_next_search(store: Store) -> None:
    store.put(an_observation(store))

    assert titles(store, "argon2id") == ["Use Argon2id for password hashing"]


def test_an_edit_on_disk_is_found_by_the_next_search(store: Store, vault: Path) -> None:
    titles(store, "anything")
    (vault / "kettle.md").write_text("The kettle whistles at dawn.\n", encoding="utf-8")

    assert titles(store, "kettle whistles") == ["kettle"]

    (vault / "kettle.md").write_text("The toaster hums.\n", encoding="utf-8")
    assert titles(store, "whistles") == []
    assert titles(store, "toaster hums") == ["kettle"]


def test_a_removed_and_a_renamed_file_are_told_by_the_next_search(
    store: Store, vault: Path
) -> None:
    (vault / "a").mkdir()
    (vault / "a/kettle.md").write_text("The kettle whistles.\n", encoding="utf-8")
    assert titles(store, "kettle") == ["kettle"]

    shutil.move(vault / "a", vault / "b")
    answer = store.search(Query(text="kettle", now=NOON))
    assert [str(found.hit.entry.path) for found in answer.found] == ["b/kettle.md"]

    (vault / "b/kettle.md").unlink()
    assert titles(store, "kettle") == []


def test_a_branch_switch_is_told_by_the_next_search(store: Store, vault: Path) -> None:
    git(vault, "checkout", "-q", "-b", "other")
    (vault / "kettle.md").write_text("The kettle whistles.\n", encoding="utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "kettle")
    assert titles(store, "kettle") == ["kettle"]

    git(vault, "checkout", "-q", "main")
    assert titles(store, "kettle") == []

    git(vault, "checkout", "-q", "other")
    assert titles(store, "kettle") == ["kettle"]


def test_edits_while_no_server_ran_are_told_after_a_start(
    vault: Path, open_vault: OpenStore
) -> None:
    (vault / "copper.md").write_text("copper\n", encoding="utf-8")
    (vault / "tin.md").write_text("old tin\n", encoding="utf-8")
    first = open_vault(vault)
    assert titles(first, "copper") == ["copper"]
    first.close()

    (vault / "copper.md").unlink()
    (vault / "tin.md").write_text("new solder\n", encoding="utf-8")
    second = open_vault(vault)

    assert titles(second, "copper") == []
    assert titles(second, "solder") == ["tin"]
    assert titles(second, "old") == []


def test_a_burst_of_files_is_told_or_announced(vault: Path, open_vault: OpenStore) -> None:
    store = open_vault(vault)
    titles(store, "anything")
    for number in range(1000):
        (vault / f"{number}.md").write_text(f"burst word{number}\n", encoding="utf-8")

    answer = store.search(Query(text="word999", now=NOON))

    assert answer.pending > 0 or [f.hit.entry.record.title for f in answer.found] == ["999"]
    store.finish()
    assert titles(store, "word999") == ["999"]


def test_superseded_records_are_left_out_unless_asked_for(store: Store) -> None:
    old = store.put(an_observation(store, title="Old way"))
    store.put(
        an_observation(store, title="New way", content="bcrypt is replaced"),
        supersedes=[old.record.id],
    )

    assert titles(store, "bcrypt") == ["New way"]
    assert set(titles(store, "bcrypt", include_stale=True)) == {"New way", "Old way"}


def test_raw_records_are_left_out_unless_asked_for(store: Store) -> None:
    store.put(an_observation(store, source_kind="tool", trust_tier="raw"))

    assert titles(store, "argon2id") == []
    assert titles(store, "argon2id", include_raw=True) == ["Use Argon2id for password hashing"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"type": "convention"}, ["C"]),
        ({"tags": ("red", "Blue")}, ["B"]),
        ({"min_importance": 8}, ["C"]),
        ({"agent": "codex"}, ["B"]),
        ({"project": "api"}, ["A", "B"]),
        ({"project": "web"}, ["B", "C"]),
    ],
)
def test_filters(store: Store, filters: dict[str, object], expected: list[str]) -> None:
    store.put(an_observation(store, title="A", content="sail one", project="api"))
    store.put(
        an_observation(store, title="B", content="sail two", tags=("red", "blue"), agent="codex")
    )
    store.put(
        an_observation(
            store, title="C", content="sail", type="convention", importance=9, project="web"
        )
    )

    assert sorted(titles(store, "sail", **filters)) == expected


def test_as_of_gives_the_text_of_that_time(store: Store, vault: Path, clock: Clock) -> None:
    old = store.put(an_observation(store, title="Port", content="The port is 8080."))
    clock.tick(days=10)
    store.put(
        an_observation(store, title="Port", content="The port is 9090."),
        supersedes=[old.record.id],
    )
    clock.tick(days=10)

    then = store.search(Query(text="which port", now=clock.now, as_of=NOON.replace(day=5)))
    today = store.search(Query(text="which port", now=clock.now))
    before = store.search(
        Query(text="which port", now=clock.now, as_of=datetime(2020, 1, 1, tzinfo=UTC))
    )

    assert [found.snippet for found in then.found] == ["The port is 8080."]
    assert then.found[0].hit.entry.record.invalidated is None
    assert [found.snippet for found in today.found] == ["The port is 9090."]
    assert before.found == ()


def test_two_stores_on_one_vault_see_each_other(vault: Path, open_vault: OpenStore) -> None:
    one, two = open_vault(vault), open_vault(vault)
    one.put(an_observation(one, title="From one"))
    assert titles(two, "argon2id bcrypt") == ["From one"]

    again = two.put(an_observation(two, title="From one"))

    assert again.is_new is False
