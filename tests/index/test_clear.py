"""Forgetting the index."""

from pathlib import Path

from mnemos_files.model.note import Stamp
from mnemos_files.model.query import Query
from mnemos_files.store.store import Store
from tests.conftest import NOON, OpenStore


def test_a_cleared_index_is_empty_for_every_process_and_fills_again(
    vault: Path, open_vault: OpenStore
) -> None:
    one, two = open_vault(vault), open_vault(vault)
    one.finish()
    one.index.flush()
    two.refresh()

    one.index.clear()
    two.index.reload()

    assert len(one.index.entries) == len(two.index.entries) == 0
    one.finish()
    assert [str(f.hit.entry.path) for f in one.search(Query(text="home", now=NOON)).found] == [
        "Home.md"
    ]


def test_moved_names_new_and_touched_files_only(store: Store) -> None:
    store.finish()
    stamp = store.index.entries["Home.md"].stamp

    assert store.index.moved({"Home.md": stamp}) == []
    assert store.index.moved({"Home.md": Stamp(1, 2, 3), "new.md": stamp}) == ["Home.md", "new.md"]
