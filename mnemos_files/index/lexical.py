"""How well a note's words fit a question: BM25 and neighbouring words, bounded to [0, 1).

docs/ranking.md has the formula and the measurements behind the constants.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.part import Floats
from mnemos_files.index.question import Question, Slot
from mnemos_files.index.snapshot import Places, Snapshot

K1 = 0.9
B = 0.4
PAIR_WEIGHT = 0.5
PAIR_DEPTH = 100
"""Notes [1], the best by BM25, in which neighbouring words are looked for."""

OTHER_WEIGHT = 0.5
"""Frequency of a whole identifier or an exact spelling, beside that of the word itself."""

LONGER_WEIGHT = 0.3
"""Frequency of a longer word that begins with the asked one (compounds)."""

LONGER_MAX = 50
RARE = 2
"""Notes [1] up to which a word counts as rare, so that longer words may stand in for it."""


@dataclass(frozen=True, slots=True)
class Lexical:
    """Scores [0, 1) by place, and for each slot of the question its idf."""

    scores: Floats
    idf: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """What is needed to score neighbours: by slot, the notes that have it and its idf."""

    question: Question
    having: list[Places]
    weights: list[float]


Terms = list[tuple[str, float]]


def idf(count: int, having: int) -> float:
    """Weight of a word that `having` of `count` notes have; never negative."""
    return float(np.log1p((count - having + 0.5) / (having + 0.5)))


def score(question: Question, view: Snapshot, today: Snapshot) -> Lexical:
    """Scores of the view's notes, with the statistics of today's.

    The divisor is what endless repetitions of every word would reach. It depends on the question
    and the index, never on the other hits; a word that no note has counts in it.
    """
    if not question.slots:
        return _score_stops(question, view, today)
    scores = np.zeros(view.size, np.float32)
    weights: list[float] = []
    having: list[Places] = []
    for slot in question.slots:
        terms, found = _resolve(slot, today)
        weights.append(idf(today.count, len(found[0])))
        places, counts = found if view is today else view.postings(terms)
        scores[places] += np.float32(weights[-1]) * _saturate(counts, places, view, today)
        having.append(places)
    ceiling = sum(weights)
    for a, b in question.pairs:
        ceiling += PAIR_WEIGHT * (weights[a] + weights[b])
    _add_pairs(scores, Pairs(question, having, weights), view, today)
    return Lexical(scores / np.float32((K1 + 1) * ceiling), tuple(weights))


def _resolve(slot: Slot, today: Snapshot) -> tuple[Terms, tuple[Places, Floats]]:
    """Terms that answer a slot with their weights, and today's notes that have one."""
    terms = [(slot.term, 1.0), *((other, OTHER_WEIGHT) for other in slot.others)]
    found = today.postings(terms)
    if len(found[0]) > RARE:
        return terms, found
    longer = today.beginning(slot.prefix, LONGER_MAX) if slot.prefix else []
    more = [(term, LONGER_WEIGHT) for term in longer]
    if not len(found[0]):
        more += [(part, OTHER_WEIGHT) for part in slot.parts]
    known = {term for term, _ in terms}
    more = [(term, weight) for term, weight in more if term not in known]
    return (terms + more, today.postings(terms + more)) if more else (terms, found)


def _saturate(counts: Floats, places: Places, view: Snapshot, today: Snapshot) -> Floats:
    ratio = view.lengths[places] / np.float32(today.mean_length)
    norm: Floats = np.float32(K1) * (np.float32(1 - B) + np.float32(B) * ratio)
    saturated: Floats = counts * np.float32(K1 + 1) / (counts + norm)
    return saturated


def _add_pairs(scores: Floats, pairs: Pairs, view: Snapshot, today: Snapshot) -> None:
    """Add to the best notes what their neighbouring words are worth.

    Only notes that have both words of a pair are looked into.
    """
    question, weights = pairs.question, pairs.weights
    best = _best(scores, PAIR_DEPTH) if question.pairs else np.empty(0, np.intp)
    has = [_among(best, places, view.size) for places in pairs.having]
    sequences: dict[int, bytes] = {}
    for a, b in question.pairs:
        pattern = f" {question.slots[a].term}  {question.slots[b].term} ".encode()
        places = best[has[a] & has[b]]
        for place in places.tolist():
            if place not in sequences:
                sequences[place] = view.sequence(place)
        counts = np.array([sequences[p].count(pattern) for p in places.tolist()], np.float32)
        weight = np.float32(PAIR_WEIGHT * (weights[a] + weights[b]))
        scores[places] += weight * _saturate(counts, places, view, today)


def _among(wanted: Places, places: Places, size: int) -> NDArray[np.bool_]:
    mark = np.zeros(size, np.bool_)
    mark[places] = True
    return mark[wanted]


def _best(scores: Floats, depth: int) -> Places:
    """Places of the highest scores above 0; ties at the end fall to the lower place."""
    places = np.flatnonzero(scores)
    if len(places) <= depth:
        return places
    order = np.argsort(-scores[places], kind="stable")
    return places[order[:depth]]


def _score_stops(question: Question, view: Snapshot, today: Snapshot) -> Lexical:
    """A question of stop words only: each counts once in a note that has it."""
    scores = np.zeros(view.size, np.float32)
    weights = [idf(today.count, today.stop_count(stop)) for stop in question.stops]
    for stop, weight in zip(question.stops, weights, strict=True):
        places = view.with_stop(stop)
        ones = np.ones(len(places), np.float32)
        scores[places] += np.float32(weight) * _saturate(ones, places, view, today)
    ceiling = (K1 + 1) * sum(weights) or 1.0
    return Lexical(scores / np.float32(ceiling), ())
