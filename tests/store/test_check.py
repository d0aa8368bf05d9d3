"""All problems of a vault."""

import os
from pathlib import Path

import pytest

from mnemos_files.store.place import read_settings
from mnemos_files.store.store import Store
from tests.conftest import an_observation


def rules(store: Store) -> list[tuple[str, str]]:
    return [(problem.path, problem.rule) for problem in store.problems()]


def test_a_clean_vault_has_no_problems(store: Store) -> None:
    store.put(an_observation(store))

    assert rules(store) == []


def test_an_unknown_setting_is_told(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    config = vault / ".mnemos/config.toml"
    config.write_text(config.read_text("utf-8") + "\n[serch]\nfloor = 0.1\n", encoding="utf-8")

    assert read_settings(vault).unknown == ("[serch] floor",)


def test_a_copied_memory_is_told_by_its_id(store: Store, vault: Path) -> None:
    saved = store.put(an_observation(store))
    copy = vault / "copy.md"
    copy.write_bytes((vault / saved.path).read_bytes())

    assert ("duplicate-id") in [rule for _, rule in rules(store)]


def test_a_link_that_fits_two_notes_is_told(store: Store, vault: Path) -> None:
    for folder in ("home", "work"):
        (vault / folder).mkdir()
        (vault / folder / "Plan.md").write_text("a plan\n", encoding="utf-8")
    saved = store.put(an_observation(store, related=("Plan",)))

    assert (str(saved.path), "ambiguous-link") in rules(store)


def test_a_numbered_twin_is_told_and_a_second_chapter_is_not(store: Store, vault: Path) -> None:
    text = "The ladder stands behind the shed. Paint it in May.\n" * 5
    (vault / "House.md").write_text(text, encoding="utf-8")
    (vault / "House 2.md").write_text(text + "One more.\n", encoding="utf-8")
    (vault / "Chapter.md").write_text("It was a dark night.\n", encoding="utf-8")
    (vault / "Chapter 2.md").write_text("Zwölf Boxkämpfer jagen Viktor\n", encoding="utf-8")

    assert rules(store) == [("House 2.md", "possible-copy")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_note_that_may_not_be_read_is_told(store: Store, vault: Path) -> None:
    (vault / "locked.md").write_text("a secret\n", encoding="utf-8")
    (vault / "locked.md").chmod(0)

    assert rules(store) == [("locked.md", "unreadable")]
