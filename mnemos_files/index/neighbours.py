"""What was said just before and after: turns of one session lend each other relevance."""

import numpy as np

from mnemos_files.index.part import Floats
from mnemos_files.index.snapshot import Snapshot

REACH = 2
"""Turns [1] before and after that lend."""

GAIN = 0.5
"""Share of the best neighbour's relevance that is added (docs/ranking.md, "Neighbours")."""


def lend(relevance: Floats, view: Snapshot) -> Floats:
    """Relevance with what neighbours add, at most 1; only `episodic` notes have neighbours."""
    order = view.turns
    if not len(order):
        return relevance
    keys, values = view.column("session")[order], relevance[order]
    best = np.zeros(len(order), np.float32)
    for step in range(1, min(REACH, len(order) - 1) + 1):
        same = keys[step:] == keys[:-step]
        best[step:] = np.maximum(best[step:], np.where(same, values[:-step], 0))
        best[:-step] = np.maximum(best[:-step], np.where(same, values[step:], 0))
    lent = relevance.copy()
    lent[order] = np.minimum(values + np.float32(GAIN) * best, 1)
    return lent
