"""How close a note's meaning is to a question: cosine of their vectors, clipped to [0, 1]."""

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.embedder import Embedder
from mnemos_files.index.lexical import idf
from mnemos_files.index.part import BLOCK, Floats
from mnemos_files.index.question import Question
from mnemos_files.index.snapshot import Snapshot


def quantise(vectors: Floats) -> NDArray[np.int8]:
    """Vectors as int8, each scaled by its own largest entry; a cosine does not see the scale."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    scaled = vectors * (np.float32(127) / np.maximum(largest, np.float32(1e-12)))
    rounded: NDArray[np.int8] = np.rint(scaled).astype(np.int8)
    return rounded


def question_vector(
    question: Question, weights: tuple[float, ...], today: Snapshot, embedder: Embedder
) -> Floats | None:
    """Unit vector of the question, its words weighted by idf; None when the model knows none.

    Words that stand in half of all notes would drown the others in a plain mean. Only the
    question changes when notes come and go, so that no note is ever encoded twice.
    """
    if not question.words:
        return None
    sums = embedder.sum_pieces([word for word, _ in question.words])
    factors = [_weight(place, weights, today) for _, place in question.words]
    vector: Floats = np.array(factors, np.float32) @ sums
    length = float(np.sqrt(vector @ vector))
    return vector / np.float32(length) if length else None


STOP_SHARE = 0.25
"""Share of its idf that a stop word keeps: in a small vault idf alone does not tell them."""


def _weight(place: int, weights: tuple[float, ...], today: Snapshot) -> float:
    if place >= 0:
        return weights[place]
    return STOP_SHARE * idf(today.count, today.stop_count(-1 - place))


def closeness(vector: Floats, view: Snapshot) -> Floats:
    """Cosine [0, 1] of each note with the question; 0 for notes without a vector."""
    found = np.zeros(view.size, np.float32)
    block = np.empty((BLOCK, len(vector)), np.float32)
    for start, piece in zip(view.starts, view.slices, strict=False):
        for low in range(0, len(piece.alive), BLOCK):
            high = min(low + BLOCK, len(piece.alive))
            wide = block[: high - low]
            np.copyto(wide, piece.part.vectors[low:high])
            np.matmul(wide, vector, out=found[start + low : start + high])
    found /= np.maximum(view.norms, np.float32(1))
    return np.clip(found, 0, 1, out=found)
