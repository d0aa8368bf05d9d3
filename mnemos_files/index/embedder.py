"""Texts -> vectors, with the static model that comes with the package. No network."""

import os
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mnemos_files.errors import UnavailableError
from mnemos_files.index.pieces import Pieces

MODEL_FOLDER = Path(__file__).with_name("model_data")
MODEL_IDENTITY = "all-MiniLM-L6-v2/model2vec-248-int8/90a7d5dd18ce6101"
"""Source, recipe and the first digits of the SHA-256 of `model.safetensors`."""

BLOCK = 512
"""Texts [1] that are encoded in one call, to bound the memory for their tokens."""

PIECES = 512
"""Vectors [1] of pieces that are added in one go: few enough that BLAS starts no threads."""

_NO_ZERO = np.float32(1e-32)
MODEL_FILES = ("model.safetensors", "tokenizer.json")

Floats = NDArray[np.float32]
Stamps = tuple[tuple[int, int, int], ...]


class Embedder(Protocol):
    """Gives vectors; `identity` changes whenever the vectors would."""

    identity: str
    dims: int

    def encode(self, texts: Sequence[str]) -> Floats:
        """One row of unit length for each text; all zero when the model knows no piece of it."""

    def sum_pieces(self, words: Sequence[str]) -> Floats:
        """For each word the sum of the vectors of its pieces, not scaled."""

    def warm(self) -> None:
        """Load now what the first call would load."""


class StaticEmbedder:
    """The packaged model2vec model, loaded at the first use; safe in threads.

    Every call looks whether the files are the ones that were loaded (two `stat` calls): taken
    away, the model is gone at once; back, or mended, it is loaded anew by the next call.

    Raises:
        UnavailableError: the model is not there or cannot be loaded, by every method.
    """

    identity = MODEL_IDENTITY
    dims = 248

    def __init__(self, folder: Path = MODEL_FOLDER) -> None:
        self._folder = folder
        self._model: Any = None
        self._failure = ""
        self._seen: Stamps = ()
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Load the model: about 0.2 s of CPU."""
        with self._lock:
            self._load()

    def encode(self, texts: Sequence[str]) -> Floats:
        """One row of unit length for each text; all zero when the model knows no piece of it."""
        rows = np.zeros((len(texts), self.dims), np.float32)
        for start in range(0, len(texts), BLOCK):
            block = list(texts[start : start + BLOCK])
            with self._lock:
                model = self._load()
                pieces = model.tokenize(block)
            _add_means(rows[start : start + len(block)], model.embedding, pieces)
        unit: Floats = rows / (np.linalg.norm(rows, axis=1, keepdims=True) + _NO_ZERO)
        return unit

    def sum_pieces(self, words: Sequence[str]) -> Floats:
        """For each word the sum of the vectors of its pieces, not scaled."""
        with self._lock:
            pieces = self._load().encode_as_sequence(list(words), use_multiprocessing=False)
        rows = np.zeros((len(words), self.dims), np.float32)
        for number, vectors in enumerate(pieces):
            rows[number] = vectors.sum(axis=0, dtype=np.float32)
        return rows

    def _load(self) -> Any:  # noqa: ANN401 - model2vec is imported late, so its type has no name
        now = _stamps(self._folder)
        if now != self._seen or (self._model is None and not self._failure):
            self._seen, self._model, self._failure = now, None, ""
            self._read()
        if self._failure:
            raise UnavailableError(self._failure, remedy="Install mnemos-files again.")
        return self._model

    def _read(self) -> None:
        if not self._seen:
            self._failure = "the files of the embedding model are missing"
            return
        try:
            self._model = _read_model(self._folder)
        except Exception as error:  # noqa: BLE001 - tokenizers raises no narrower class
            self._failure = f"the embedding model does not load ({error})"


def _add_means(rows: Floats, table: NDArray[np.int8], texts: Sequence[list[int]]) -> None:
    """Fill rows with the means of the vectors of pieces: those of model2vec, to the last bit.

    Sums of so few bytes are exact as float32, in any order, and BLAS adds them the fastest.
    """
    ones = np.ones(PIECES, np.float32)
    for row, pieces in zip(rows, texts, strict=True):
        total = np.zeros(table.shape[1])
        for low in range(0, len(pieces), PIECES):
            some = np.array(pieces[low : low + PIECES], np.intp)
            total += ones[: len(some)] @ table[some].astype(np.float32)
        row[:] = total / max(len(pieces), 1)


def _stamps(folder: Path) -> Stamps:
    """What the file system says of the model's files, empty when one is missing."""
    try:
        found = [(folder / name).stat() for name in MODEL_FILES]
    except OSError:
        return ()
    return tuple((stat.st_ino, stat.st_size, stat.st_mtime_ns) for stat in found)


def _read_model(folder: Path) -> Any:  # noqa: ANN401 - see above
    """The model in a folder, put together from its two files.

    model2vec's own loader would import the client of a model hub first: half of the start time,
    a fifth of the memory, and a network client that nothing here needs.
    """
    # Read by the tokenizer when it is imported: no worker threads, so no warnings after a fork.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # noqa: TID251 - set for a library
    tensors = import_module("safetensors.numpy").load_file(folder / MODEL_FILES[0])
    tokenizer = import_module("tokenizers").Tokenizer.from_file(str(folder / MODEL_FILES[1]))
    make = import_module("model2vec").StaticModel
    tokenizer.no_truncation()
    model = make(tensors["embeddings"], tokenizer, normalize=True, max_length=None)
    marks = [token.content for token in tokenizer.get_added_tokens_decoder().values()]
    model.tokenize = Pieces(model.tokenize, marks).of
    return model
