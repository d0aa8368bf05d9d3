"""Candidates that are answered by a tag."""

from dataclasses import replace

import pytest

from mnemos_files.rumination.closing import auto_resolved
from mnemos_files.rumination.detect import detect
from tests.conftest import an_observation, git
from tests.rumination.conftest import a_raw_memory, a_skill, dream, edit, only, resolve, use, write


def answering(candidate, **fields):
    return {"tags": ("api", f"ruminated-from:{candidate.id}")} | fields


def test_a_skill_that_is_saved_with_the_tag_resolves_its_candidate(store, failing):
    write(store, detect(store))
    a_skill(store, **answering(only(store)))

    commit = resolve(store)

    candidate = only(store)
    assert candidate.status == "resolved"
    assert candidate.resolved_by == "skills/codex/deploy/SKILL"
    assert candidate.judged == store.now()
    assert candidate.judged_evidence == 10
    assert candidate.judgement == (
        "- 2026-12-02 resolved by [[skills/codex/deploy/SKILL]]: "
        f"it has the tag ruminated-from:{candidate.id}"
    )
    assert git(store.place.vault.root, "rev-parse", "HEAD").strip() == commit
    assert auto_resolved(store) == ()


@pytest.mark.parametrize("kind", ["decision", "correction", "convention", "dream"])
def test_a_memory_with_the_tag_that_replaces_the_target_resolves_its_candidate(store, clock, kind):
    old = a_raw_memory(store)
    clock.tick(days=15)
    write(store, detect(store))
    new = an_observation(store, title="Sure", **answering(only(store), type=kind))
    path = store.put(new, supersedes=[old.id]).path

    found = detect(store)
    resolve(store)

    assert found.changes == ()  # it is answered, not lost
    assert only(store).status == "resolved"
    assert only(store).resolved_by == path.stem


def test_the_one_saved_last_is_named(store, vault, clock, failing):
    write(store, detect(store))
    clock.tick(hours=1)
    later = store.put(an_observation(store, title="Later", **answering(only(store))))
    clock.tick(hours=-2)
    store.put(an_observation(store, title="Earlier", content="x", **answering(only(store))))

    resolve(store)

    assert only(store).resolved_by == later.path.stem


@pytest.mark.parametrize(
    "fields",
    [
        {"trust_tier": "raw", "source_kind": "tool"},
        {"tags": ("ruminated-from:rumination-000000000000",)},
        {"tags": ("ruminated-from:",)},
        {"type": "context", "tags": ()},
    ],
)
def test_what_is_quarantined_or_names_another_resolves_nothing(store, failing, fields):
    write(store, detect(store))
    store.put(an_observation(store, **answering(only(store), **fields)))

    assert resolve(store) == ""
    assert only(store).status == "pending"


def test_what_does_not_hold_any_more_resolves_nothing(store, failing):
    write(store, detect(store))
    new = store.put(an_observation(store, **answering(only(store)))).record
    store.update(new.id, lambda n: replace(n.record, invalidated=store.now()), op="end")

    assert resolve(store) == ""


def test_what_was_judged_is_not_resolved_by_a_tag(store, vault, failing):
    write(store, detect(store))
    edit(store, vault, only(store).id, "status: pending", "status: dismissed")
    a_skill(store, **answering(only(store)))

    assert resolve(store) == ""
    assert only(store).status == "dismissed"


def test_an_answer_from_before_it_was_raised_again_is_none(store, clock, failing):
    write(store, detect(store))
    a_skill(store, **answering(only(store)))
    dream(store)
    clock.tick(days=1)
    use(store, failing, failures=3)

    dream(store)
    assert only(store).status == "pending"
    assert resolve(store) == ""

    clock.tick(days=1)
    a_skill(store, **answering(only(store)))
    dream(store)
    assert only(store).status == "resolved"
    assert only(store).judged_evidence == 13
