"""Vectors of notes and questions."""

import numpy as np
import pytest

from mnemos_files.index import dense, lexical
from mnemos_files.index.question import ask
from tests.index.conftest import LetterEmbedder, note


def test_quantised_vectors_keep_their_direction():
    vectors = np.random.default_rng(1).normal(size=(20, 248)).astype(np.float32)

    small = dense.quantise(vectors).astype(np.float32)

    cosines = np.sum(vectors * small, axis=1) / (
        np.linalg.norm(vectors, axis=1) * np.linalg.norm(small, axis=1)
    )
    assert cosines.min() > 0.9998
    assert np.abs(small).max() == 127


def test_a_zero_vector_stays_zero():
    assert not dense.quantise(np.zeros((1, 8), np.float32)).any()


def near(index, text: str) -> dict[str, float]:
    view = index._snapshot()
    question = ask(text)
    weights = lexical.score(question, view, view).idf
    vector = dense.question_vector(question, weights, view, LetterEmbedder())
    assert vector is not None
    values = dense.closeness(vector, view)
    return {str(view.entry(place).path): float(values[place]) for place in range(view.size)}


def test_the_same_letters_are_close(index):
    index.apply([note("a.md", "abc", title="cab"), note("b.md", "xyz", title="zyx")], ())

    assert near(index, "bca") == {"a.md": pytest.approx(1, abs=1e-3), "b.md": 0}


def test_frequent_words_weigh_less_in_the_question(index):
    index.apply([note(f"{n}.md", "aaa", title="a") for n in range(20)], ())
    index.apply([note("rare.md", "bbb", title="b")], ())

    ranked = near(index, "aaa bbb")

    assert ranked["rare.md"] > 0.95
    assert ranked["0.md"] < 0.2


def test_a_question_of_unknown_letters_has_no_vector(index):
    view = index._snapshot()

    assert dense.question_vector(ask("123 456"), (1.0, 1.0), view, LetterEmbedder()) is None
    assert dense.question_vector(ask("?!"), (), view, LetterEmbedder()) is None


def test_more_notes_than_a_block_are_all_compared(index):
    count = dense.BLOCK + 3
    index.apply([note(f"{n}.md", "abc", title="abc") for n in range(count)], ())
    index.flush()

    ranked = near(index, "abc")

    assert len(ranked) == count
    assert min(ranked.values()) == pytest.approx(1, abs=1e-3)
