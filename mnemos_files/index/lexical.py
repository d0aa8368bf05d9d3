"""How well a note's words fit a question: BM25 and neighbouring words, bounded to [0, 1).

docs/ranking.md has the formula and the measurements behind the constants.
"""

from dataclasses import dataclass

import numpy as np

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
    weights = []
    for slot in question.slots:
        terms, having = _resolve(slot, today)
        weight = idf(today.count, having)
        weights.append(weight)
        places, counts = view.postings(terms)
        scores[places] += np.float32(weight) * _saturate(counts, places, view, today)
    pairs = [(a, b, PAIR_WEIGHT * (weights[a] + weights[b])) for a, b in question.pairs]
    _add_pairs(scores, question, pairs, view, today)
    ceiling = (K1 + 1) * (sum(weights) + sum(weight for *_, weight in pairs))
    return Lexical(scores / np.float32(ceiling), tuple(weights))


def _resolve(slot: Slot, today: Snapshot) -> tuple[list[tuple[str, float]], int]:
    """Terms that answer a slot with their weights, and how many notes of today have one."""
    terms = [(slot.term, 1.0), *((other, OTHER_WEIGHT) for other in slot.others)]
    having = len(today.postings(terms)[0])
    if having > RARE:
        return terms, having
    longer = today.beginning(slot.prefix, LONGER_MAX) if slot.prefix else []
    more = [(term, LONGER_WEIGHT) for term in longer]
    if not having:
        more += [(part, OTHER_WEIGHT) for part in slot.parts]
    known = {term for term, _ in terms}
    more = [(term, weight) for term, weight in more if term not in known]
    if more:
        terms += more
        having = len(today.postings(terms)[0])
    return terms, having


def _saturate(counts: Floats, places: Places, view: Snapshot, today: Snapshot) -> Floats:
    ratio = view.lengths[places] / np.float32(today.mean_length)
    norm: Floats = np.float32(K1) * (np.float32(1 - B) + np.float32(B) * ratio)
    saturated: Floats = counts * np.float32(K1 + 1) / (counts + norm)
    return saturated


def _add_pairs(
    scores: Floats,
    question: Question,
    pairs: list[tuple[int, int, float]],
    view: Snapshot,
    today: Snapshot,
) -> None:
    """Add to the best notes what their neighbouring words are worth."""
    if not pairs or not view.size:
        return
    best = _best(scores, PAIR_DEPTH)
    terms = [slot.term for slot in question.slots]
    patterns = [f" {terms[a]}  {terms[b]} ".encode() for a, b, _ in pairs]
    weights = np.array([weight for *_, weight in pairs], np.float32)
    counts = np.zeros((len(best), len(pairs)), np.float32)
    for row, place in enumerate(best.tolist()):
        sequence = view.sequence(place)
        counts[row] = [sequence.count(pattern) for pattern in patterns]
    some = counts.any(axis=1)
    best, counts = best[some], counts[some]
    flat = [_saturate(column, best, view, today) for column in counts.T]
    scores[best] += weights @ np.array(flat, np.float32)


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
    weights = [idf(today.count, int(today.stop_counts[stop])) for stop in question.stops]
    for stop, weight in zip(question.stops, weights, strict=True):
        places = view.with_stop(stop)
        ones = np.ones(len(places), np.float32)
        scores[places] += np.float32(weight) * _saturate(ones, places, view, today)
    ceiling = (K1 + 1) * sum(weights) or 1.0
    return Lexical(scores / np.float32(ceiling), ())
