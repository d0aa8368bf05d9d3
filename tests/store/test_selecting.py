"""Notes of a vault without a question, and what a session saved."""

from pathlib import PurePosixPath

import pytest

from mnemos_files.model.query import Query
from mnemos_files.store.names import means

SESSION = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
STEM = "2026-12-01-fix-login-7k3qx0"


def test_a_selection_sees_what_was_written_on_disk_since(store, vault):
    (vault / "Fog.md").write_text("# Fog\n\nA note of the person.\n", encoding="utf-8")

    chosen = store.select(Query(text="", now=store.now()), order="created", limit=10)

    assert [str(entry.path) for entry in chosen] == ["Fog.md", "Home.md"]


def linked(vault, name, session):
    """A memory in a file of its own, whose session is written so."""
    folder = vault / "observations" / "global"
    folder.mkdir(parents=True, exist_ok=True)
    text = f'---\ntype: decision\ntitle: {name}\nsession: "{session}"\n---\nText.\n'
    (folder / f"{name}.md").write_text(text, encoding="utf-8")


def test_what_a_session_saved_is_found_by_stem_and_by_id(store, vault):
    path = PurePosixPath("sessions/api", f"{STEM}.md")
    linked(vault, "one", f"[[{STEM}]]")
    linked(vault, "two", SESSION)
    linked(vault, "three", f"[[old/{STEM}]]")
    linked(vault, "four", "")

    found = [entry.record.title for entry in store.saved_in(SESSION, path)]

    assert sorted(found) == ["one", "two"]
    assert [entry.record.title for entry in store.saved_in(SESSION)] == ["two"]


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
