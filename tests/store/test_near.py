"""Near pairs with their texts."""

from datetime import timedelta

from mnemos_files.store.near import near_pairs
from tests.conftest import NOON, an_observation

FIRST = "The order queue is built with kafka and keeps messages for three days."
SECOND = "The order queue is built with kafka and keeps messages for seven days."


def save(store, content, **fields):
    given = {"title": "Order queue", "content": content, "project": "api"}
    return store.put(an_observation(store, **(given | fields)))


def both(older, newer):
    return f"{older.content} | {newer.content}"


def test_the_judge_gets_the_texts_of_the_files_the_older_first(store, clock):
    save(store, FIRST)
    clock.tick(days=1)
    save(store, SECOND)

    [pair] = near_pairs(store, clock(), "both", both)

    assert pair.verdict == f"{FIRST} | {SECOND}"


def test_a_persons_own_note_is_in_no_pair(store, vault, clock):
    save(store, FIRST, project="")
    (vault / "Order queue.md").write_text(FIRST)
    store.refresh()

    assert near_pairs(store, clock(), "both", both) == []


def test_a_file_that_has_changed_since_it_was_read_is_judged_later(store, vault, clock):
    save(store, FIRST)
    saved = save(store, SECOND)
    file = vault / saved.path
    text = file.read_text()
    file.write_text(text.replace("seven", "nine"))

    assert near_pairs(store, clock(), "both", both) == []
    store.refresh()

    [pair] = near_pairs(store, clock(), "both", both)
    assert "nine days" in pair.verdict


def test_what_does_not_hold_any_more_is_in_no_pair(store):
    save(store, FIRST)
    save(store, SECOND, valid_until=NOON + timedelta(days=1))

    assert len(near_pairs(store, NOON, "both", both)) == 1
    assert near_pairs(store, NOON + timedelta(days=2), "both", both) == []
