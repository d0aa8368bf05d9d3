"""The text that a target had when it was doubted."""

from mnemos_files.model.candidate import Candidate
from mnemos_files.rumination.before import old_text
from tests.conftest import an_observation
from tests.rumination.conftest import a_skill


def doubt(store, record, kind="skill"):
    return Candidate(
        monitor="skill-stale",
        target=record.id,
        target_kind=kind,
        severity="low",
        reason="the reason",
        detected=store.now().replace(microsecond=0),
        name="the name",
    )


def saved(store, text):
    return a_skill(store, sections=(("procedure", text),))


def seen(store, candidate):
    note = store.get(candidate.target).note
    return old_text(store, candidate, note, note)


def test_the_version_that_was_doubted_counts_not_those_around_it(store, clock):
    saved(store, "zero")
    clock.tick(days=1)
    skill = saved(store, "one")
    clock.tick(days=1)
    candidate = doubt(store, skill)
    for text in ("two", "three"):
        clock.tick(days=1)
        saved(store, text)

    assert seen(store, candidate) == "the name\nthe reason\ndeploy\nDeploys the API.\none"


def test_a_revision_in_the_second_of_the_doubt_is_told_apart(store):
    skill = saved(store, "one")
    candidate = doubt(store, skill)
    saved(store, "two")

    assert seen(store, candidate).endswith("one")


def test_an_edit_that_nobody_committed_is_a_revision(store, vault, clock):
    skill = saved(store, "one")
    candidate = doubt(store, skill)
    path = vault / store.get(skill.id).note.path
    path.write_text(path.read_text("utf-8").replace("one", "by hand"), "utf-8")

    assert seen(store, candidate).endswith("one")


def test_a_target_that_nobody_changed_is_its_own_old_text(store):
    skill = saved(store, "one")

    assert seen(store, doubt(store, skill)).endswith("one")


def test_another_memory_answers_for_the_present_text_of_the_target(store):
    old = store.put(an_observation(store, title="Old", content="It is 80.")).record
    new = store.put(an_observation(store, title="New", content="It is 8443.")).record
    target, by = store.get(old.id).note, store.get(new.id).note

    text = old_text(store, doubt(store, old, "observation"), target, by)

    assert text == "the name\nthe reason\nOld\nIt is 80."


def test_of_a_deleted_target_name_and_reason_are_left(store):
    new = store.put(an_observation(store)).record
    by = store.get(new.id).note

    assert old_text(store, doubt(store, new), None, by) == "the name\nthe reason"


def test_without_a_history_no_old_version_is_known(store, monkeypatch):
    skill = saved(store, "one")
    monkeypatch.setattr(type(store), "history", None)

    assert seen(store, doubt(store, skill)) == "the name\nthe reason\n"
