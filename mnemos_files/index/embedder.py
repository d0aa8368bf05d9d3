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

MODEL_FOLDER = Path(__file__).with_name("model_data")
MODEL_IDENTITY = "all-MiniLM-L6-v2/model2vec-248-int8/a09ecb363efab872"
"""Source, recipe and the first digits of the SHA-256 of `model.safetensors`."""

BLOCK = 512
"""Texts [1] that are encoded in one call, to bound the memory for their tokens."""

Floats = NDArray[np.float32]

# Read by the libraries when they are imported: no hub, no worker threads before a fork.
_LIBRARY_SWITCHES = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


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

    Raises:
        UnavailableError: the model cannot be loaded, by every method.
    """

    identity = MODEL_IDENTITY
    dims = 248

    def __init__(self, folder: Path = MODEL_FOLDER) -> None:
        self._folder = folder
        self._model: Any = None
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Load the model: about 0.5 s of CPU."""
        with self._lock:
            self._load()

    def encode(self, texts: Sequence[str]) -> Floats:
        """One row of unit length for each text; all zero when the model knows no piece of it."""
        rows = np.zeros((len(texts), self.dims), np.float32)
        for start in range(0, len(texts), BLOCK):
            block = list(texts[start : start + BLOCK])
            with self._lock:  # the tokenizer's settings are changed and restored in each call
                rows[start : start + len(block)] = self._load().encode(
                    block, max_length=None, use_multiprocessing=False
                )
        return rows

    def sum_pieces(self, words: Sequence[str]) -> Floats:
        """For each word the sum of the vectors of its pieces, not scaled."""
        with self._lock:
            pieces = self._load().encode_as_sequence(list(words), use_multiprocessing=False)
        rows = np.zeros((len(words), self.dims), np.float32)
        for number, vectors in enumerate(pieces):
            rows[number] = vectors.sum(axis=0, dtype=np.float32)
        return rows

    def _load(self) -> Any:  # noqa: ANN401 - model2vec is imported late, so its type has no name
        if self._model is None:
            if not (self._folder / "model.safetensors").is_file():
                # An absent folder would be taken for a name on a model hub.
                raise UnavailableError(
                    f"the embedding model is missing from {self._folder}",
                    remedy="Install mnemos-files again.",
                )
            for name, value in _LIBRARY_SWITCHES.items():
                os.environ.setdefault(name, value)  # noqa: TID251 - written, not read: libraries
            model2vec = import_module("model2vec")
            try:
                self._model = model2vec.StaticModel.from_pretrained(self._folder)
            except (OSError, ValueError, KeyError) as error:
                raise UnavailableError(
                    f"the embedding model does not load ({error})",
                    remedy="Install mnemos-files again.",
                ) from error
        return self._model
