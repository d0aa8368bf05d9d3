"""Saving: one file, one commit, nothing of anybody else's."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mnemos_files.errors import NotFoundError, RefusedError
from mnemos_files.store.store import Store
from tests.conftest import Clock, OpenStore, an_observation, git


def test_a_save_is_one_file_and_one_commit_with_trailers(store: Store, vault: Path) -> None:
    before = int(git(vault, "rev-list", "--count", "HEAD"))
    store.put(an_observation(store))
    before += 2  # the first write adds the settings of the vault in a commit of its own

    saved = store.put(an_observation(store, content="Another one.", project="api"))

    assert int(git(vault, "rev-list", "--count", "HEAD")) == before + 1
    assert str(saved.path).startswith("observations/api/2026-12-01-use-argon2id-for-password-h")
    assert git(vault, "show", "--format=%s", "--name-only", "HEAD").split("\n\n") == [
        "save(decision): Use Argon2id for password hashing",
        f"{saved.path}\n",
    ]
    trailers = git(vault, "log", "-1", "--format=%(trailers)")
    assert f"Mnemos-Id: {saved.record.id}\n" in trailers
    assert "Mnemos-Op: save\n" in trailers
    assert "Mnemos-Agent: claude-code\n" in trailers
    assert git(vault, "log", "-1", "--format=%an|%cn").strip() == "claude-code|Ines Example"
    assert git(vault, "status", "--porcelain") == ""


def test_a_save_leaves_staged_and_unstaged_work_of_the_person_alone(
    store: Store, vault: Path
) -> None:
    store.put(an_observation(store))
    (vault / "staged.md").write_text("staged\n", encoding="utf-8")
    git(vault, "add", "staged.md")
    (vault / "Home.md").write_text("# Home\n\nhalf a thought", encoding="utf-8")
    (vault / "draft.md").write_text("mine", encoding="utf-8")
    before = git(vault, "status", "--porcelain")

    store.put(an_observation(store, content="Another one."))

    assert git(vault, "status", "--porcelain") == before
    assert git(vault, "show", "--name-only", "--format=", "HEAD").count("\n") == 1


def test_saving_the_same_again_gives_the_first_record(store: Store, clock: Clock) -> None:
    first = store.put(an_observation(store, tags=("a",)))
    clock.tick(days=2)

    again = store.put(an_observation(store, tags=("b",), importance=9))

    assert again.is_new is False
    assert again.record.id == first.record.id
    assert again.receipt.commit == ""


def test_saving_the_same_in_another_project_is_a_new_record(store: Store) -> None:
    first = store.put(an_observation(store, project="api"))

    other = store.put(an_observation(store, project="web"))

    assert other.is_new
    assert other.record.id != first.record.id


def test_saving_a_superseded_thought_again_is_a_new_record(store: Store) -> None:
    old = store.put(an_observation(store))
    store.put(an_observation(store, content="The new one."), supersedes=[old.record.id])

    again = store.put(an_observation(store))

    assert again.is_new


@pytest.mark.parametrize("how", ["deleted", "edited"])
def test_a_record_that_went_while_nobody_looked_is_no_duplicate(
    store: Store, vault: Path, open_vault: OpenStore, how: str
) -> None:
    first = store.put(an_observation(store))
    store.finish()
    store.close()
    file = vault / first.path
    if how == "deleted":
        file.unlink()
    else:
        file.write_text(file.read_text("utf-8").replace("72 bytes", "72 bits"), "utf-8")
    git(vault, "commit", "-qam", "meanwhile")
    behind = open_vault(vault)

    again = behind.put(an_observation(behind))

    assert (again.is_new, again.record.id != first.record.id) == (True, True)
    assert "72 bytes" in (vault / again.path).read_text("utf-8")


def test_superseding_changes_two_files_in_one_commit(
    store: Store, vault: Path, clock: Clock
) -> None:
    old = store.put(an_observation(store, title="Use bcrypt"))
    clock.tick(days=30)

    new = store.put(
        an_observation(store, sections=(("rationale", "A pentest."),)),
        supersedes=[old.record.id],
    )

    assert sorted(git(vault, "show", "--name-only", "--format=", "HEAD").split()) == sorted(
        [str(old.path), str(new.path)]
    )
    assert f'supersedes:\n  - "[[{old.path.stem}]]"' in (vault / new.path).read_text("utf-8")
    ended = (vault / old.path).read_text("utf-8")
    assert "invalidated: 2026-12-31T12:00:00Z\n" in ended
    assert f'invalidated_by: "[[{new.path.stem}]]"\n' in ended
    assert "valid_until: 2026-12-31T12:00:00Z\n" in ended
    assert "\n\nA pentest.\n\n" in git(vault, "log", "-1", "--format=%B")


def test_superseding_what_is_not_there_saves_nothing(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    before = git(vault, "rev-parse", "HEAD")

    with pytest.raises(NotFoundError):
        store.put(an_observation(store, content="New."), supersedes=["01KBC3W6H5M0V2T8N4Q9F7K3QX"])

    assert git(vault, "rev-parse", "HEAD") == before
    assert git(vault, "status", "--porcelain") == ""


def test_a_person_s_own_note_cannot_be_superseded(store: Store, vault: Path) -> None:
    with pytest.raises(RefusedError):
        store.put(an_observation(store), supersedes=["Home.md"])

    assert (vault / "Home.md").read_text("utf-8") == "# Home\n"


def test_an_uncommitted_edit_is_committed_in_the_person_s_name_first(
    store: Store, vault: Path
) -> None:
    old = store.put(an_observation(store))
    file = vault / old.path
    file.write_text(file.read_text("utf-8") + "\nA person's line.\n", encoding="utf-8")

    store.put(an_observation(store, content="New."), supersedes=[old.record.id])

    assert git(vault, "log", "-2", "--format=%an|%s").splitlines() == [
        "claude-code|save(decision): Use Argon2id for password hashing",
        "Ines Example|edit(decision): Use Argon2id for password hashing",
    ]
    assert "A person's line." in git(vault, "show", f"HEAD~1:{old.path}")
    assert "A person's line." in git(vault, "show", f"HEAD:{old.path}")


def test_with_adopt_edits_never_a_write_over_an_edit_is_refused(
    vault: Path, open_vault: OpenStore
) -> None:
    (vault / ".mnemos").mkdir()
    (vault / ".mnemos/config.toml").write_text('[git]\nadopt_edits = "never"\n', encoding="utf-8")
    store = open_vault(vault)
    old = store.put(an_observation(store))
    file = vault / old.path
    edited = file.read_text("utf-8") + "\nA person's line.\n"
    file.write_text(edited, encoding="utf-8")

    with pytest.raises(Exception, match="has an edit that is not committed"):
        store.put(an_observation(store, content="New."), supersedes=[old.record.id])

    assert file.read_text("utf-8") == edited


def test_the_first_save_into_a_plain_folder_makes_a_repository(
    tmp_path: Path, open_vault: OpenStore
) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    (root / "mine.md").write_text("mine\n", encoding="utf-8")
    store = open_vault(root)
    assert not (root / ".git").exists()

    store.put(an_observation(store))

    assert (root / ".mnemos/config.toml").exists()
    assert git(root, "status", "--porcelain") == "?? mine.md\n"
    assert git(root, "rev-list", "--count", "HEAD").strip() == "2"


def test_saves_from_many_threads_are_all_kept(store: Store, vault: Path) -> None:
    store.put(an_observation(store))
    before = int(git(vault, "rev-list", "--count", "HEAD"))
    records = [an_observation(store, title=f"Fact {n}", content=f"Body {n}") for n in range(60)]

    with ThreadPoolExecutor(20) as pool:
        saved = list(pool.map(store.put, records))

    assert all(each.receipt.commit for each in saved)
    assert len({each.receipt.commit for each in saved}) == 60
    assert int(git(vault, "rev-list", "--count", "HEAD")) == before + 60
    assert all((vault / each.path).exists() for each in saved)
    assert git(vault, "status", "--porcelain") == ""
    assert "error" not in git(vault, "fsck", "--strict")


def test_commits_name_the_client_where_a_call_names_no_agent(store: Store, vault: Path) -> None:
    client = store.acting_for("claude-code")

    first = client.put(an_observation(store, agent="default"))
    client.put(an_observation(store, content="Other.", agent="reviewer"))
    client.remove(first.record.id)

    assert git(vault, "log", "-3", "--format=%an").split() == [
        "claude-code",
        "reviewer",
        "claude-code",
    ]
    assert first.record.agent == "default"
