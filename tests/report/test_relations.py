"""How memories hang together, whoever wrote the links and at which end."""

from pathlib import Path

import pytest

from mnemos_files.report.relations import Ended, Relation, groups, relate
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock
from tests.report.vaults import save

IN = "observations"


def note(root: Path, name: str, *lines: str, body: str = "x") -> None:
    head = ["---", f"id: {name}", "type: decision", f"title: {name}", *lines, "---", body, ""]
    file = root / "observations" / f"{name}.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(head), encoding="utf-8")


def test_a_replaced_memory_ended_when_its_file_says_so(store: Store, clock: Clock) -> None:
    old = save(store, clock, "Old", content="a")
    new = save(store, clock, "New", content="b", supersedes=[old.id])
    paths = [store.index.by_id(one.id)[0] for one in (old, new)]

    found = relate(store)

    assert found.relations == (Relation(paths[1], paths[0], "supersedes"),)
    assert found.ended == {paths[0]: Ended("replaced", NOON.replace(minute=2), paths[1])}
    assert found.chains[paths[0]] == found.chains[paths[1]] == tuple(paths)


def test_a_link_by_hand_ends_what_it_replaces(store: Store, vault: Path) -> None:
    note(vault, "old", "created: 2026-10-01")
    note(vault, "new", "created: 2026-11-01", 'supersedes: "[[old]]"')
    store.refresh()

    found = relate(store)

    assert found.ended[f"{IN}/old.md"].by == f"{IN}/new.md"
    assert found.ended[f"{IN}/old.md"].at.isoformat() == "2026-11-01T00:00:00+00:00"


@pytest.mark.parametrize("line", ["trust_tier: raw", "valid_from: 2027-01-01"])
def test_a_raw_memory_and_one_of_the_future_end_nothing(
    store: Store, vault: Path, line: str
) -> None:
    note(vault, "old", "created: 2026-10-01")
    note(vault, "new", "created: 2026-11-01", line, 'supersedes: "[[old]]"')
    store.refresh()

    found = relate(store)

    assert f"{IN}/old.md" not in found.ended
    assert found.chains[f"{IN}/old.md"] == (f"{IN}/old.md", f"{IN}/new.md")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("invalidated: 2026-11-01", "invalidated"),
        ("valid_until: 2026-11-01", "held until then"),
        ("expires: 2026-11-01", "expired"),
    ],
)
def test_an_end_is_called_by_its_kind(store: Store, vault: Path, line: str, why: str) -> None:
    note(vault, "one", line)
    store.refresh()

    assert relate(store).ended[f"{IN}/one.md"].why == why


def test_an_end_that_is_to_come_is_none(store: Store, vault: Path) -> None:
    note(vault, "one", "valid_until: 2027-01-01")
    store.refresh()

    assert relate(store).ended == {}


def test_a_link_in_the_text_is_a_mention_unless_a_property_says_more(
    store: Store, vault: Path
) -> None:
    note(vault, "a")
    note(vault, "b", 'refines: "[[a]]"', body="See [[a]] and [[c]], and [[b]] itself.")
    note(vault, "c")
    store.refresh()

    assert relate(store).relations == (
        Relation(f"{IN}/b.md", f"{IN}/a.md", "refines"),
        Relation(f"{IN}/b.md", f"{IN}/c.md", "mentions"),
    )


def test_links_that_lead_to_no_memory_are_kept_apart(store: Store, vault: Path) -> None:
    for name in ("one", "two"):
        (vault / name).mkdir()
        (vault / name / "twice.md").write_text("x", encoding="utf-8")
    note(vault, "a", "related:", "  - '[[Home]]'", "  - '[[lost]]'", "  - '[[twice]]'")
    store.refresh()

    found = relate(store)

    assert found.relations == ()
    assert [(one.link, one.path, one.fits) for one in found.loose[f"{IN}/a.md"]] == [
        ("Home", "Home.md", 1),
        ("lost", "", 0),
        ("twice", "", 2),
    ]


def test_groups_are_what_hangs_together() -> None:
    links = [Relation("d", "a", "related"), Relation("b", "c", "related")]

    assert groups("abcde", links) == [["a", "d"], ["b", "c"], ["e"]]
