"""Notes in the order of a number, equal ones by id, then path; put in order only as far as asked.

Never by place in memory: the same notes come in the same order whatever the vault's history.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mnemos_files.index.snapshot import Places, Snapshot

SORTED_FIRST = 256
"""Notes [1] that are put in order first; few questions need the others in order, too."""

Numbers = NDArray[np.floating[Any]] | NDArray[np.int64]


def ordered(places: Places, numbers: Numbers, view: Snapshot) -> Iterator[int]:
    """Positions in `places`, those with the highest number first. No entry is decoded."""
    values = numbers.tolist()
    for chosen in _chunks(numbers):
        order = chosen[np.argsort(-numbers[chosen], kind="stable")].tolist()
        for _, same in groupby(order, key=values.__getitem__):
            group = list(same)
            if len(group) > 1:
                group.sort(key=lambda at: view.name(int(places[at])))
            yield from group


def _chunks(numbers: Numbers) -> Iterator[Places]:
    """Positions of the highest numbers, with all that equal the last of them; then the others."""
    if len(numbers) <= SORTED_FIRST:
        yield np.arange(len(numbers))
        return
    last = np.partition(numbers, len(numbers) - SORTED_FIRST)[len(numbers) - SORTED_FIRST]
    yield np.flatnonzero(numbers >= last)
    yield np.flatnonzero(numbers < last)
