"""Two clones of one vault, on each of which people and agents work between two exchanges."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

import pytest

from mnemos_files.format.record import parse
from mnemos_files.model.event import Touched
from mnemos_files.model.record import Record
from mnemos_files.store.exchange import set_up_driver
from mnemos_files.store.store import Store
from mnemos_files.sync.driver import command
from tests.conftest import an_observation, git
from tests.sync.git_server import serving_git

OPERATIONS_OF_A_ROUND = 12
WORDS = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"]


@dataclass
class Expected:
    """What must be there in the end: texts, tags and links by memory, and those that are gone."""

    texts: dict[str, set[str]] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    events: set[str] = field(default_factory=set)

    def add(self, memory: str, text: str) -> None:
        self.texts.setdefault(memory, set()).add(text)


class Machine:
    """One clone, and what is done there at random."""

    def __init__(self, store: Store, name: str, chance: random.Random, expected: Expected) -> None:
        self.store, self.name, self.chance, self.expected = store, name, chance, expected
        self.root = store.place.vault.root
        self.count = 0

    def work(self, operations: int, memories: dict[str, str], *, moves_all: bool) -> None:
        """Do things; `memories` says who may do what to which: a name, or "" for everybody."""
        self.store.refresh()
        mine = [one for one, owner in memories.items() if owner == self.name]
        shared = [one for one, owner in memories.items() if not owner]
        for _ in range(operations):
            self.store._clock.tick(seconds=1)
            deed = self.chance.choice(DEEDS)
            deed(self, self.chance.choice([*mine, *shared]))
            alone = self.chance.choice([*DEEDS_ALONE, *DEEDS])
            movable = shared if moves_all and alone is Machine.rename else mine
            if movable:
                alone(self, self.chance.choice(movable))

    def token(self) -> str:
        """A text that stands nowhere else."""
        self.count += 1
        return f"{self.name}{self.count}{self.chance.choice(WORDS)}"

    def path(self, memory: str) -> str:
        (path,) = self.store.index.by_id(memory) or [""]
        return path

    def change(self, memory: str, change: Callable[[Record], Record]) -> None:
        if memory not in self.expected.deleted:
            self.store.update(memory, lambda note: change(note.record), op="edit")

    def save(self, _memory: str) -> None:
        token = self.token()
        record = an_observation(self.store, title=token, content=f"Text of {token}.")
        self.store.put(record)
        self.expected.add(record.id, token)

    def tag(self, memory: str) -> None:
        token = self.token()
        self.change(memory, lambda record: replace(record, tags=(*record.tags, token)))
        self.expected.add(memory, token)

    def untag(self, memory: str) -> None:
        self.change(memory, lambda r: replace(r, tags=tuple(t for t in r.tags if t != "old")))

    def append(self, memory: str) -> None:
        token = self.token()
        self.change(memory, lambda r: replace(r, content=f"{r.content}\n\nMore of {token}."))
        self.expected.add(memory, token)

    def link(self, memory: str) -> None:
        other = self.chance.choice(sorted(self.expected.texts.keys() - self.expected.deleted))
        if {memory, other} & self.expected.deleted or not self.path(other) or memory == other:
            return
        self.store.link(memory, other, "related")
        self.expected.add(memory, PurePosixPath(self.path(other)).stem)

    def supersede(self, memory: str) -> None:
        if memory in self.expected.deleted or not self.path(memory):
            return
        token = self.token()
        record = an_observation(self.store, title=token, content=f"Text of {token}.")
        self.store.put(record, supersedes=[memory])
        self.expected.add(record.id, token)
        self.expected.ended.add(memory)

    def weigh(self, memory: str) -> None:
        self.change(memory, lambda r: replace(r, importance=self.chance.randint(1, 10)))

    def promote(self, memory: str) -> None:
        self.change(memory, lambda record: replace(record, trust_tier="curated"))

    def touch(self, _memory: str) -> None:
        token = self.token()
        self.store.journal.append([Touched(self.store.now(), f"src/{token}.py")])
        self.expected.events.add(token)

    def by_hand(self, memory: str) -> None:
        """A person types a line at the end, and may commit it."""
        if memory in self.expected.deleted or not self.path(memory):
            return
        token = self.token()
        file = self.root / self.path(memory)
        file.write_text(f"{file.read_text()}\n- by hand: {token}\n")
        self.expected.add(memory, token)
        if self.chance.random() < 0.5:
            git(self.root, "commit", "-q", "-m", "by hand", "--", self.path(memory))

    def retitle(self, memory: str) -> None:
        token = self.token()
        self.change(memory, lambda record: replace(record, title=token))

    def rewrite(self, memory: str) -> None:
        """A person changes the first line of the text."""
        if memory in self.expected.deleted or not self.path(memory):
            return
        file = self.root / self.path(memory)
        head, fence, body = file.read_text().rpartition("---\n")
        file.write_text(f"{head}{fence}First {body}")

    def delete(self, memory: str) -> None:
        if memory not in self.expected.deleted and self.chance.random() < 0.3:
            self.store.remove(memory)
            self.expected.deleted.add(memory)

    def rename(self, memory: str) -> None:
        if memory in self.expected.deleted or not self.path(memory):
            return
        target = f"observations/moved/{self.token()}-{memory[-6:].lower()}.md"
        (self.root / target).parent.mkdir(parents=True, exist_ok=True)
        git(self.root, "add", "--", self.path(memory))
        git(self.root, "mv", "--", self.path(memory), target)
        git(self.root, "commit", "-q", "-m", "move", "--", self.path(memory), target)
        self.store.refresh()


DEEDS = [
    Machine.save, Machine.tag, Machine.tag, Machine.untag, Machine.append, Machine.append,
    Machine.link, Machine.supersede, Machine.weigh, Machine.promote, Machine.touch, Machine.by_hand,
]  # fmt: skip
"""What gives the same whoever is first, so that it must never need a person."""

DEEDS_ALONE = [Machine.retitle, Machine.rewrite, Machine.delete, Machine.rename]
"""What only one of the machines does to a memory in a round."""


def by_sync(machines: list[Machine]) -> None:
    """Exchange with edits about that are in no commit, then once more when they are."""
    one, other = machines
    for machine in (one, other, one):
        synced(machine)
    for machine in machines:
        git(machine.root, "commit", "-q", "-a", "-m", "by hand", check=False)
    for machine in (one, other, one):
        synced(machine)


def synced(machine: Machine) -> None:
    report = machine.store.exchange.sync()
    assert report.conflicts == ()
    assert report.notices == ()


def by_git(machines: list[Machine]) -> None:
    one, other = machines
    for machine in (one, other, one):
        git(machine.root, "add", "-A")
        git(machine.root, "commit", "-q", "-m", "vault backup", check=False)
        pulled = subprocess.run(
            ["git", "-C", machine.root, "pull", "--no-rebase", "--no-edit"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert pulled.returncode == 0, pulled.stdout + pulled.stderr
        git(machine.root, "push", "-q")


@pytest.fixture
def machines(tmp_path, vault, open_vault, monkeypatch):
    """Two clones of a bare repository, in which eight memories are."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    hub = tmp_path / "hubs" / "vault.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(hub))
    git(hub, "config", "http.receivepack", "true")
    git(vault, "remote", "add", "origin", str(hub))
    store = open_vault(vault, cache_folder=tmp_path / "cache-seed")
    expected = Expected()
    for number in range(8):
        record = an_observation(
            store, title=f"seed {number}", content=f"Seed {number}.\n\nIts end.", tags=("old",),
            trust_tier="raw", source_kind="tool",
        )  # fmt: skip
        store.put(record)
        expected.add(record.id, f"Seed {number}.")
    store.exchange.sync()
    made = []
    for name in ("one", "two"):
        root = tmp_path / name
        git(tmp_path, "clone", "-q", str(hub), str(root))
        git(root, "config", "user.name", name.title())
        git(root, "config", "user.email", f"{name}@example.org")
        set_up_driver(root, command([sys.executable, "-P", "-m", "mnemos_files.sync.driver"]))
        clone = open_vault(root, cache_folder=tmp_path / f"cache-{name}")
        chance = random.Random(f"{name}-7")  # noqa: S311 - deeds, no secrets
        made.append(Machine(clone, name, chance, expected))
    return made


def play(machines: list[Machine], operations: int, exchange, *, moves_all: bool) -> None:
    """Work on both sides in rounds, exchange after each, and look that nothing got lost."""
    expected = machines[0].expected
    left, round_number = operations, 0
    while left > 0:
        round_number += 1
        for machine in machines:
            machine.store.refresh()
        live = sorted(expected.texts.keys() - expected.deleted)
        known = [one for one in live if all(machine.store.index.by_id(one) for machine in machines)]
        owners = {one: ("one", "two", "")[(n + round_number) % 3] for n, one in enumerate(known)}
        for machine in machines:
            machine.work(OPERATIONS_OF_A_ROUND // 4, owners, moves_all=moves_all)
        left -= OPERATIONS_OF_A_ROUND
        exchange(machines)
        check(machines)


def check(machines: list[Machine]) -> None:
    trees = {git(machine.root, "rev-parse", "HEAD^{tree}") for machine in machines}
    assert len(trees) == 1
    one = machines[0]
    assert [git(machine.root, "status", "--porcelain") for machine in machines] == ["", ""]
    files = [PurePosixPath(name) for name in git(one.root, "ls-files", "observations").split()]
    notes = [parse(path, (one.root / path).read_bytes()) for path in files]
    texts = {note.record.id: (one.root / note.path).read_text() for note in notes}
    assert len(texts) == len(notes)
    assert not [problem for note in notes for problem in note.problems]
    expected = one.expected
    assert texts.keys() == expected.texts.keys() - expected.deleted
    lost = {
        (memory, text)
        for memory, wanted in expected.texts.items()
        if memory not in expected.deleted
        for text in wanted
        if text not in texts[memory]
    }
    assert not lost
    ended = {note.record.id for note in notes if note.record.invalidated is not None}
    assert expected.ended - expected.deleted <= ended


@pytest.mark.parametrize("way", ["sync", "git"])
def test_what_two_machines_do_at_once_is_all_there_on_both(machines, way):
    exchange = {"sync": by_sync, "git": by_git}[way]

    play(machines, 120, exchange, moves_all=way == "sync")

    journal = "".join(
        file.read_text() for file in machines[1].root.glob(".mnemos/journal/*/*.jsonl")
    )
    assert all(token in journal for token in machines[0].expected.events)
    assert git(machines[0].root, "fsck", "--no-dangling") == ""


def test_a_server_over_http_is_a_remote_like_any_other(machines, tmp_path):
    with serving_git(tmp_path / "hubs") as address:
        for machine in machines:
            git(machine.root, "remote", "set-url", "origin", f"{address}/vault.git")

        play(machines, 36, by_sync, moves_all=True)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["sync", "git"])
def test_a_thousand_deeds_of_two_machines_are_all_there_on_both(machines, way):
    exchange = {"sync": by_sync, "git": by_git}[way]

    play(machines, 1_000, exchange, moves_all=way == "sync")

    assert git(machines[0].root, "fsck", "--no-dangling") == ""
