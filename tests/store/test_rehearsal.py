"""What is done in a rehearsal is what would be done, and leaves the vault as it is."""

from pathlib import Path

import pytest

from mnemos_files.errors import RefusedError
from mnemos_files.store.edits import Add, Work
from mnemos_files.store.rehearsal import rehearsal
from tests.conftest import NOON, OpenStore, WordEmbedder, an_observation, git


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_commit_of_the_copy_is_that_of_the_vault_later(open_vault: OpenStore, vault: Path):
    store = open_vault(vault)
    store.put(an_observation(store))
    work = Work("tidy", "tidy(memory): one", [Add(an_observation(store, title="New"))])
    before = everything(vault)

    with rehearsal(store, NOON, WordEmbedder()) as copy:
        receipt = copy.edits.commit(work)
        assert copy.history is not None
        planned = copy.history.patch(receipt.commit)

    assert everything(vault) == before
    made = store.edits.commit(work)
    assert made.commit
    assert planned == git(vault, "diff", "HEAD~1", "HEAD")
    assert planned.startswith("diff --git a/observations/global/")


@pytest.mark.parametrize("inside", ["", "docs/memory"])
def test_edits_and_rules_around_the_vault_count_in_the_copy(
    open_vault: OpenStore, vault: Path, inside: str
):
    root = vault / inside
    root.mkdir(parents=True, exist_ok=True)
    (vault / ".gitattributes").write_text("*.md text eol=crlf\n")
    (vault / "program.py").write_text("print()\n")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "rules")
    store = open_vault(root)
    (root / "Own.md").write_text("a note of mine\n")

    with rehearsal(store, NOON, WordEmbedder()) as copy:
        assert copy.index.entry("Own.md") is not None
        receipt = copy.edits.commit(Work("tidy", "tidy(memory): one", [Add(an_observation(copy))]))
        assert copy.history is not None
        assert copy.history.patch(receipt.commit).count("diff --git") == 1
        assert not (copy.place.vault.root / "program.py").exists()

    assert git(vault, "log", "--oneline").count("\n") == 2


def test_a_vault_without_history_is_rehearsed_too(open_vault: OpenStore, tmp_path: Path):
    bare = tmp_path / "bare"
    bare.mkdir()
    store = open_vault(bare)

    with rehearsal(store, NOON, WordEmbedder()) as copy:
        copy.put(an_observation(copy))
        assert copy.history is not None

    assert list(bare.iterdir()) == []


def test_in_the_middle_of_a_merge_it_is_refused_as_the_write_would_be(
    open_vault: OpenStore, vault: Path
):
    store = open_vault(vault)
    (vault / ".git/MERGE_HEAD").write_text(git(vault, "rev-parse", "HEAD"))

    with (
        pytest.raises(RefusedError, match="merge"),
        rehearsal(store, NOON, WordEmbedder()),
    ):
        pytest.fail("a copy was made")
