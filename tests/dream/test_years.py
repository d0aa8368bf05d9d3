"""Months and years of dreams: nothing is lost, nothing swings, nothing is done twice."""

# ruff: noqa: S311 - repeatable, not secret

import random
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from mnemos_files.dream.run import Report, dream
from mnemos_files.dream.table import PASSES
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import render
from mnemos_files.model.event import Surfaced
from mnemos_files.model.record import Record
from mnemos_files.model.skill import version
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, an_observation, git

LABELS = ("migrations", "deploys", "caching", "logging")
WORDS = [f"{first}{last}" for first in "bcdfghklmnprst" for last in ("ab", "ek", "ol", "un", "iz")]
SETTLED_MAX = 10


class Life:
    """A vault in which things happen, the same ones each time."""

    def __init__(self, store: Store, root: Path, clock: Clock) -> None:
        self.store, self.root, self.clock = store, root, clock
        self.chance = random.Random(7)
        self.kept: set[str] = set()
        self.corrections: list[str] = []
        self.ends: dict[str, object] = {}
        self.reverted: set[str] = set()

    def fill(self, count: int) -> None:
        """Records of the past, committed by a person."""
        for number in range(count):
            record = self.record(number, created=NOON - timedelta(days=count - number))
            path = self.root / path_for(record)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(render(record))
            self.kept.add(record.id)
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "-m", "the past")
        self.store.finish()

    def record(self, number: int, **fields: object) -> Record:
        text = " ".join(self.chance.sample(WORDS, 12))
        given = {"type": self.chance.choice(["decision", "bugfix", "pattern"]), "project": "api"}
        title = f"{text[:30]} {number}"
        return an_observation(self.store, title=title, content=text, **(given | fields))

    def correct(self, number: int) -> None:
        label = self.chance.choice(LABELS)
        record = self.record(number, type="correction", tags=(label,))
        self.store.put(record)
        self.kept.add(record.id)
        self.corrections.append(record.id)

    def day(self, number: int) -> None:
        """What a day brings."""
        self.clock.tick(hours=20)
        if self.chance.random() < 0.3:
            self.correct(number)
        if self.corrections and self.chance.random() < 0.3:
            seen = (self.chance.choice(self.corrections),)
            self.store.journal.append([Surfaced(self.clock(), seen, "prewarm")])
        if number % 7 == 0:
            record = self.record(number, expires=self.clock() + timedelta(days=5))
            self.store.put(record)
            self.ends[record.id] = record.expires
        self.clock.tick(hours=4)

    def revert(self, report: Report) -> None:
        """A person takes back what expired."""
        commit = next((one.commit for one in report.outcomes if one.step == "expiry"), "")
        if commit:
            known = set(self.ids())
            git(self.root, "revert", "--no-edit", commit)
            self.reverted |= set(self.ids()) - known

    def ids(self) -> Iterator[str]:
        self.store.refresh()
        return (entry.record.id for entry in self.store.index.entries.values())

    def skills(self) -> dict[str, int]:
        entries = self.store.skills.all()
        return {e.record.title: version(e.record, e.digest) for e in entries}


@pytest.fixture
def life(vault: Path, open_vault: OpenStore, clock: Clock) -> Life:
    return Life(open_vault(vault), vault, clock)


def commits(root: Path) -> int:
    return int(git(root, "rev-list", "--count", "HEAD"))


def live(life: Life, days: int) -> None:
    """Live through the days and look at the vault each evening."""
    versions: dict[str, int] = {}
    for number in range(days):
        life.day(number)
        before = commits(life.root)

        report = dream(life.store, life.clock())

        assert [one.error for one in report.outcomes if one.error] == []
        assert commits(life.root) - before <= len(PASSES) + 1
        assert not dream(life.store, life.clock()).changed
        look(life)
        grown = life.skills()
        assert all(grown.get(title, 0) >= number for title, number in versions.items())
        versions = grown
        if number % 21 == 5:
            life.revert(report)


def look(life: Life) -> None:
    """Nothing is lost, and only what has ended is gone."""
    found = set(life.ids())
    assert life.kept <= found
    assert life.reverted <= found
    now = life.clock()
    over = {name for name, end in life.ends.items() if end <= now}
    assert over & found == life.reverted & over
    assert life.ends.keys() - over <= found


def play(life: Life, records: int, days: int) -> None:
    life.fill(records)
    for _ in range(SETTLED_MAX):
        if not dream(life.store, life.clock()).changed:
            break
    else:
        pytest.fail("it never settles")
    live(life, days)
    skills = life.skills()
    assert set(skills) <= {f"auto: {label} (api)" for label in LABELS}
    assert skills
    changes = Counter(git(life.root, "log", "--format=", "--name-only", "skills").split())
    assert sum(changes.values()) <= len(life.corrections)
    assert life.reverted


def test_two_months_of_a_small_vault(life: Life):
    play(life, 200, 60)


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_more_than_a_year_of_a_large_vault(life: Life):
    play(life, 2_000, 400)
