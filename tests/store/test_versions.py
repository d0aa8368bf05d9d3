"""The versions of a note, looked up by what it is or was called."""

from pathlib import Path

import pytest

from mnemos_files.errors import AmbiguousNameError, NotFoundError, UnavailableError
from mnemos_files.store.store import Store
from tests.conftest import Clock, OpenStore, an_observation, git


def told(store: Store, name: str) -> list[tuple[str, str, str]]:
    """Path, path before and text of each version."""
    return [
        (
            str(one.path),
            str(one.former or ""),
            store.versions.text(one).decode().rpartition("---\n")[2] if one.id else "",
        )
        for one in store.versions.of(name)
    ]


def commit_all(root: Path, message: str = "by hand") -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD").strip()


def test_a_note_has_a_version_for_each_commit_that_changed_it(store: Store, vault: Path) -> None:
    saved = store.put(an_observation(store))
    file = vault / saved.path
    file.write_text(file.read_text() + "More.\n")
    commit_all(vault)
    (vault / "Home.md").write_text("# Other\n")
    commit_all(vault)

    assert told(store, saved.record.id) == [
        (str(saved.path), "", "bcrypt caps its input at 72 bytes.\nMore.\n"),
        (str(saved.path), "", "bcrypt caps its input at 72 bytes.\n"),
    ]
    assert told(store, str(saved.path)) == told(store, saved.record.id)


def test_a_deleted_note_is_found_by_id_path_and_stem(store: Store, vault: Path) -> None:
    saved = store.put(an_observation(store))
    store.remove(saved.record.id)

    expected = [
        (str(saved.path), "", ""),
        (str(saved.path), "", "bcrypt caps its input at 72 bytes.\n"),
    ]
    assert told(store, saved.record.id) == expected
    assert told(store, str(saved.path)) == expected
    assert told(store, saved.path.stem) == expected


def test_a_deleted_note_that_a_person_had_renamed_is_found_by_id(store: Store, vault: Path) -> None:
    saved = store.put(an_observation(store))
    (vault / saved.path).rename(vault / "Passwords.md")
    commit_all(vault)
    (vault / "Passwords.md").unlink()
    commit_all(vault)

    assert told(store, saved.record.id) == [
        ("Passwords.md", "", ""),
        ("Passwords.md", str(saved.path), "bcrypt caps its input at 72 bytes.\n"),
        (str(saved.path), "", "bcrypt caps its input at 72 bytes.\n"),
    ]


def test_an_earlier_path_leads_to_the_note_where_it_is_today(store: Store, vault: Path) -> None:
    saved = store.put(an_observation(store))
    (vault / saved.path).rename(vault / "Passwords.md")
    commit_all(vault)

    assert told(store, str(saved.path)) == told(store, "Passwords.md")
    assert store.versions.subject(str(saved.path)).path == "Passwords.md"


def test_a_rename_that_is_not_committed_keeps_the_history(store: Store, vault: Path) -> None:
    saved = store.put(an_observation(store))
    (vault / saved.path).rename(vault / "Passwords.md")

    assert told(store, "Passwords.md") == [
        (str(saved.path), "", "bcrypt caps its input at 72 bytes.\n")
    ]


def test_a_version_is_found_by_short_id_commit_and_revision(
    store: Store, vault: Path, clock: Clock
) -> None:
    saved = store.put(an_observation(store))
    first = store.versions.of(saved.record.id)[0]
    file = vault / saved.path
    file.write_text(file.read_text() + "More.\n")
    commit = commit_all(vault)
    second = store.versions.of(saved.record.id)[0]

    find = store.versions.find
    assert find(saved.record.id, first.id[:7]) == first
    assert find(saved.record.id, second.id) == second
    assert find(saved.record.id, commit[:8]) == second
    assert find(saved.record.id, "HEAD") == second
    assert find(saved.record.id, "HEAD~1") == first
    with pytest.raises(NotFoundError, match="0000000"):
        find(saved.record.id, "0000000")
    with pytest.raises(NotFoundError):
        find(saved.record.id, "HEAD~2")


def test_what_was_never_there_is_not_found(store: Store) -> None:
    store.put(an_observation(store))

    with pytest.raises(NotFoundError):
        store.versions.of("01KBC3W6H5M0V2T8N4Q9F7K3QX")
    with pytest.raises(NotFoundError):
        store.versions.of("never.md")


def test_a_vault_without_history_says_so(tmp_path: Path, open_vault: OpenStore) -> None:
    root = tmp_path / "bare"
    root.mkdir()
    (root / "note.md").write_text("text\n")

    with pytest.raises(UnavailableError, match="no git history"):
        open_vault(root).versions.of("note.md")


def test_two_deleted_notes_of_one_name_are_ambiguous(store: Store, vault: Path) -> None:
    for folder in ("a", "b"):
        (vault / folder).mkdir()
        (vault / folder / "Plan.md").write_text(f"plan of {folder}\n")
    commit_all(vault)
    for folder in ("a", "b"):
        (vault / folder / "Plan.md").unlink()
    commit_all(vault)

    with pytest.raises(AmbiguousNameError):
        store.versions.of("Plan")
    assert told(store, "a/Plan.md") == [("a/Plan.md", "", ""), ("a/Plan.md", "", "plan of a\n")]


def test_commits_are_read_ahead_and_forgotten_with_the_index(
    store: Store, vault: Path, tmp_path: Path, open_vault: OpenStore
) -> None:
    for number in range(60):
        git(vault, "commit", "-q", "--allow-empty", "-m", f"{number}")
    plain = tmp_path / "plain"
    plain.mkdir()

    assert store.batch.idle() > 0
    assert len(list(tmp_path.glob("cache/*/trail"))) == 1
    store.rebuild()
    assert list(tmp_path.glob("cache/*/trail")) == []
    assert open_vault(plain).versions.prepare() > 0
    open_vault(plain).rebuild()
