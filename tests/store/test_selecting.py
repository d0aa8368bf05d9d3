"""Notes of a vault without a question, what a session saved, and searches that know the uses."""

import os
from datetime import timedelta
from pathlib import PurePosixPath

import pytest

from mnemos_files.model.event import Accessed, SkillUsed
from mnemos_files.model.query import Query
from mnemos_files.store.names import means
from tests.conftest import an_observation

SESSION = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
ULIDS = [f"01KBC3W6H5M0V2T8N4Q9F7K3Q{number}" for number in range(3)]
STEM = "2026-12-01-fix-login-7k3qx0"


def write(vault, name: str, **keys: str) -> None:
    """A memory as a person or another program may write it."""
    front = "\n".join(f"{key}: {value}" for key, value in keys.items())
    path = vault / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\n{front}\n---\n\nThe fog horn.\n", encoding="utf-8")


def ask(store, **fields):
    return store.search(Query(text="fog horn", now=store.now(), **fields)).found


def test_a_selection_sees_what_was_written_on_disk_since(store, vault):
    (vault / "Fog.md").write_text("# Fog\n\nA note of the person.\n", encoding="utf-8")

    chosen = store.select(Query(text="", now=store.now()), order="created", limit=10)

    assert [str(entry.path) for entry in chosen] == ["Fog.md", "Home.md"]


def test_what_a_session_saved_is_found_by_stem_by_path_and_by_id(store, vault):
    path = PurePosixPath("sessions/api", f"{STEM}.md")
    write(vault, "a.md", type="decision", session=f'"[[{STEM}]]"')
    write(vault, "b.md", type="decision", session=SESSION)
    write(vault, "c.md", type="decision", session=f'"[[sessions/api/{STEM}]]"')
    write(vault, "d.md", type="decision", session=f'"[[sessions/web/{STEM}]]"')
    write(vault, "e.md", type="decision")

    assert [str(entry.path) for entry in store.saved_in(SESSION, path)] == ["a.md", "b.md", "c.md"]
    assert [str(entry.path) for entry in store.saved_in(SESSION)] == ["b.md"]

    write(vault, str(path), type="session", id=SESSION)
    assert [str(entry.path) for entry in store.saved_in(SESSION)] == ["a.md", "b.md", "c.md"]


def test_memories_without_a_session_are_of_no_session(store, vault):
    write(vault, "a.md", type="decision")

    assert store.saved_in("") == store.saved_in(SESSION) == []


def test_what_was_read_before_comes_first_of_equals(store, vault):
    for number in range(3):
        write(vault, f"{number}.md", type="decision", id=ULIDS[number], title="Fog")
    assert [str(one.hit.entry.path) for one in ask(store)] == ["0.md", "1.md", "2.md"]

    store.journal.append([Accessed(at=store.now(), ids=(ULIDS[1],))])

    found = [(str(one.hit.entry.path), one.hit.parts["access"]) for one in ask(store)]
    assert found == [("1.md", 1.003466), ("0.md", 1.0), ("2.md", 1.0)]


def test_the_past_knows_no_uses_of_today(store, clock):
    record = store.put(an_observation(store, content="The fog horn.")).record
    store.journal.append([Accessed(at=store.now(), ids=(record.id,))])
    clock.tick(days=1)

    then = ask(store, as_of=clock.now - timedelta(hours=1))

    assert [found.hit.parts["access"] for found in then] == [1.0]
    assert [found.hit.parts["access"] for found in ask(store)] == [1.003466]


def test_a_skill_that_works_comes_before_one_that_does_not(store, vault):
    for number in range(3):
        write(vault, f"{number}.md", type="skill", id=ULIDS[number], title="Fog")
    assert ask(store) == ()
    outcomes = {ULIDS[0]: "failure", ULIDS[2]: "success"}
    store.journal.append(
        [
            SkillUsed(at=store.now(), skill=skill, outcome=outcome)
            for skill, outcome in outcomes.items()
            for _ in range(10)
        ]
    )

    found = [(str(one.hit.entry.path), one.hit.parts) for one in ask(store, type="skill")]

    assert [path for path, _ in found] == ["2.md", "1.md", "0.md"]
    assert [parts["effectiveness"] for _, parts in found] == [1.25, 1.0, 0.75]


@pytest.mark.parametrize(
    ("link", "is_meant"),
    [
        (STEM, True),
        (STEM.upper(), True),
        (f"[[{STEM}|the session]]", True),
        (f"{STEM}.md", True),
        (f"sessions/api/{STEM}", True),
        (f"api/{STEM}", True),
        (f"i/{STEM}", False),
        (f"sessions/web/{STEM}", False),
        (SESSION, True),
        (SESSION.lower(), True),
        ("monday", False),
        ("", False),
    ],
)
def test_a_link_means_a_file_or_not(link, is_meant):
    assert means(link, f"sessions/api/{STEM}.md", SESSION) is is_meant


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everywhere")
def test_a_journal_that_cannot_be_read_stops_no_search(store, vault):
    write(vault, "a.md", type="decision", title="Fog")
    journals = vault / ".mnemos" / "journal"
    journals.mkdir(parents=True)
    journals.chmod(0o000)

    assert [str(one.hit.entry.path) for one in ask(store)] == ["a.md"]
    journals.chmod(0o755)


@pytest.mark.parametrize("is_link", [False, True])
def test_a_journal_that_is_no_folder_stops_no_search(store, vault, tmp_path, is_link):
    write(vault, "a.md", type="decision", title="Fog")
    journals = vault / ".mnemos" / "journal"
    journals.parent.mkdir(exist_ok=True)
    if is_link:
        journals.symlink_to(tmp_path)
    else:
        journals.write_text("x", encoding="utf-8")

    assert [str(one.hit.entry.path) for one in ask(store)] == ["a.md"]
