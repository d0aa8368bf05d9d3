"""Which notes are near each other, in meaning and in words.

A product of int8 vectors of at most 1,040 numbers is an exact whole number in float32, so that
the same notes are near on every machine, whatever order its library adds in.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, isqrt

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.document import Vectors
from mnemos_files.index.part import Floats, Ids

CLOSE_MIN = 0.8
"""Cosine [1] of the vectors from which two notes may be near (docs/dream.md, "Near pairs")."""

SHARE_MIN = 0.6
"""Shared words [share of the geometric mean of both] that two near notes have at least."""

SHARE_MIN_LONG, LONG = 0.75, 24
"""The same for notes that have more terms than these: long texts share many words by chance."""

SHARE_MIN_WORDS = 0.7
"""The same for notes without a vector, of which the words are all that is known."""

PRODUCT_NUMBERS = 262_144
"""Multiplications [1] of one matrix product: OpenBLAS starts threads for more, which cost six
times the work on a busy machine."""

ROWS = 128
"""Notes [1] that are compared with all others at once: 5 MB for 10,000 notes."""

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Rows:
    """Notes to compare: their vectors, the lengths of these (0 = none) and their projects."""

    vectors: Vectors
    norms: Numbers
    projects: NDArray[np.uint64]
    terms: Sequence[frozenset[bytes]]


@dataclass(frozen=True, slots=True)
class Near:
    """A note's near ones: their numbers, with the shares and the cosines [1] for each."""

    note: int
    others: Places
    shares: Numbers
    cosines: Numbers


def near(rows: Rows, wanted: Sequence[int]) -> Iterator[Near]:
    """What is near to each wanted note: of its project, or one of both global."""
    asked = np.array(wanted, np.intp)
    for project in np.unique(rows.projects[asked]).tolist():
        notes = np.arange(len(rows.norms))
        if project:
            notes = np.flatnonzero((rows.projects == project) | (rows.projects == 0))
        scope = _Scope(rows, notes)
        some = np.searchsorted(notes, asked[rows.projects[asked] == project])
        for found in scope.near(some):
            yield Near(int(notes[found.note]), notes[found.others], found.shares, found.cosines)


class _Scope:
    """Notes of which each may be near each."""

    def __init__(self, rows: Rows, notes: Places) -> None:
        self._vectors = rows.vectors[notes]
        self._norms = rows.norms[notes]
        self._words = Words([rows.terms[note] for note in notes.tolist()])

    def near(self, some: Places) -> Iterator[Near]:
        """What is near to some of them."""
        for low in range(0, len(some), ROWS):
            block = some[low : low + ROWS]
            for note, row in zip(
                block.tolist(), scalar_products(self._vectors, block), strict=True
            ):
                yield self._near(note, row)

    def _near(self, note: int, products: Floats) -> Near:
        norm = self._norms[note]
        kept = products >= self._norms * (CLOSE_MIN * norm)  # true where one has no vector
        kept[note] = False
        others, shares = self._words.shared(note, np.flatnonzero(kept), SHARE_MIN)
        lengths = self._norms[others] * norm
        least = np.where(lengths > 0, SHARE_MIN, SHARE_MIN_WORDS)
        are_long = self._words.sizes[others] * self._words.sizes[note] > LONG * LONG
        enough = shares >= np.where(are_long, SHARE_MIN_LONG, least)
        others, shares, lengths = others[enough], shares[enough], lengths[enough]
        return Near(note, others, shares, products[others] / np.maximum(lengths, 1))


def scalar_products(vectors: Vectors, some: Places) -> Floats:
    """Scalar products of some notes' vectors with every note's; exact whole numbers."""
    side = max(1, isqrt(PRODUCT_NUMBERS // max(vectors.shape[1], 1)))
    left = vectors[some].astype(np.float32)
    found = np.empty((len(some), len(vectors)), np.float32)
    for low in range(0, len(vectors), side):
        right = vectors[low : low + side].astype(np.float32).T
        for top in range(0, len(some), side):
            here = found[top : top + side, low : low + side]
            np.matmul(left[top : top + side], right, out=here)
    return found


class Words:
    """Distinct terms of every note, the rarest first, and where each term stands."""

    def __init__(self, texts: Sequence[frozenset[bytes]]) -> None:
        names: dict[bytes, int] = {}
        numbers = [
            np.array([names.setdefault(term, len(names)) for term in text], np.int32)
            for text in texts
        ]
        self.sizes = np.array([len(each) for each in numbers], np.int64)
        flat = np.concatenate([*numbers, np.empty(0, np.int32)])
        order = np.argsort(flat, kind="stable")
        self._notes: Ids = np.repeat(np.arange(len(texts), dtype=np.int32), self.sizes)[order]
        self._starts = np.searchsorted(flat[order], np.arange(len(names) + 1))
        spread = np.diff(self._starts)
        self._terms = [each[np.argsort(spread[each], kind="stable")] for each in numbers]

    def shared(self, note: int, others: Places, minimum: float) -> tuple[Places, Numbers]:
        """Those of the others that share enough terms with the note, and their shares [1].

        Notes with a share s have s² of each one's terms in common, so that without so many of the
        commonest terms of the note one more must still be shared: only the rarer are looked up.
        """
        terms = self._terms[note]
        if not len(terms) or not len(others):
            return others[:0], np.empty(0)
        spared = ceil(minimum * minimum * len(terms)) - 1
        rare, common = np.split(terms, [len(terms) - spared])
        counts = self._counts(rare)[others]
        bounds = minimum * np.sqrt(self.sizes[others] * len(terms))
        possible = (counts > 0) & (counts + spared >= bounds)
        others, counts = others[possible], counts[possible]
        if len(others) and len(common):
            counts += self._counts(common)[others]
        shares: Numbers = counts / np.sqrt(self.sizes[others] * len(terms))
        return others[shares >= minimum], shares[shares >= minimum]

    def _counts(self, terms: Ids) -> NDArray[np.intp]:
        """How many of the terms every note has."""
        ends = self._starts[terms + 1].tolist()
        places = [self._notes[a:b] for a, b in zip(self._starts[terms].tolist(), ends, strict=True)]
        return np.bincount(np.concatenate(places), minlength=len(self.sizes))
