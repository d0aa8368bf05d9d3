"""Completion: what the vault knows, in which order, and by how it begins."""

from pathlib import Path

import pytest

from mnemos_files.operations.completion import complete
from mnemos_files.store.store import Store
from tests.conftest import Clock, an_observation


def test_projects_come_most_used_first(store: Store):
    for number, project in enumerate(["web", "api", "api", "apidocs", ""]):
        store.put(an_observation(store, title=f"T{number}", content=f"{number}", project=project))

    assert complete(store, "project", "") == ["api", "apidocs", "web"]
    assert complete(store, "project", "API") == ["api", "apidocs"]
    assert complete(store, "project", "nothing") == []


def test_sessions_come_newest_first(store: Store, clock: Clock):
    first = store.sessions.start("one", "api", "codex").session
    clock.tick(minutes=1)
    second = store.sessions.start("two", "web", "codex").session

    assert complete(store, "session", "") == [second.id, first.id]
    assert complete(store, "session", first.id[:26].lower()) == [first.id]


def test_memories_are_completed_by_id_and_by_path(store: Store, vault: Path, clock: Clock):
    first = store.put(an_observation(store, title="A", content="a"))
    clock.tick(days=1)
    second = store.put(an_observation(store, title="B", content="b"))
    (vault / "Own note.md").write_text("mine\n", encoding="utf-8")

    values = complete(store, "id", "")

    assert values[:2] == [second.record.id, first.record.id]
    assert "Own note.md" in values
    assert complete(store, "id", "own") == ["Own note.md"]
    assert complete(store, "id", str(first.path)) == [str(first.path)]


def test_a_skill_is_completed_by_name_and_id(store: Store):
    skill = an_observation(store, type="skill", title="Retry later", content="When to wait.")
    store.put(skill)

    assert complete(store, "skill", "ret") == ["Retry later"]
    assert complete(store, "skill", skill.id) == [skill.id]


@pytest.mark.parametrize("argument", ["topic", "plan"])
def test_free_text_is_not_completed(store: Store, argument: str):
    assert complete(store, argument, "a") == []
