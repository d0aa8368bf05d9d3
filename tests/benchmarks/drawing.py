"""What a vault knows of its notes beside their words, drawn at random: the dearest case of policy.

Importance is uniform from 1 to 10; a fifth of the notes was read, by Zipf's law up to 200 times.
"""

import random
from collections.abc import Mapping
from dataclasses import replace

from mnemos_files.model.note import Note
from mnemos_files.model.tally import Uses

DRAWN = ("importance", "uses", "recent")
"""What can be drawn; `recent` puts the clock at the last note of each vault."""

USED_SHARE = 0.2
MOST_ACCESSES = 200


def important(notes: Mapping[str, Note], seed: int) -> dict[str, Note]:
    """The notes with other values of importance."""
    chance = random.Random(seed)  # noqa: S311 - a measurement, no secret
    return {
        key: replace(note, record=replace(note.record, importance=chance.randint(1, 10)))
        for key, note in notes.items()
    }


def used(notes: Mapping[str, Note], seed: int) -> dict[str, Uses]:
    """Uses of some of the notes by id."""
    ids = [note.record.id for note in notes.values()]
    chance = random.Random(seed)  # noqa: S311 - a measurement, no secret
    chosen = chance.sample(ids, round(USED_SHARE * len(ids)))
    return {
        name: Uses(accesses=max(1, MOST_ACCESSES // rank)) for rank, name in enumerate(chosen, 1)
    }
