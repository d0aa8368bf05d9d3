"""Which notes came and went between two moments of the history."""

from datetime import timedelta
from pathlib import Path

import pytest

from mnemos_files.model.note import Entry, Note
from mnemos_files.store import arrivals
from mnemos_files.store.arrivals import beginning, steps, uncommitted
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, an_observation, git


def saved(store: Store, title: str) -> str:
    return store.put(an_observation(store, title=title, content=title)).record.id


def titles(notes: tuple[Entry | Note, ...]) -> list[str]:
    return sorted(note.record.title for note in notes)


@pytest.fixture
def told(store: Store, clock: Clock) -> list[tuple[list[str], list[str]]]:
    """Two days: one note comes on the first, another comes and the first goes on the second."""
    first = saved(store, "First")
    clock.tick(days=1)
    saved(store, "Second")
    store.remove(first)
    moments = [NOON - timedelta(hours=12) + timedelta(days=number) for number in range(3)]
    return [(titles(step.came), titles(step.went)) for step in steps(store, moments)]


def test_each_step_has_what_came_and_what_went(told) -> None:
    assert told[-1] == (["Second"], ["First"])
    assert told[0][1] == []
    assert "First" in told[0][0]


def test_texts_that_are_too_many_to_read_are_known_by_their_path(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "READ_MAX", 0)
    name = saved(store, "Gone")
    path = Path(store.index.by_id(name)[0])
    clock.tick(days=1)
    store.remove(name)

    *_, last = steps(store, [NOON - timedelta(days=1), NOON + timedelta(hours=1), clock.now])

    assert [(str(note.path), note.is_ours) for note in last.went] == [(str(path), True)]


def test_the_beginning_is_the_day_before_the_first_note(store: Store, clock: Clock) -> None:
    root = store.place.vault.root
    git(root, "rm", "-q", "Home.md")
    git(root, "commit", "-q", "--amend", "--allow-empty", "-m", "nothing yet")
    saved(store, "First")
    clock.tick(days=100, hours=3)

    assert NOON - timedelta(days=1) <= beginning(store) < NOON


def test_files_that_no_commit_has_are_counted(store: Store, vault: Path) -> None:
    assert uncommitted(store, ["Home.md", "new.md"]) == 1


def test_a_vault_without_a_history_tells_nothing(
    tmp_path: Path, open_vault: OpenStore, clock: Clock
) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    store = open_vault(root)

    assert [*steps(store, [NOON, NOON])] == []
    assert uncommitted(store, ["a.md"]) == 0
    assert beginning(store) == clock.now
