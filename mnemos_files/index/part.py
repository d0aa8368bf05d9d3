"""A part of the index: notes that can be scored, in memory or on disk."""

from array import array
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.claims import Aliases, Claims
from mnemos_files.index.document import TENTHS, Document, Vectors
from mnemos_files.index.row import ROW, Row
from mnemos_files.model.note import Entry

Ids = NDArray[np.int32]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


BLOCK = 512
"""Vectors [1] that are made float32 at once: small enough that BLAS starts no threads for them,
which cost ten times the work on a busy machine."""


class Part(Protocol):
    """Notes numbered from 0. What is read once stays as it is; `Memory` only grows at its end."""

    paths: list[str]
    ids: list[str]
    rows: Row
    vectors: Vectors
    norms: Floats
    aliases: Aliases
    claims: Claims

    def column(self, name: str) -> NDArray[Any]:
        """One of the numbers in `ROW`, of all notes."""

    def postings(self, term: str) -> tuple[Ids, Floats]:
        """Numbers of the notes with the term, rising, and its frequency in each."""

    def beginning(self, prefix: str, limit: int) -> list[str]:
        """Terms that are longer than the prefix and begin with it, in order."""

    def sequence(self, number: int) -> bytes:
        """Terms of a note in order, each between two blanks."""

    def entry(self, number: int) -> Entry:
        """What is kept of a note."""

    def document(self, number: int) -> Document:
        """Everything that is kept of a note, to keep it elsewhere."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A part with the notes of it that count: `alive` is as long as what was there by then."""

    part: Part
    alive: Mask

    def postings(self, term: str) -> tuple[Ids, Floats]:
        """Living notes with the term and its frequency in them."""
        ids, weights = self.part.postings(term)
        size = len(self.alive)
        if len(ids) and ids[-1] >= size:
            near = ids < size
            ids, weights = ids[near], weights[near]
        living = self.alive[ids]
        return (ids, weights) if living.all() else (ids[living], weights[living])


def lengths_of(vectors: Vectors) -> Floats:
    """Euclidean length of each vector; 0 = the model said nothing about the text."""
    lengths = np.empty(len(vectors), np.float32)
    for low in range(0, len(vectors), BLOCK):
        wide = vectors[low : low + BLOCK].astype(np.float32)
        np.sqrt(np.einsum("ij,ij->i", wide, wide), out=lengths[low : low + BLOCK])
    return lengths


class Memory:
    """Notes that are not on disk yet. Grows under its owner's lock; readers need none.

    A reader looks only at the notes that were there when it took its snapshot.
    """

    def __init__(self, dims: int) -> None:
        self.paths: list[str] = []
        self.ids: list[str] = []
        self.documents: list[Document] = []
        self.rows: Row = np.zeros(64, ROW)
        self.vectors: Vectors = np.zeros((64, dims), np.int8)
        self.norms: Floats = np.zeros(64, np.float32)
        self.aliases = Aliases()
        self.claims = Claims()
        self._postings: dict[str, tuple[array[int], array[int]]] = {}
        self._sorted: list[str] = []

    def add(self, doc: Document) -> int:
        """Number of the note, now findable."""
        number = len(self.documents)
        if number == len(self.rows):
            self._grow()
        self.rows[number] = doc.row
        self.vectors[number] = doc.vector
        self.norms[number] = lengths_of(doc.vector[None])[0]
        for term, weight in doc.postings().items():
            ids, weights = self._postings.setdefault(term, (array("i"), array("B")))
            weights.append(weight)
            ids.append(number)
        self.aliases.add(number, doc.aliases)
        self.claims.add(number, doc.entry.record.supersedes)
        self.documents.append(doc)
        self.ids.append(doc.entry.record.id)
        self.paths.append(doc.path)
        return number

    def _grow(self) -> None:
        # New arrays, not resized ones: a running search goes on with those it has.
        size = len(self.rows)
        self.rows = np.concatenate((self.rows, np.zeros(size, ROW)))
        self.vectors = np.concatenate((self.vectors, np.zeros_like(self.vectors)))
        self.norms = np.concatenate((self.norms, np.zeros_like(self.norms)))

    def column(self, name: str) -> NDArray[Any]:
        """One of the numbers in `ROW`, of all notes and of none behind them."""
        return self.rows[name]

    def postings(self, term: str) -> tuple[Ids, Floats]:
        """Numbers of the notes with the term, rising, and its frequency in each."""
        found = self._postings.get(term)
        if found is None:
            return _NONE
        ids = np.array(found[0][:], np.int32)
        weights = np.array(found[1][: len(ids)], np.float32)
        return ids, weights / np.float32(TENTHS)

    def beginning(self, prefix: str, limit: int) -> list[str]:
        """Terms that are longer than the prefix and begin with it, in order."""
        terms = self._sorted
        if len(terms) != len(self._postings):
            self._sorted = terms = sorted(self._postings)
        start = bisect_left(terms, prefix)
        near = terms[start : start + limit + 1]
        return [term for term in near if term.startswith(prefix) and term != prefix][:limit]

    def sequence(self, number: int) -> bytes:
        """Terms of a note in order, each between two blanks."""
        return self.documents[number].sequence

    def entry(self, number: int) -> Entry:
        """What is kept of a note."""
        return self.documents[number].entry

    def document(self, number: int) -> Document:
        """Everything that is kept of a note, to keep it elsewhere."""
        return self.documents[number]


_NONE: tuple[Ids, Floats] = (np.empty(0, np.int32), np.empty(0, np.float32))
