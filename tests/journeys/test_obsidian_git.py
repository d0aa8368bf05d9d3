"""A server works while a plugin commits, pulls and pushes in the same repository by the clock.

The plugin does what obsidian-git does: `add -A`, `commit`, `pull` with a merge, `push`.
"""

import subprocess
import threading
from pathlib import Path

import pytest

from tests.conftest import git
from tests.wire import Wire, serving

RETRIES = 200


class Plugin(threading.Thread):
    """Backs a vault up round after round, while the person writes a line a round."""

    def __init__(self, vault: Path, rounds: int) -> None:
        super().__init__()
        self.vault = vault
        self.rounds = rounds
        self.failed: list[str] = []

    def run(self) -> None:
        for number in range(self.rounds):
            with (self.vault / f"Daily {self.vault.name}.md").open("a", encoding="utf-8") as note:
                note.write(f"line {number}\n")
            self.back_up()

    def back_up(self) -> bool:
        """One round; a step that meets a lock fails as with the plugin, and the next goes on."""
        done = [
            self._git("add", "-A"),
            self._git("commit", "-m", "vault backup: 2026-12-01 12:00:00"),
            self._git("pull", "--no-rebase", "--no-edit"),
            self._git("push"),
        ]
        return done[2] and done[3]

    def _git(self, *arguments: str) -> bool:
        done = subprocess.run(
            ["git", "-C", self.vault, *arguments], capture_output=True, text=True, check=False
        )
        if done.returncode:
            self.failed.append(f"{arguments[0]}: {done.stdout} {done.stderr}")
        return done.returncode == 0


def saved(wire: Wire, name: str, count: int) -> list[str]:
    """Paths of memories that an agent saved; it tries again when a merge is in progress."""
    paths: list[str] = []
    for number in range(count):
        for _ in range(RETRIES):
            answer = wire.request(
                "tools/call",
                name="mnemos_save",
                arguments={
                    "title": f"Finding {number} of {name}",
                    "content": f"The {name} agent found {number} things.",
                    "type": "context",
                },
            )["result"]
            if not answer.get("isError"):
                paths.append(answer["structuredContent"]["path"])
                break
            assert any(
                word in answer["content"][0]["text"]
                for word in ("git-state", "merge", "lock", "moved", "conflict")
            ), answer
    return paths


def cloned(remote: Path, folder: Path) -> Path:
    git(folder.parent, "clone", "-q", str(remote), str(folder))
    git(folder, "config", "user.name", "Ines Example")
    git(folder, "config", "user.email", f"{folder.name}@example.org")
    return folder


def tree(vault: Path) -> set[str]:
    return set(git(vault, "ls-tree", "-r", "--name-only", "HEAD").splitlines())


def worked(vaults: list[Path], caches: list[Path], rounds: int, count: int) -> list[list[str]]:
    """Servers, agents and plugins of all vaults at once."""
    wires = [
        serving(vault, MNEMOS_CACHE_DIR=str(cache))
        for vault, cache in zip(vaults, caches, strict=True)
    ]
    found: list[list[str]] = [[] for _ in vaults]

    def agent(place: int) -> None:
        found[place] = saved(wires[place], vaults[place].name, count)

    plugins = [Plugin(vault, rounds) for vault in vaults]
    agents = [threading.Thread(target=agent, args=(place,)) for place in range(len(vaults))]
    for thread in (*plugins, *agents):
        thread.start()
    for thread in (*plugins, *agents):
        thread.join()
    for wire in wires:
        wire.close()
    return found


def check(tmp_path: Path, vault: Path, rounds: int, count: int) -> None:
    with_memories = serving(vault, MNEMOS_CACHE_DIR=str(tmp_path / "cache"))
    saved(with_memories, "first", 1)
    with_memories.close()
    remote = tmp_path / "remote.git"
    git(tmp_path, "clone", "-q", "--bare", str(vault), str(remote))
    vaults = [cloned(remote, tmp_path / name) for name in ("anna", "ben")]
    caches = [tmp_path / f"cache-{one.name}" for one in vaults]

    found = worked(vaults, caches, rounds, count)
    for one in (*vaults, *vaults):
        last = Plugin(one, 0)
        assert last.back_up(), [*last.failed, one]

    assert [len(paths) for paths in found] == [count, count]
    for one in vaults:
        assert {path for paths in found for path in paths} <= tree(one)
        assert git(one, "status", "--porcelain") == ""
        assert "missing" not in git(one, "fsck", "--full")
        for name in ("anna", "ben"):
            lines = (one / f"Daily {name}.md").read_text(encoding="utf-8").splitlines()
            assert lines == [f"line {number}" for number in range(rounds)]
    assert tree(vaults[0]) == tree(vaults[1])


@pytest.mark.timeout(180)
def test_nothing_is_lost_beside_a_plugin_that_backs_up(tmp_path: Path, vault: Path) -> None:
    check(tmp_path, vault, rounds=6, count=15)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_nothing_is_lost_in_a_long_day_beside_the_plugin(tmp_path: Path, vault: Path) -> None:
    check(tmp_path, vault, rounds=60, count=150)
