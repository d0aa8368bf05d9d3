"""A tiny embedder and notes for the index."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath

import numpy as np
import pytest

from mnemos_files.index.embedder import Floats
from mnemos_files.index.index import Index, Indexed
from mnemos_files.model.note import Note, Stamp
from mnemos_files.model.query import Query, Ranking
from mnemos_files.model.record import Record

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)


class LetterEmbedder:
    """Vectors that count letters: the same letters are near, and digits say nothing."""

    identity = "letters-26"
    dims = 26

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> Floats:
        self.texts += texts
        rows = self.sum_pieces(texts)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.maximum(lengths, 1)

    def sum_pieces(self, words: Sequence[str]) -> Floats:
        rows = np.zeros((len(words), 26), np.float32)
        for number, word in enumerate(words):
            for letter in word.lower():
                if "a" <= letter <= "z":
                    rows[number, ord(letter) - 97] += 1
        return rows

    def warm(self) -> None:
        """Nothing to load."""


@pytest.fixture
def embedder() -> LetterEmbedder:
    return LetterEmbedder()


@pytest.fixture
def index(tmp_path, embedder) -> Index:
    return Index(tmp_path / "index", embedder)


def note(path: str, text: str, *, size: int = 1, **fields) -> Indexed:
    """A note with this body; the title is the file's name unless given."""
    values = {"id": path, "type": "context", "title": PurePosixPath(path).stem, "content": text}
    record = Record(**(values | fields))
    name = hashlib.sha1(f"{record.title}\0{text}".encode(), usedforsecurity=False).hexdigest()
    return Indexed(Note(PurePosixPath(path), record, body=text), Stamp(size, 1, 1), name)


def search(index: Index, text: str, *, floor: float = 0.0, view=None, **fields) -> Ranking:
    query = Query(text=text, now=NOW, **fields)
    return index.search(query, floor=floor, view=view)


def found(index: Index, text: str, **options) -> list[str]:
    """Paths of the hits, best first."""
    return [str(hit.entry.path) for hit in search(index, text, **options).hits]
