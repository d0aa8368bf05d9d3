"""What a vault knows of its notes beside their words, drawn at random: the dearest case of policy.

Importance is uniform from 1 to 10; a fifth of the notes was read, by Zipf's law up to 200 times,
last at any time since they were written.
"""

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

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


def used(notes: Mapping[str, Note], seed: int, now: datetime) -> dict[str, Uses]:
    """Uses of some of the notes by id."""
    born = {note.record.id: note.record.created or now for note in notes.values()}
    chance = random.Random(seed)  # noqa: S311 - a measurement, no secret
    chosen = chance.sample(list(born), round(USED_SHARE * len(born)))
    return {
        name: Uses(
            accesses=max(1, MOST_ACCESSES // rank),
            last=born[name] + chance.random() * (now - born[name]),
        )
        for rank, name in enumerate(chosen, 1)
    }
