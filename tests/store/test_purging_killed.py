"""A purge that was cut short lets nothing bring the text back, and is finished whole."""

import pytest

from mnemos_files.errors import RefusedError, UnavailableError
from mnemos_files.history.rewriting import Rewriting
from mnemos_files.store.purging import finish
from mnemos_files.store.store import Store
from tests.conftest import an_observation, git
from tests.store.forgetting import WORD, holders, purge, remembered


@pytest.fixture
def record_id(store: Store) -> str:
    return remembered(store)


def test_a_purge_that_was_cut_short_is_finished(
    store: Store, record_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Rewriting, "_settle", cut)
        with pytest.raises(KeyboardInterrupt):
            purge(store, record_id)
    assert any("cut short" in notice for notice in store.notices())

    assert finish(store)

    assert holders(store, WORD) == []
    assert git(store.place.vault.root, "status", "--porcelain") == ""
    assert not finish(store)


def cut_short(store: Store, record_id: str, monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Rewriting, at, cut)
        with pytest.raises(KeyboardInterrupt):
            purge(store, record_id)


@pytest.mark.parametrize("at", ["_transact", "_settle"])
def test_nothing_is_written_before_a_purge_that_was_cut_short_is_finished(
    store: Store, record_id: str, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    cut_short(store, record_id, monkeypatch, at)
    head = git(store.place.vault.root, "rev-parse", "HEAD")

    with pytest.raises(RefusedError, match="purge --finish"):
        store.put(an_observation(store, title="Meanwhile"))
    with pytest.raises(RefusedError, match="purge --finish"):
        purge(store, record_id)

    assert git(store.place.vault.root, "rev-parse", "HEAD") == head
    assert finish(store) is (at == "_settle")
    assert "mnemos-purge" not in git(store.place.vault.root, "for-each-ref")
    store.put(an_observation(store, title="Afterwards"))
    assert bool(holders(store, WORD)) is (at == "_transact")


def test_a_commit_of_a_person_before_the_finish_is_no_hindrance(
    store: Store, record_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_short(store, record_id, monkeypatch, "_settle")
    root = store.place.vault.root
    (root / "new.md").write_text("New\n", encoding="utf-8")
    git(root, "reset", "-q")
    git(root, "add", "new.md")
    git(root, "commit", "-qm", "meanwhile")

    assert finish(store)

    assert holders(store, WORD) == []
    assert git(root, "status", "--porcelain") == ""


def test_an_edit_of_a_person_is_not_lost_by_the_finish(
    store: Store, record_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_short(store, record_id, monkeypatch, "_settle")
    root = store.place.vault.root
    (root / "mine.md").write_text("Half a thought", encoding="utf-8")

    with pytest.raises(RefusedError, match=r"mine\.md: edited since"):
        finish(store)

    assert (root / "mine.md").read_text(encoding="utf-8") == "Half a thought"
    git(root, "checkout", "HEAD", "--", "mine.md")
    assert finish(store)
    assert holders(store, WORD) == []


def test_a_text_that_was_committed_again_before_the_finish_is_told(
    store: Store, record_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_short(store, record_id, monkeypatch, "_settle")
    git(store.place.vault.root, "add", "-A")
    git(store.place.vault.root, "commit", "-qm", "all of it")

    with pytest.raises(UnavailableError, match="objects still hold it"):
        finish(store)
