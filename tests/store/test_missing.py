"""A folder that is suddenly empty is not a wish to forget."""

import shutil
from pathlib import Path

import pytest

from mnemos_files.errors import MnemosError
from mnemos_files.model.query import Query
from mnemos_files.store.store import Store
from tests.conftest import NOON, OpenStore, WordEmbedder, an_observation, git


class CountingEmbedder(WordEmbedder):
    """Tells how many texts were embedded."""

    def __init__(self) -> None:
        self.count = 0

    def encode(self, texts: list[str]):
        self.count += len(texts)
        return super().encode(texts)


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def full(vault: Path, open_vault: OpenStore, embedder: CountingEmbedder) -> Store:
    for number in range(29):
        (vault / f"{number}.md").write_text(f"harbour word{number}\n", encoding="utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "notes")
    store = open_vault(vault, embedder=embedder)
    store.finish()
    return store


def test_an_unmounted_vault_is_told_and_nothing_is_written(
    full: Store, vault: Path, tmp_path: Path, embedder: CountingEmbedder
) -> None:
    shutil.move(vault, tmp_path / "away")
    vault.mkdir()

    with pytest.raises(MnemosError):
        full.put(an_observation(full))
    assert list(vault.iterdir()) == []

    vault.rmdir()
    shutil.move(tmp_path / "away", vault)
    embedded = embedder.count
    assert len(full.search(Query(text="word7", now=NOON)).found) == 1
    assert embedder.count == embedded
    assert full.notices() == ()


def test_a_vault_that_is_mounted_anew_is_found_again(
    full: Store, vault: Path, tmp_path: Path
) -> None:
    shutil.copytree(vault, tmp_path / "copy", symlinks=True)
    shutil.rmtree(vault)
    vault.mkdir()
    answer = full.search(Query(text="word7", now=NOON))
    assert "30 of 30 notes are missing from the vault's folder" in answer.notices

    vault.rmdir()
    shutil.move(tmp_path / "copy", vault)

    assert len(full.search(Query(text="word7", now=NOON)).found) == 1
    assert full.put(an_observation(full)).receipt.commit


def test_most_notes_gone_is_told_and_no_deletion_is_taken_over(full: Store, vault: Path) -> None:
    for number in range(25):
        (vault / f"{number}.md").unlink()
    before = git(vault, "rev-parse", "HEAD")

    answer = full.search(Query(text="word27", now=NOON))

    assert "25 of 30 notes are missing from the vault's folder" in answer.notices
    with pytest.raises(MnemosError, match="25 of 30 notes are missing"):
        full.put(an_observation(full))
    assert git(vault, "rev-parse", "HEAD") == before

    git(vault, "checkout", "-q", "--", ".")
    assert len(full.search(Query(text="word3", now=NOON)).found) == 1
    assert full.notices() == ()


def test_a_few_deleted_notes_are_deleted(full: Store, vault: Path) -> None:
    for number in range(3):
        (vault / f"{number}.md").unlink()

    assert full.search(Query(text="word1", now=NOON)).found == ()
    assert full.notices() == ()


def test_a_committed_mass_deletion_is_believed(full: Store, vault: Path) -> None:
    git(vault, "rm", "-q", *(f"{number}.md" for number in range(25)))
    git(vault, "commit", "-q", "-m", "clean up")

    assert full.search(Query(text="word3", now=NOON)).found == ()
    assert full.notices() == ()


def test_a_mass_deletion_can_be_accepted(full: Store, vault: Path) -> None:
    for number in range(25):
        (vault / f"{number}.md").unlink()
    full.refresh()

    full.accept_missing()

    assert full.notices() == ()
    assert len(full.index.entries) == 5
    assert full.put(an_observation(full)).receipt.commit
