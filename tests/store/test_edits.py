from dataclasses import replace
from pathlib import Path

import pytest

from mnemos_files.errors import NotFoundError, RefusedError
from mnemos_files.model.record import Record
from mnemos_files.store.edits import Add, Change, Drop, SaveSkill, Work
from mnemos_files.store.store import Store
from tests.conftest import an_observation, git


def work(*edits: object) -> Work:
    return Work("tidy", "tidy(memory): three changes", edits, "Because of the test.")


def test_several_changes_are_one_commit(store: Store, vault: Path) -> None:
    kept = store.put(an_observation(store, title="Kept"))
    gone = store.put(an_observation(store, title="Gone"))
    new = an_observation(store, title="New", content="Other text.")
    head = git(vault, "rev-parse", "HEAD").strip()

    receipt = store.edits.commit(
        work(
            Change(kept.record.id, lambda note: replace(note.record, importance=9)),
            Drop(gone.record.id),
            Add(new),
        )
    )

    assert git(vault, "rev-parse", "HEAD~1").strip() == head
    assert git(vault, "rev-parse", "HEAD").strip() == receipt.commit
    assert git(vault, "status", "--short") == ""
    changes = git(vault, "show", "--no-renames", "--format=", "--name-status", "HEAD").split()
    assert sorted(changes[::2]) == ["A", "D", "M"]
    message = git(vault, "log", "-1", "--format=%an%n%B")
    assert message.startswith("dream\ntidy(memory): three changes\n\nBecause of the test.\n")
    assert [line for line in message.splitlines() if line.startswith("Mnemos-Id")] == [
        f"Mnemos-Id: {kept.record.id}",
        f"Mnemos-Id: {gone.record.id}",
        f"Mnemos-Id: {new.id}",
    ]


def test_work_that_changes_nothing_makes_no_commit(store: Store, vault: Path) -> None:
    there = store.put(an_observation(store))
    head = git(vault, "rev-parse", "HEAD")

    receipt = store.edits.commit(
        work(Add(there.record), Change(there.record.id, lambda note: note.record))
    )

    assert receipt.commit == ""
    assert git(vault, "rev-parse", "HEAD") == head


@pytest.mark.parametrize("name", ["01KBC3W6H5M0V2T8N4Q9F7K3QY", "Home.md"])
def test_one_change_that_cannot_be_leaves_all_undone(store: Store, vault: Path, name: str) -> None:
    store.put(an_observation(store))
    head = git(vault, "rev-parse", "HEAD")
    new = an_observation(store, title="New", content="Other text.")

    with pytest.raises((NotFoundError, RefusedError)):
        store.edits.commit(work(Add(new), Drop(name)))

    assert git(vault, "rev-parse", "HEAD") == head
    assert git(vault, "status", "--short") == ""


def a_skill(store: Store, **fields: object) -> Record:
    given = {
        "id": store.new_id(store.now()),
        "type": "skill",
        "title": "mend the login",
        "content": "How the login is mended.",
        "sections": (("do", "- Ask the server."),),
        "source_kind": "dream",
        "agent": "codex",
        "created": store.now(),
    }
    return Record(**(given | fields))


def test_skills_of_one_work_are_versions_in_one_commit(store: Store, vault: Path) -> None:
    first = a_skill(store, properties=(("mnemos-promoted-origin", "abc"),), derived_from=("a",))
    store.edits.commit(work(SaveSkill(first)))
    later = a_skill(store, sections=(("avoid", "- Guess."),), derived_from=("a", "b"))

    store.edits.commit(work(SaveSkill(later), SaveSkill(a_skill(store, title="another"))))

    changes = git(vault, "show", "--format=", "--name-status", "HEAD").split()
    assert changes == [
        *("A", "skills/codex/another/SKILL.md"),
        *("M", "skills/codex/mend-the-login/SKILL.md"),
    ]
    found = store.skills.find("mend the login")
    assert found.record.id == first.id
    opened = store.skills.read(found.path)
    assert opened.version == 2
    assert opened.note.record.sections == (("avoid", "- Guess."),)
    assert opened.note.record.derived_from == ("a", "b")
    assert "mnemos-promoted-origin" not in dict(opened.note.record.properties)


def test_two_new_skills_whose_names_look_alike_get_folders_of_their_own(store: Store) -> None:
    skills = [
        store.fresh(
            Record(id="", type="skill", title=name, content=name, sections=(("procedure", "x"),))
        )
        for name in ("Deploy", "Deploy!")
    ]

    store.edits.commit(work(*map(SaveSkill, skills)))

    assert [entry.record.title for entry in store.skills.all()] == ["Deploy!", "Deploy"]


def test_two_changes_of_one_record_add_up(store: Store) -> None:
    name = store.put(an_observation(store)).record.id

    store.edits.commit(
        work(
            Change(name, lambda note: replace(note.record, importance=9)),
            Change(name, lambda note: replace(note.record, tags=("a",))),
        )
    )

    after = store.get(name).note.record
    assert (after.importance, after.tags) == (9, ("a",))
