"""Vaults with corrections, and dreams in them."""

from collections.abc import Callable
from functools import partial

import pytest

from mnemos_files.dream.run import Report, dream, rehearse
from mnemos_files.model.record import Record
from mnemos_files.store.rehearsal import rehearsal
from mnemos_files.store.store import Store
from tests.conftest import Clock, WordEmbedder, an_observation

Correct = Callable[..., Record]


@pytest.fixture
def correct(store: Store, clock: Clock) -> Correct:
    """Saves a correction, a second after the one before; `number` makes its text another one."""

    def save(number: int, **fields: object) -> Record:
        given = {
            "type": "correction",
            "title": f"Migration {number}",
            "content": "",
            "sections": (
                ("tried", f"way {number}"),
                ("wrong_because", f"fault {number}"),
                ("fix", f"cure {number}"),
                ("trigger_context", "a column goes away"),
            ),
            "tags": ("migrations",),
            "project": "api",
            "agent": "codex",
        }
        clock.tick(seconds=1)
        return store.put(an_observation(store, **(given | fields))).record

    return save


@pytest.fixture
def many(correct: Correct, clock: Clock) -> list[Record]:
    """Five corrections about one thing on two days: enough for a skill."""
    saved = [correct(number) for number in range(3)]
    clock.tick(days=1)
    return [*saved, correct(3), correct(4)]


@pytest.fixture
def run(store: Store, clock: Clock) -> Callable[[], Report]:
    """Dreams now, as the clock says."""
    return lambda: dream(store, clock())


@pytest.fixture
def rehearsed(store: Store, clock: Clock) -> Callable[[], Report]:
    """Tells what a dream would do now."""
    return lambda: rehearse(store, clock(), copying=partial(rehearsal, embedder=WordEmbedder()))


def outcome(report: Report, step: str) -> object:
    return next(one for one in report.outcomes if one.step == step)
