"""Links that a person should look at."""

from pathlib import Path

import pytest

from mnemos_files.store.store import Store
from tests.conftest import an_observation


def links(store: Store, **options: bool) -> list[tuple[str, str, str]]:
    """Path, rule and message of each problem of a link."""
    found = store.problems(**options)
    rules = ("ambiguous-link", "broken-link", "supersedes-circle")
    return [(one.path, one.rule, one.message) for one in found if one.rule in rules]


def written(vault: Path, path: str, text: str) -> None:
    (vault / path).parent.mkdir(parents=True, exist_ok=True)
    (vault / path).write_text(text, encoding="utf-8")


def test_a_link_of_a_memory_that_leads_nowhere_is_told(store: Store) -> None:
    text = "See [[Gone]], [[Home]], ![[plan.png]] and [[board.canvas]]."
    path = str(store.put(an_observation(store, content=text, caused_by=("Lost",))).path)

    assert links(store) == [
        (path, "broken-link", "caused_by: [[Lost]] leads to no note"),
        (path, "broken-link", "[[Gone]] leads to no note"),
    ]


def test_what_was_purged_and_a_session_without_a_file_are_no_broken_links(store: Store) -> None:
    text = "See [[purged-7k3q9x]] and [[purged]], not [[purged-notes]]."
    path = str(store.put(an_observation(store, content=text)).path)
    file = store.place.vault.root / path
    lines = file.read_text("utf-8").replace("agent:", "session: 01KBC3W6H5M0V2T8N4Q9F7K3QX\nagent:")
    file.write_text(lines, "utf-8")

    assert links(store) == [(path, "broken-link", "[[purged-notes]] leads to no note")]


def test_links_of_other_notes_are_told_on_request_only(store: Store, vault: Path) -> None:
    written(vault, "diary.md", "---\nrelated: '[[Old plan]]'\n---\n[[Gone]]\n")

    assert links(store) == []
    assert links(store, foreign=True) == [
        ("diary.md", "broken-link", "related: [[Old plan]] leads to no note"),
        ("diary.md", "broken-link", "[[Gone]] leads to no note"),
    ]


def test_what_a_note_of_a_person_supersedes_is_always_looked_at(store: Store, vault: Path) -> None:
    written(vault, "adr.md", '---\nsupersedes: "[[Gone]]"\n---\nx\n')

    assert links(store) == [("adr.md", "broken-link", "supersedes: [[Gone]] leads to no note")]


def test_memories_that_supersede_each_other_are_told_and_both_hold(
    store: Store, vault: Path
) -> None:
    for one, other in (("a", "b"), ("b", "a"), ("c", "c")):
        text = f'---\ntype: decision\nsupersedes: "[[{other}]]"\n---\nx\n'
        written(vault, f"observations/{one}.md", text)

    a, b = "observations/a.md", "observations/b.md"
    assert links(store) == [
        (a, "supersedes-circle", f"supersedes: [[{b}]] and this one supersede each other"),
        (b, "supersedes-circle", f"supersedes: [[{a}]] and this one supersede each other"),
        ("observations/c.md", "supersedes-circle", "supersedes: it supersedes itself"),
    ]
    for path in (a, b, "observations/c.md"):
        entry = store.index.entry(path)
        assert entry is not None
        assert entry.record.is_live(store.now())


@pytest.mark.parametrize("link", ["Plan", "plan"])
def test_a_link_in_the_text_that_fits_two_notes_is_told(
    store: Store, vault: Path, link: str
) -> None:
    for folder in ("home", "work"):
        written(vault, f"{folder}/Plan.md", "a plan\n")
    path = str(store.put(an_observation(store, content=f"See [[{link}]].")).path)

    message = f"[[{link}]] fits several notes: home/Plan.md, work/Plan.md"
    assert links(store) == [(path, "ambiguous-link", message)]
