"""Candidates come and go by commits of their own, and what a person takes back stays so."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemos_files.dream.run import Report, dream
from mnemos_files.store.store import Store
from tests.conftest import Clock, an_observation, git
from tests.dream.conftest import outcome

Run = Callable[[], Report]


@pytest.fixture
def doubted(store: Store, clock: Clock) -> None:
    """A memory that has been in quarantine for twenty days."""
    store.put(an_observation(store, trust_tier="raw", source_kind="tool"))
    clock.tick(days=20)


@pytest.mark.usefixtures("doubted")
def test_a_candidate_that_a_person_takes_back_is_not_raised_again(
    vault: Path, run: Run, clock: Clock
):
    first = outcome(run(), "detection")
    assert first.done == ("stale-raw: Use Argon2id for password hashing: new",)
    git(vault, "revert", "--no-edit", first.commit)
    clock.tick(days=1)

    again = run()

    assert not again.changed
    assert outcome(again, "detection").undone == first.done


@pytest.mark.usefixtures("doubted")
def test_an_answer_closes_it_and_a_person_may_open_it_again(
    store: Store, vault: Path, run: Run, clock: Clock
):
    run()
    name = next(e.record.id for e in store.index.entries.values() if e.record.type == "rumination")
    tags = (f"ruminated-from:{name}",)
    store.put(an_observation(store, title="Better", content="Other words.", tags=tags))
    clock.tick(days=1)
    closed = outcome(run(), "resolution")
    assert closed.done == ("stale-raw: Use Argon2id for password hashing: resolved",)
    git(vault, "revert", "--no-edit", closed.commit)
    clock.tick(days=1)

    again = run()

    assert not again.changed
    assert outcome(again, "resolution").undone == closed.done


@pytest.mark.usefixtures("doubted")
def test_nothing_is_raised_where_rumination_is_off(vault: Path, open_vault, clock: Clock):
    (vault / ".mnemos/config.toml").write_text("[rumination]\nenabled = false\n")

    report = dream(open_vault(vault), clock())

    assert not report.changed


def test_candidates_that_a_person_takes_back_make_room_for_the_next(
    store: Store, vault: Path, run: Run, clock: Clock
):
    for number in range(52):
        guess = an_observation(
            store, title=f"Guess {number}", content=f"g {number}", trust_tier="raw"
        )
        store.put(guess)
    clock.tick(days=20)
    first = outcome(run(), "detection")
    assert len(first.done) == 50
    git(vault, "revert", "--no-edit", first.commit)
    clock.tick(days=1)

    again = outcome(run(), "detection")

    assert len(again.done) == 2
    assert set(again.undone) == set(first.done)
