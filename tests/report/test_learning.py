"""What was learned and dropped, by days, weeks and months, as the git history has it."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from mnemos_files.report.learning import MONTHS_MAX, learning, spans
from mnemos_files.report.relations import relate
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock
from tests.report.vaults import commit, save


def told(store: Store, since: datetime | None = None, project: str = "") -> list[tuple]:
    found = learning(store, relate(store), since, project)
    return [
        (f"{one.start:%m-%d}", one.learned, one.ended, one.deleted)
        for one in found.periods
        if one.learned or one.ended or one.deleted
    ]


def test_each_day_has_what_came_what_ended_and_what_went(store: Store, clock: Clock) -> None:
    old = save(store, clock, "Old", content="a")
    gone = save(store, clock, "Gone", content="b")
    clock.tick(days=1)
    save(store, clock, "New", content="c", supersedes=[old.id])
    clock.tick(days=2)
    store.remove(gone.id)

    found = learning(store, relate(store), None, "")

    assert told(store) == [("12-01", 2, 0, 0), ("12-02", 1, 1, 0), ("12-04", 0, 0, 1)]
    assert len(found.periods) == 4
    assert [one.record.title for one in found.gone] == ["Gone"]
    assert (found.unit, found.is_from_git, found.uncommitted) == ("day", True, 0)


def test_a_moved_memory_is_neither_learned_nor_dropped(store: Store, clock: Clock) -> None:
    root = store.place.vault.root
    one = save(store, clock, "Moved", content="a")
    clock.tick(days=1)
    path = store.index.by_id(one.id)[0]
    (root / "elsewhere").mkdir()
    (root / path).rename(root / "elsewhere" / "new-name.md")
    commit(root, clock.now)
    store.refresh()

    assert told(store) == [("12-01", 1, 0, 0)]


def test_what_a_person_deletes_and_commits_is_dropped(store: Store, clock: Clock, vault) -> None:
    one = save(store, clock, "By hand", content="a")
    (vault / store.index.by_id(one.id)[0]).unlink()
    commit(vault, clock.tick(days=1))
    store.refresh()

    (gone,) = learning(store, relate(store), None, "").gone
    assert gone.record.title == "By hand"


def test_what_came_and_went_within_a_period_is_not_told(store: Store, clock: Clock) -> None:
    save(store, clock, "Stays", content="a")
    store.remove(save(store, clock, "Slip", content="b").id)

    assert told(store) == [("12-01", 1, 0, 0)]


def test_sessions_and_notes_of_a_person_are_not_learned(store: Store, clock: Clock, vault) -> None:
    (vault / "mine.md").write_text("mine\n", encoding="utf-8")
    commit(vault, clock.now)
    session = store.sessions.start("Work", "api", "codex").session.id
    save(store, clock, "One", content="a", session=session)

    found = learning(store, relate(store), None, "")

    assert sum(one.learned for one in found.periods) == 1


def test_a_window_tells_only_what_happened_in_it(store: Store, clock: Clock) -> None:
    save(store, clock, "Before", content="a")
    clock.tick(days=5)
    save(store, clock, "In it", content="b")

    assert told(store, clock.now - timedelta(days=2)) == [("12-06", 1, 0, 0)]


def test_a_project_has_its_own_and_the_global_ones(store: Store, clock: Clock) -> None:
    for title, project in (("A", "api"), ("W", "web"), ("G", "")):
        one = save(store, clock, title, content=title, project=project)
        clock.tick(days=1)
        store.remove(one.id)

    found = learning(store, relate(store), None, "api")

    assert [one.record.title for one in found.gone] == ["G", "A"]


def test_what_is_not_committed_yet_is_counted_apart(store: Store, clock: Clock, vault) -> None:
    save(store, clock, "One", content="a")
    text = "---\ntype: decision\ntitle: N\n---\nx\n"
    (vault / "observations" / "new.md").write_text(text, "utf-8")
    store.refresh()

    found = learning(store, relate(store), None, "")

    assert (sum(one.learned for one in found.periods), found.uncommitted) == (1, 1)


def test_without_a_history_the_dates_in_the_files_are_told(tmp_path, open_vault) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    text = "---\ntype: decision\ntitle: T\ncreated: 2026-11-29T10:00:00Z\n---\nC\n"
    (root / "observations").mkdir()
    (root / "observations" / "note.md").write_text(text, encoding="utf-8")
    store = open_vault(root)
    store.refresh()

    assert told(store) == [("11-29", 1, 0, 0)]
    assert not learning(store, relate(store), None, "").is_from_git


@pytest.mark.parametrize(
    ("days", "unit", "count", "first"),
    [
        (0, "day", 1, "2026-12-01"),
        (45, "day", 46, "2026-10-17"),
        (46, "week", 8, "2026-10-12"),
        (420, "week", 61, "2025-10-06"),
        (421, "month", 15, "2025-10-01"),
        (36_500, "month", MONTHS_MAX, "2017-01-01"),
        (-3, "day", 1, "2026-12-01"),
    ],
)
def test_the_longer_the_time_the_longer_the_periods(days, unit, count, first) -> None:
    found, periods = spans(NOON - timedelta(days=days), NOON)

    assert (found, len(periods), f"{periods[0].start:%Y-%m-%d}") == (unit, count, first)
    assert periods[-1].start <= NOON < periods[-1].end
    assert all(a.end == b.start for a, b in pairwise(periods))


def test_months_are_those_of_the_calendar() -> None:
    _, periods = spans(datetime(2024, 2, 29, tzinfo=UTC), datetime(2026, 1, 31, tzinfo=UTC))

    assert {one.start.day for one in periods} == {1}
    assert [f"{one.start:%y-%m}" for one in periods[:3]] == ["24-02", "24-03", "24-04"]
    assert len(periods) == 24
