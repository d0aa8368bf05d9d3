"""Memories to which a newer one gives another value."""

import pytest

from mnemos_files.rumination.detect import detect
from mnemos_files.rumination.gather import gather
from mnemos_files.rumination.monitors.table import MONITORS
from mnemos_files.rumination.monitors.values import PENDING_MAX, other_values
from mnemos_files.store.edits import Work
from tests.conftest import an_observation

THREE = "The order queue is built with kafka and keeps messages for three days."
SEVEN = "The order queue is built with kafka and keeps messages for seven days."
[MONITOR] = [each for each in MONITORS if each.name == "other-value"]


@pytest.fixture
def save(store, clock):
    def saved(content, **fields):
        clock.tick(minutes=1)
        given = {"title": "Order queue", "content": content, "project": "api"}
        return store.put(an_observation(store, **(given | fields)))

    return saved


def findings(store):
    return list(other_values(gather(store)))


def test_the_older_memory_is_doubted_slightly(store, save):
    older, newer = save(THREE), save(SEVEN)

    [found] = findings(store)

    assert found.target.record.id == older.record.id
    assert found.severity == "low"
    assert found.count == 1
    assert found.reason == "a newer memory says nearly the same with another value (number)"
    [evidence] = found.evidence
    assert evidence.content == f'"{SEVEN}" against "{THREE}"'
    assert evidence.source == str(newer.path)


def test_two_newer_memories_make_one_doubt_with_both(store, save):
    save(THREE)
    save(SEVEN)
    save(SEVEN.replace("seven", "nine"))

    counts = sorted(each.count for each in findings(store))

    assert counts == [1, 2]


def test_the_same_value_is_no_doubt(store, save):
    save(THREE)
    save("The order queue keeps messages for 3 days and is built with kafka.")

    assert findings(store) == []


@pytest.mark.parametrize("link", ["contradicts", "refines"])
def test_what_somebody_has_linked_on_purpose_is_left(store, save, link):
    older, newer = save(THREE), save(SEVEN)
    store.link(newer.record.id, older.record.id, link)

    assert findings(store) == []


def test_a_plain_link_does_not_settle_it(store, save):
    older, newer = save(THREE), save(SEVEN)
    store.link(newer.record.id, older.record.id, "related")

    assert len(findings(store)) == 1


def test_a_replaced_memory_is_not_doubted(store, save):
    older, newer = save(THREE), save(SEVEN)
    store.link(newer.record.id, older.record.id, "supersedes")

    assert findings(store) == []


def test_other_projects_and_quarantined_memories_are_left(store, save):
    save(THREE)
    save(SEVEN, project="web")
    save(SEVEN, trust_tier="raw", source_kind="tool")

    assert findings(store) == []


def test_at_most_five_wait_and_the_rest_comes_when_they_are_judged(store, save):
    for name in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"):
        for text in (THREE, SEVEN):
            save(text.replace("order", name), title=f"{name} queue", project=name)

    found = detect(store, [MONITOR])

    assert len(found.adds) == PENDING_MAX == 5


def test_a_second_look_finds_nothing_new(store, save):
    save(THREE)
    save(SEVEN)
    first = detect(store, [MONITOR])
    store.edits.commit(Work("ruminate", "ruminate(memory): test", [*first.adds, *first.changes]))

    second = detect(store, [MONITOR])

    assert (second.adds, second.changes) == ((), ())
