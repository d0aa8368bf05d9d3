"""Questions as people and agents ask them, with the model of the package."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mnemos_files.index.embedder import StaticEmbedder
from mnemos_files.model.query import Query
from mnemos_files.store.open import open_store
from mnemos_files.store.store import Store
from mnemos_files.store.values import Answer
from tests.cases.conftest import Build
from tests.cases.inputs import data_of, folder_of
from tests.conftest import NOON, OpenStore, WordEmbedder

QUERIES = data_of("c47", "queries.json")
QUESTIONS = data_of("c49", "queries.json")
WITH_ANSWER = [row for row in QUESTIONS if row["want"]]
WITHOUT_ANSWER = [row["q"] for row in QUESTIONS if not row["want"]]


def ask(store: Store, text: str) -> Answer:
    return store.search(Query(text=text, now=NOON))


def stems(answer: Answer) -> list[str]:
    return [one.hit.entry.path.stem for one in answer.found]


def opened(case: str, cache: Path, embedder: StaticEmbedder) -> Store:
    vault = folder_of(case) / "vault"  # only read from
    store = open_store(vault, cache_folder=cache, clock=lambda: NOON, embedder=embedder)
    store.finish()
    return store


@pytest.fixture(scope="module")
def code_notes(
    tmp_path_factory: pytest.TempPathFactory, static_embedder: StaticEmbedder
) -> Iterator[Store]:
    store = opened("c47", tmp_path_factory.mktemp("cache"), static_embedder)
    yield store
    store.close()


@pytest.fixture(scope="module")
def household(
    tmp_path_factory: pytest.TempPathFactory, static_embedder: StaticEmbedder
) -> Iterator[Store]:
    store = opened("c49", tmp_path_factory.mktemp("cache"), static_embedder)
    yield store
    store.close()


@pytest.mark.parametrize("row", QUERIES, ids=[row["q"] or "empty" for row in QUERIES])
def test_punctuation_in_a_query_is_text(code_notes: Store, row: dict) -> None:
    """Case c47."""
    names = stems(ask(code_notes, row["q"]))

    assert len(names) < 8
    if row["want"]:
        assert row["want"] in names[:3]
    assert row.get("never", "") not in names[:3]


@pytest.mark.parametrize("row", WITH_ANSWER, ids=[row["q"] for row in WITH_ANSWER])
def test_a_question_with_an_answer_has_it_first(household: Store, row: dict) -> None:
    """Case c49."""
    assert stems(ask(household, row["q"]))[:1] == [row["want"]]


@pytest.mark.parametrize("question", WITHOUT_ANSWER)
def test_a_question_without_an_answer_has_none(household: Store, question: str) -> None:
    """Case c49."""
    answer = ask(household, question)

    assert stems(answer) == []
    assert answer.ranking.best_below_floor is not None


def test_the_worst_answer_scores_above_the_best_of_what_does_not_fit(household: Store) -> None:
    """Case c49, outcome 4."""
    fitting = [ask(household, row["q"]).found[0].hit.score for row in WITH_ANSWER]
    misfits = [ask(household, question).ranking.best_below_floor for question in WITHOUT_ANSWER]

    assert max(misfits) < min(fitting)


@pytest.mark.parametrize("row", WITH_ANSWER, ids=[row["q"] for row in WITH_ANSWER])
def test_more_words_do_not_push_the_answer_out(household: Store, row: dict) -> None:
    """Case c49, outcome 3."""
    longer = f"{row['q']} and please tell me more about it, thank you very much, it is urgent"

    assert row["want"] in stems(ask(household, longer))[:5]


class SwappedEmbedder(WordEmbedder):
    """Another model: its vectors have the same size and say something else."""

    identity = "other-static-256"

    def sum_pieces(self, texts: list[str]) -> np.ndarray:
        return np.roll(super().sum_pieces(texts), 7, axis=1)


class HalfEmbedder(WordEmbedder):
    """The same model with vectors of half the size."""

    dims = 512


@pytest.mark.parametrize("other", [SwappedEmbedder, HalfEmbedder])
def test_vectors_of_another_model_are_not_compared(
    build: Build, open_vault: OpenStore, other: type[WordEmbedder]
) -> None:
    """Case c51."""
    vault = build("c51")
    first = open_vault(vault)
    first.rebuild()
    first.close()

    store = open_vault(vault, embedder=other())
    answer = ask(store, "ferry crew")

    assert stems(answer)[0] == "b"
    assert answer.ranking.mode == "hybrid"
    assert store.index.model == other.identity
    assert store.index.vectors() == 2
    assert store.notices() == ()


@pytest.mark.parametrize("change", ["same", "half"])
def test_an_index_whose_model_does_not_match_is_built_again(
    build: Build, open_vault: OpenStore, tmp_path: Path, change: str
) -> None:
    """Case c51, with the words of the index's own description."""
    vault = build("c51")
    first = open_vault(vault)
    first.rebuild()
    first.close()
    (meta,) = (tmp_path / "cache").rglob("meta.json")
    text = json.loads(meta.read_text("utf-8"))
    text |= {"model": "other-static-256"} if change == "same" else {"dims": text["dims"] // 2}
    meta.write_text(json.dumps(text, sort_keys=True), encoding="utf-8")

    store = open_vault(vault)
    answer = ask(store, "ferry crew")

    assert stems(answer)[0] == "b"
    assert answer.ranking.mode == "hybrid"
    assert (store.index.model, store.index.vectors()) == ("words-1024", 2)
    assert [notice for notice in answer.notices if "another model" in notice]
