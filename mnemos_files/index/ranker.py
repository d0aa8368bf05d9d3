"""Signals -> one ranking: fusion, neighbours, floor, policy, order, filter."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from mnemos_files.index import dense, lexical
from mnemos_files.index.embedder import Embedder
from mnemos_files.index.filters import allowed, may_have_tags, tag_rule
from mnemos_files.index.neighbours import lend
from mnemos_files.index.order import ordered
from mnemos_files.index.part import Floats
from mnemos_files.index.policy import Facts, Policy, Rules, policy
from mnemos_files.index.question import ask
from mnemos_files.index.snapshot import Places, Snapshot
from mnemos_files.model.note import Entry
from mnemos_files.model.query import Hit, Query, Ranking

LEXICAL_WEIGHT = 0.8
DENSE_WEIGHT = 0.2

TAIL = 0.3
"""Share of the best relevance below which a note is no hit (docs/ranking.md, "Tail")."""

FLOOR_NOTES = 12
FLOOR_SHARE = 0.6
"""The floor grows with the vault: the best of many unfit notes fits better than that of few.

At 12 notes and below it is 0.4 of its full value, at 100 0.74, at 3,000 0.93 (docs/ranking.md).
"""
FLOOR_POWER = 0.4

DIGITS = 6


@dataclass(frozen=True, slots=True)
class Signals:
    """Scores by place: both signals, their fusion, and the fusion after neighbours."""

    lexical: Floats
    dense: Floats
    fused: Floats
    relevance: Floats
    mode: str


def signals(query: Query, view: Snapshot, today: Snapshot, embedder: Embedder | None) -> Signals:
    """What speaks for each note of the view. Without an embedder the words speak alone."""
    question = ask(query.text)
    words = lexical.score(question, view, today)
    vector = None
    if embedder is not None:
        vector = dense.question_vector(question, words.idf, today, embedder)
    if vector is None:
        none = np.zeros(view.size, np.float32)
        return Signals(words.scores, none, words.scores, lend(words.scores, view), "fts")
    near = dense.closeness(vector, view)
    mixed = np.float32(LEXICAL_WEIGHT) * words.scores + np.float32(DENSE_WEIGHT) * near
    fused: Floats = np.where(view.norms > 0, mixed, words.scores)
    return Signals(words.scores, near, fused, lend(fused, view), "hybrid")


def rank(query: Query, found: Signals, view: Snapshot, rules: Rules) -> Ranking:
    """One page of hits among the notes in scope, best first.

    Nothing is a hit when the best fusion, before neighbours and policy, is below the floor.
    """
    in_scope = np.flatnonzero(view.alive & allowed(view.column, query))
    best = float(found.fused[in_scope].max(initial=0.0))
    if not best or best < floor_of(rules.floor, view.count):
        below = round(best, DIGITS) if best else None
        return Ranking((), 0, found.mode, below)
    relevance = found.relevance[in_scope]
    places = in_scope[relevance >= np.float32(TAIL) * relevance.max()]
    judged = policy(Facts(view, places, query, rules))
    rounded = np.round(found.relevance[places].astype(np.float64), DIGITS)
    scores = np.round(rounded * judged.product, DIGITS)
    page, total = _page(query, ordered(places, scores, view), places, view)
    hits = tuple(_hit(entry, at, places, found, judged) for entry, at in page)
    return Ranking(hits, total, found.mode)


def floor_of(full: float, count: int) -> float:
    """The relevance [0, 1] that the best note must reach in a vault of so many notes."""
    share: float = (FLOOR_NOTES / max(count, FLOOR_NOTES)) ** FLOOR_POWER
    return full * (1 - FLOOR_SHARE * share)


def _page(
    query: Query, order: Iterator[int], places: Places, view: Snapshot
) -> tuple[list[tuple[Entry, int]], int]:
    """The asked-for part of the ranked notes with their positions, and how many there are."""
    end = query.offset + query.limit
    has_tags = tag_rule(query)
    if has_tags is None:
        page = islice(order, query.offset, end)
        return [(view.entry(int(places[at])), at) for at in page], len(places)
    near = may_have_tags(lambda name: view.column(name)[places], query).tolist()
    pairs = ((view.entry(int(places[at])), at) for at in order if near[at])
    tagged = [pair for pair in pairs if has_tags(pair[0])]
    return tagged[query.offset : end], len(tagged)


def _hit(entry: Entry, at: int, places: Places, found: Signals, judged: Policy) -> Hit:
    """A hit with its parts; its score is the product of relevance and the factors."""
    place = places[at]
    relevance = round(float(found.relevance[place]), DIGITS)
    parts = {
        "lexical": round(float(found.lexical[place]), DIGITS),
        "dense": round(float(found.dense[place]), DIGITS),
        "fused": round(float(found.fused[place]), DIGITS),
        "relevance": relevance,
    }
    for name, values in judged.factors.items():
        parts[name] = 1.0 if values is None else float(values[at])
    parts["bound"] = float(judged.bound[at])
    return Hit(entry, round(relevance * float(judged.product[at]), DIGITS), parts)
