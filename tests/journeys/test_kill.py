"""kill -9 at random moments of a burst of saves from several clients."""

import random
import threading
from pathlib import Path

import pytest

from tests.conftest import git
from tests.wire import Wire, serving

CLIENTS = 2
IN_FLIGHT = 8


def burst(wire: Wire, name: str, killer_delay: float) -> list[dict]:
    """Save as fast as the server takes it until it dies; the acknowledged results."""
    acknowledged: list[dict] = []
    pending: list[int] = []
    threading.Timer(killer_delay, wire.process.kill).start()
    number = 0
    try:
        while True:
            while len(pending) < IN_FLIGHT:
                number += 1
                title = f"fact {name}x{number}"
                pending.append(
                    wire.start_call(
                        "save", title=title, content=f"body of {title}", type="semantic"
                    )
                )
            result = wire.wait(pending.pop(0))["result"]
            assert not result.get("isError"), result
            acknowledged.append(result["structuredContent"])
    except (EOFError, OSError):
        return acknowledged


def storm(vault: Path, rounds: int, seed: int) -> list[dict]:
    """Every round: servers start, save, and are killed at moments of their own."""
    chance = random.Random(seed)  # noqa: S311 - moments, not secrets
    acknowledged: list[dict] = []
    for round_number in range(rounds):
        wires = [serving(vault) for _ in range(CLIENTS)]
        if round_number % 4 != 3:  # every fourth round they are killed while they open the vault
            for wire in wires:
                wire.call("stats")
        results: list[list[dict]] = [[] for _ in wires]

        def run(index: int, wire: Wire, delay: float, number: int, into: list[list[dict]]) -> None:
            into[index] = burst(wire, f"r{number}c{index}", delay)

        threads = [
            threading.Thread(
                target=run, args=(i, w, chance.uniform(0.05, 1.2), round_number, results)
            )
            for i, w in enumerate(wires)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for wire in wires:
            wire.kill()
        acknowledged += [each for result in results for each in result]
    return acknowledged


def check_nothing_is_lost(vault: Path, acknowledged: list[dict]) -> None:
    wire = serving(vault)
    wire.call("save", title="after the storm", content="the next write works", type="semantic")
    stats = wire.call("stats")
    while stats["index"]["pending"]:
        stats = wire.call("stats")
    for each in acknowledged[-40:]:
        found = wire.call("search", query=each["title"], limit=3)["results"]
        assert each["id"] in [hit["id"] for hit in found]
    assert wire.close() == 0

    tree = set(git(vault, "ls-tree", "-r", "--name-only", "HEAD").split("\n"))
    for each in acknowledged:
        assert each["path"] in tree
        assert f"id: {each['id']}\n" in (vault / each["path"]).read_text("utf-8")
    for path in vault.rglob("*.md"):
        text = path.read_text("utf-8")
        assert path.name == "Home.md" or text.rstrip("\n").rsplit("\n", 1)[-1].startswith(
            ("body of fact", "the next write", "half a thought")
        )
    assert git(vault, "status", "--porcelain") == " M Home.md\n?? draft.md\n"
    assert (vault / "Home.md").read_text("utf-8") == "# Home\n\nhalf a thought\n"
    # Objects of a commit that was killed before the branch moved are left over, which is no fault.
    assert git(vault, "fsck", "--strict", "--no-dangling") == ""


def prepared(vault: Path) -> None:
    (vault / "Home.md").write_text("# Home\n\nhalf a thought\n", encoding="utf-8")
    (vault / "draft.md").write_text("half a thought\n", encoding="utf-8")


def test_nothing_acknowledged_is_lost_when_servers_are_killed(vault: Path) -> None:
    prepared(vault)

    acknowledged = storm(vault, rounds=4, seed=1)

    assert acknowledged
    check_nothing_is_lost(vault, acknowledged)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_nothing_acknowledged_is_lost_in_two_hundred_kills(vault: Path) -> None:
    prepared(vault)

    acknowledged = storm(vault, rounds=100, seed=2)  # two servers each: 200 kills

    assert len(acknowledged) > 1000
    check_nothing_is_lost(vault, acknowledged)
