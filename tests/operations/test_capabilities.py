"""The capabilities document says what works at this moment."""

import shutil
from pathlib import Path

import pytest

from mnemos_files.index.embedder import MODEL_FOLDER, StaticEmbedder
from mnemos_files.model.query import Query
from mnemos_files.operations.capabilities import capabilities
from mnemos_files.operations.schema import to_json
from mnemos_files.store.store import Store
from tests.conftest import OpenStore, an_observation


def asked(store: Store, text: str) -> tuple[str, list[str]]:
    """How a question is answered, and with which notes."""
    answer = store.search(Query(text=text, now=store.now()))
    return answer.ranking.mode, [str(found.hit.entry.path) for found in answer.found]


def test_a_vault_with_history_and_model_has_every_tier_but_federation(store: Store):
    store.put(an_observation(store))

    document = to_json(capabilities(store))

    assert {key: document[key] for key in document if not key.startswith("x_")} == {
        "spec": "mcp-memory-spec/draft-0",
        "implementation": "mnemos-files",
        "tiers": ["memory-core", "provenance", "embeddings"],
        "bitemporal": True,
        "provenance": True,
        "trust_tiers": True,
        "typed_links": True,
        "deterministic_dedup": True,
        "hybrid_retrieval": True,
        "portable_export": True,
        "federation": False,
    }
    assert document["x_retrieval_mode"] == "hybrid"
    assert document["x_history"] == "on"


def test_a_folder_without_history_does_not_answer_for_earlier_times(
    tmp_path: Path, open_vault: OpenStore
):
    folder = tmp_path / "plain"
    folder.mkdir()
    empty = capabilities(open_vault(folder))
    (folder / "note.md").write_text("the tide turns at nine\n", encoding="utf-8")
    store = open_vault(folder)
    store.refresh()

    with_notes = capabilities(store)

    assert (empty.bitemporal, empty.x_history) == (True, "off")
    assert (with_notes.bitemporal, with_notes.x_history) == (False, "off")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A copy of the packaged model."""
    return Path(shutil.copytree(MODEL_FOLDER, tmp_path / "model"))


def _state(store: Store) -> tuple[object, ...]:
    found = capabilities(store)
    said = ("embeddings" in found.tiers, found.hybrid_retrieval, found.x_retrieval_mode)
    return (*said, asked(store, "copper")[0], store.index.notices)


def test_the_embeddings_go_with_the_model_and_come_back_with_it(
    vault: Path, model: Path, open_vault: OpenStore
):
    store = open_vault(vault, embedder=StaticEmbedder(model))
    store.put(an_observation(store, title="Copper pans", content="They conduct heat."))
    elsewhere = model.with_name("away")

    states = [_state(store)]
    model.rename(elsewhere)
    states.append(_state(store))
    elsewhere.rename(model)
    states.append(_state(store))

    away = "search uses words only: the files of the embedding model are missing"
    assert states == [
        (True, True, "hybrid", "hybrid", []),
        (False, False, "fts", "fts", [away]),
        (True, True, "hybrid", "hybrid", []),
    ]


def test_notes_that_came_without_the_model_are_found_by_meaning_when_it_is_back(
    vault: Path, model: Path, open_vault: OpenStore
):
    store = open_vault(vault, embedder=StaticEmbedder(model))
    store.refresh()
    before = store.index.vectors()
    model.rename(model.with_name("away"))
    saved = store.put(an_observation(store, title="Copper pans", content="They conduct heat."))
    (vault / "edited.md").write_text("# Kettles\n\nThey boil water.\n", encoding="utf-8")
    store.refresh()
    while_away = store.index.vectors()

    model.with_name("away").rename(model)
    mode, paths = asked(store, "pots for cooking made of copper")

    assert while_away == before
    assert mode == "hybrid"
    assert str(saved.path) in paths
    assert store.index.vectors() == before + 2


def test_a_copy_of_the_folder_is_an_export_that_loses_nothing(
    vault: Path, tmp_path: Path, open_vault: OpenStore
):
    store = open_vault(vault)
    first = store.put(an_observation(store, tags=("a", "b"), importance=9, project="api"))
    store.put(
        an_observation(
            store,
            title="Use scrypt",
            content="Argon2id is not there.",
            source_kind="tool",
            trust_tier="raw",
            derived_from=(first.record.id,),
            valid_until=store.now().replace(year=2030),
        ),
        supersedes=[first.record.id],
    )
    copy = tmp_path / "copy"
    shutil.copytree(vault, copy, ignore=shutil.ignore_patterns(".git"))

    other = open_vault(copy)
    other.refresh()
    store.refresh()

    assert _records(other) == _records(store)


def _records(store: Store) -> dict[str, object]:
    return {path: store.get(path).note.record for path in sorted(store.index.entries)}
