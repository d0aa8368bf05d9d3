"""A server dreams when it is told to, when it is quiet, and not too often."""

from datetime import timedelta
from pathlib import Path

import pytest

from mnemos_files.dream.auto import attach
from mnemos_files.model.event import Accessed
from mnemos_files.model.record import Record
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, an_observation, git


@pytest.fixture
def dreaming(vault: Path, open_vault: OpenStore) -> Store:
    """A store that may dream, with a memory that is past its time."""
    (vault / ".mnemos").mkdir()
    (vault / ".mnemos/config.toml").write_text("[dream]\nauto = true\n")
    store = open_vault(vault)
    attach(store)
    expiring(store, "First")
    return store


def expiring(store: Store, title: str) -> Record:
    record = an_observation(store, title=title, content=title, expires=NOON - timedelta(days=1))
    return store.put(record).record


def dreams(vault: Path) -> int:
    return git(vault, "log", "--format=%s").count("expire(memory)")


def test_it_dreams_after_a_quarter_of_an_hour_of_quiet(dreaming: Store, vault: Path, clock: Clock):
    clock.tick(minutes=14)
    assert dreaming.batch.idle() == 60.0
    assert dreams(vault) == 0
    clock.tick(minutes=1)

    assert dreaming.batch.idle() == 900.0

    assert dreams(vault) == 1


def test_reading_is_no_quiet(dreaming: Store, vault: Path, clock: Clock):
    clock.tick(minutes=15)
    dreaming.journal.append([Accessed(NOON + timedelta(minutes=10), ("a",))])

    assert dreaming.batch.idle() == 600.0
    assert dreams(vault) == 0


def test_it_dreams_at_most_once_in_six_hours(dreaming: Store, vault: Path, clock: Clock):
    clock.tick(minutes=15)
    dreaming.batch.idle()
    expiring(dreaming, "Second")
    clock.tick(hours=5, minutes=59)
    dreaming.batch.idle()
    assert dreams(vault) == 1
    clock.tick(minutes=1)

    dreaming.batch.idle()

    assert dreams(vault) == 2


def test_another_server_waits_as_well(
    dreaming: Store, vault: Path, clock: Clock, open_vault: OpenStore
):
    clock.tick(minutes=15)
    dreaming.batch.idle()
    other = open_vault(vault)
    attach(other)
    expiring(other, "Second")
    clock.tick(minutes=20)

    other.batch.idle()

    assert dreams(vault) == 1


def test_it_never_dreams_in_the_middle_of_a_merge(dreaming: Store, vault: Path, clock: Clock):
    (vault / ".git/MERGE_HEAD").write_text(git(vault, "rev-parse", "HEAD"))
    clock.tick(hours=1)

    assert dreaming.batch.idle() == 900.0

    assert dreams(vault) == 0


def test_without_the_setting_it_never_dreams(store: Store, vault: Path, clock: Clock):
    attach(store)
    expiring(store, "First")
    clock.tick(hours=1)

    store.batch.idle()

    assert dreams(vault) == 0
