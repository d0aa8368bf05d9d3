"""kill -9 at random moments of working sessions: what was answered stays, the rest can go on."""

import json
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mnemos_files.errors import NotFoundError
from mnemos_files.model.session import Ending
from mnemos_files.store.store import Store
from tests.conftest import OpenStore, an_observation, git

WORK = """
import itertools, sys
from pathlib import Path
from mnemos_files.model.record import Record
from mnemos_files.model.session import Ending
from mnemos_files.store.open import open_store
from tests.conftest import WordEmbedder

root, cache, name = sys.argv[1:]
store = open_store(Path(root), cache_folder=Path(cache), embedder=WordEmbedder(), process=1)
for number in itertools.count():
    session = store.sessions.start(f"Goal {name} {number}", "api", name).session
    print("started", session.id, flush=True)
    now = store.now()
    saved = store.put(
        Record(
            id=store.new_id(now),
            type="decision",
            title=f"Fact {name} {number}",
            content=f"Text {name} {number}",
            created=now.replace(microsecond=0),
            session=session.id,
        )
    )
    print("saved", session.id, saved.path, flush=True)
    ended = store.sessions.end(session.id, Ending(summary=f"Summary {name} {number}"))
    print("ended", session.id, ended.path, flush=True)
"""


def worked(vault: Path, cache: Path, name: str, seconds: float) -> list[list[str]]:
    """What a process answered before it was killed."""
    command = [sys.executable, "-c", WORK, str(vault), str(cache), name]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        lines = [first, *process.stdout.readlines()]
        timer.join()
    return [line.split() for line in lines if line.endswith("\n")]


def storm(vault: Path, cache: Path, rounds: int, seed: int) -> list[list[str]]:
    """In every round two processes work until each is killed at a moment of its own."""
    chance = random.Random(seed)  # noqa: S311 - moments, not secrets
    answers: list[list[str]] = []
    for number in range(rounds):
        threads = [
            threading.Thread(
                target=lambda name, wait: answers.extend(worked(vault, cache, name, wait)),
                args=(f"r{number}c{client}", chance.uniform(0.0, 1.5)),
            )
            for client in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return answers


def check(vault: Path, open_vault: OpenStore, answers: list[list[str]]) -> None:
    store = open_vault(vault)
    store.recover()  # as the start of a server does, and its worker sweeps
    store._sweep()
    store.finish()
    started = {answer[1] for answer in answers if answer[0] == "started"}
    saved = {answer[1]: answer[2] for answer in answers if answer[0] == "saved"}
    ended = {answer[1]: answer[2] for answer in answers if answer[0] == "ended"}
    tree = set(git(vault, "ls-tree", "-r", "--name-only", "HEAD").splitlines())
    for session_id, path in saved.items():
        assert path in tree
        found = store.sessions.find(session_id)
        assert found is not None
        link = (vault / path).read_text("utf-8").partition('session: "[[')[2].partition("]]")[0]
        assert f"sessions/api/{link}.md" in tree
    for session_id, path in ended.items():
        text = (vault / path).read_text("utf-8")
        assert path in tree
        assert text.count("## Saved") == text.count("## Summary") == 1
        assert f"[[{Path(saved[session_id]).stem}|" in text
        with pytest.raises(NotFoundError):
            store.sessions.end(session_id, Ending(summary="Again."))
    for session_id in started - ended.keys():
        found = store.sessions.find(session_id)
        assert found is not None
        if found.ended is None or not found.summary:
            store.sessions.end(session_id, Ending(summary="Taken up."))
            found = store.sessions.find(session_id)
            assert found is not None
        assert found.status == "ok"
    check_repository(vault, store)


def check_repository(vault: Path, store: Store) -> None:
    store.put(an_observation(store, title="after the storm"))
    store.commit_journal()
    # A killed writer may leave its draft, which the next server sweeps away.
    left = git(vault, "status", "--porcelain").splitlines()
    assert [line for line in left if not line.endswith(".tmp")] == []
    assert git(vault, "fsck", "--strict", "--no-dangling") == ""
    for path in vault.glob(".mnemos/journal/*/*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            json.loads(line)


def test_sessions_survive_processes_that_are_killed(
    vault: Path, tmp_path: Path, open_vault: OpenStore
) -> None:
    answers = storm(vault, tmp_path / "cache", rounds=3, seed=1)

    assert any(answer[0] == "ended" for answer in answers)
    check(vault, open_vault, answers)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_sessions_survive_a_hundred_kills(
    vault: Path, tmp_path: Path, open_vault: OpenStore
) -> None:
    answers = storm(vault, tmp_path / "cache", rounds=50, seed=2)

    assert len(answers) > 100
    check(vault, open_vault, answers)
