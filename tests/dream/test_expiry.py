"""Which memories end, and which never do."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mnemos_files.dream.passes.expiry import expiry
from mnemos_files.dream.proposal import Scene
from mnemos_files.store.edits import Drop
from mnemos_files.store.store import Store
from tests.conftest import NOON, an_observation, git

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize("expires", [NOON - SECOND, NOON])
def test_a_memory_ends_at_its_time(store: Store, expires: datetime):
    saved = store.put(an_observation(store, expires=expires))

    proposal = expiry(Scene(store, NOON))

    assert [deed.edits for deed in proposal.deeds] == [(Drop(str(saved.path)),)]


def test_a_memory_does_not_end_before_its_time(store: Store):
    store.put(an_observation(store, expires=NOON + SECOND))

    assert expiry(Scene(store, NOON)).deeds == ()


def test_what_is_outdated_or_replaced_stays(store: Store):
    store.put(an_observation(store, valid_until=NOON - SECOND))
    store.put(an_observation(store, title="Other", content="b", invalidated=NOON - SECOND))

    assert expiry(Scene(store, NOON)).deeds == ()


def test_a_persons_own_note_stays(store: Store, vault: Path):
    (vault / "Mine.md").write_text("---\nexpires: 2020-01-01\n---\nmine\n")
    store.refresh()

    assert expiry(Scene(store, NOON)).deeds == ()


def test_the_history_keeps_what_was_deleted(store: Store, vault: Path, run):
    saved = store.put(an_observation(store, expires=NOON - SECOND))
    run()

    assert not (vault / saved.path).exists()
    assert "bcrypt caps" in git(vault, "log", "-p", "--", str(saved.path))


def test_another_time_is_another_deed(store: Store, vault: Path, run):
    saved = store.put(an_observation(store, expires=NOON - SECOND))
    commit = next(one for one in run().outcomes if one.step == "expiry").commit
    git(vault, "revert", "--no-edit", commit)
    text = (vault / saved.path).read_text()
    assert "expires: 2026-12-01T11:59:59Z" in text
    (vault / saved.path).write_text(text.replace("11:59:59Z", "11:59:58Z"))

    again = next(one for one in run().outcomes if one.step == "expiry")

    assert len(again.done) == 1
