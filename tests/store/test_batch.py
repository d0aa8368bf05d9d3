"""Events are committed by themselves when it has been quiet, if there is something to tell."""

import threading
from datetime import timedelta
from pathlib import Path

import pytest

from mnemos_files.model.event import (
    Accessed,
    Event,
    SessionEnded,
    SessionStarted,
    SkillUsed,
    Surfaced,
    Touched,
)
from mnemos_files.store import worker
from mnemos_files.store.store import Store
from mnemos_files.store.worker import Worker
from tests.conftest import NOON, Clock, OpenStore, an_observation, git


def subject(vault: Path) -> str:
    return git(vault, "log", "-1", "--format=%s").strip()


@pytest.fixture
def quiet(store: Store) -> Store:
    """A store with its settings committed and nothing waiting."""
    store.put(an_observation(store))
    return store


@pytest.mark.parametrize(
    "event",
    [
        Touched(NOON, "a.py", "api"),
        SkillUsed(NOON, "s", "success"),
        Accessed(NOON, ("a",)),
    ],
)
def test_a_deed_is_committed_after_a_quarter_of_an_hour(
    quiet: Store, vault: Path, clock: Clock, event: Event
) -> None:
    quiet.journal.append([SessionStarted(NOON, "s"), event])
    before = subject(vault)

    clock.tick(minutes=14, seconds=50)
    assert quiet.batch.idle() == 10.0
    assert subject(vault) == before
    clock.tick(seconds=10)
    assert quiet.batch.idle() == 900.0

    assert subject(vault) == "journal(events): 2 events"
    assert git(vault, "status", "--porcelain") == ""


def test_a_start_and_what_it_surfaced_are_never_committed_by_themselves(
    quiet: Store, vault: Path, clock: Clock
) -> None:
    quiet.journal.append(
        [
            SessionStarted(NOON, "s"),
            Surfaced(NOON, ("a",), "prewarm", session="s"),
            SessionEnded(NOON, "s", "abandoned"),
        ]
    )
    before = subject(vault)

    clock.tick(days=3)
    quiet.batch.idle()

    assert subject(vault) == before


def test_what_is_committed_already_is_no_reason_for_a_commit(
    quiet: Store, vault: Path, clock: Clock
) -> None:
    quiet.journal.append([Touched(NOON, "a.py")])
    quiet.commit_journal()
    quiet.journal.append([SessionStarted(NOON, "s")])
    before = git(vault, "rev-parse", "HEAD")

    clock.tick(days=1)
    quiet.batch.idle()

    assert git(vault, "rev-parse", "HEAD") == before


def test_every_event_and_every_write_begins_the_quarter_anew(
    quiet: Store, vault: Path, clock: Clock
) -> None:
    quiet.journal.append([Touched(NOON, "a.py")])
    quiet.journal.append([Accessed(clock.tick(minutes=14), ("a",))])
    clock.tick(minutes=14)
    assert quiet.batch.idle() == 60.0

    quiet.put(an_observation(quiet, content="Still at work."))
    clock.tick(minutes=14)
    assert quiet.batch.idle() == 60.0

    clock.tick(minutes=1)
    quiet.batch.idle()
    assert subject(vault) == "journal(events): 2 events"


def test_what_another_process_left_is_committed_too(
    vault: Path, open_vault: OpenStore, clock: Clock
) -> None:
    first = open_vault(vault)
    first.put(an_observation(first))
    first.journal.append([Touched(NOON, "a.py")])
    clock.tick(days=1)
    second = open_vault(vault)
    assert second.batch.idle() == 900.0  # it has only just been opened

    clock.tick(minutes=15)
    second.batch.idle()

    assert subject(vault) == "journal(events): 1 event"


def test_a_clock_that_was_put_back_delays_nothing_for_ever(
    quiet: Store, vault: Path, clock: Clock
) -> None:
    quiet.journal.append([Touched(NOON + timedelta(days=400), "a.py")])

    quiet.batch.idle()

    assert subject(vault) == "journal(events): 1 event"


def test_in_the_middle_of_a_merge_it_waits_quietly(
    quiet: Store, vault: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    quiet.journal.append([Touched(NOON, "a.py")])
    (vault / ".git/rebase-merge").mkdir()
    clock.tick(minutes=20)

    assert quiet.batch.idle() == 900.0
    assert caplog.records == []
    (vault / ".git/rebase-merge").rmdir()
    quiet.batch.idle()

    assert subject(vault) == "journal(events): 1 event"


def test_without_a_journal_there_is_nothing_to_do(quiet: Store, vault: Path, clock: Clock) -> None:
    before = subject(vault)
    clock.tick(days=1)

    assert quiet.batch.idle() == 900.0
    assert subject(vault) == before


def test_the_worker_asks_after_a_rest_and_again_after_the_time_that_it_is_told(
    quiet: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "REST_SECONDS", 0.01)
    monkeypatch.setattr(worker, "QUIET_SECONDS", 0.01)
    asked: list[int] = []
    enough = threading.Event()

    def idle() -> float:
        asked.append(1)
        if len(asked) == 1:
            raise OSError("tried again after the next rest")
        if len(asked) == 3:
            enough.set()
            return 900.0
        return 0.01

    one = Worker(quiet._refresher, quiet.index, sweep=lambda: None, repair=lambda: False, idle=idle)
    one.start()

    assert enough.wait(30)
    one.stop()
    assert len(asked) == 3
