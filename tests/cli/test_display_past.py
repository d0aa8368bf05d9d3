"""What a person sees of the past."""

from pathlib import Path

import pytest

from mnemos_files.cli.display import show
from mnemos_files.operations.history import history
from mnemos_files.operations.news import changes
from mnemos_files.operations.provenance import provenance
from mnemos_files.operations.records import delete
from mnemos_files.operations.schema import to_json
from mnemos_files.store.store import Store
from tests.conftest import an_observation, git


@pytest.fixture
def memory(store: Store, vault: Path) -> str:
    """A memory that a person has added a line to, and then another one without a commit."""
    parent = store.put(an_observation(store, title="The audit", content="Two were cut."))
    saved = store.put(an_observation(store, derived_from=(parent.record.id,)))
    file = vault / saved.path
    file.write_text(file.read_text() + "Ines knows more.\n")
    git(vault, "commit", "-q", "-a", "-m", "Ines adds\x1b[31m\n\nBen asked.")
    file.write_text(file.read_text() + "Mine.\n")
    return saved.record.id


def test_versions_are_shown_with_reason_and_difference(
    store: Store, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show("history", to_json(history(store, id=memory, diff=True, limit=2)))

    shown = capsys.readouterr().out
    assert "  uncommitted  +1 -0  not committed  " in shown
    assert "  edited  +1 -0  Ines Example (person)  " in shown
    assert "\n  Ben asked.\n" in shown
    assert "\n  +Ines knows more.\n" in shown
    assert "2 of 3, next: --offset 2" in shown
    assert "\x1b" not in shown


def test_where_a_memory_came_from_is_shown_part_by_part(
    store: Store, memory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show("provenance", to_json(provenance(store, id=memory, blame=True)))

    shown = capsys.readouterr().out
    assert "\ncomes from\n  The audit (decision, curated, user)\n" in shown
    assert "  Ines Example (person)  " in shown
    assert "not committed    Mine." in shown
    assert "went into" not in shown


def test_news_are_shown_with_what_is_not_committed(
    store: Store, memory: str, vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    delete(store, id=memory)
    (vault / "new.md").write_text("new\n")

    show("changes", to_json(changes(store, since="HEAD~2")))
    show("changes", to_json(changes(store, since="HEAD")))

    shown = capsys.readouterr().out
    assert "deleted: Use Argon2id for password hashing" in shown
    assert "\nnot committed (1):\n  added: new.md\n" in shown
    assert "No commit changed a memory in that time." in shown
