"""Links between memories that say nearly the same."""

import pytest

from mnemos_files.dream.passes import duplicates as module
from mnemos_files.dream.passes.duplicates import LINKS_PER_RECORD, duplicates
from mnemos_files.dream.proposal import Scene
from tests.conftest import an_observation, git
from tests.dream.conftest import outcome

TEXT = "The order queue is built with kafka and keeps messages for three days."
MORE = f"{TEXT} Older ones go to the archive bucket."


@pytest.fixture
def save(store, clock):
    def saved(content, **fields):
        clock.tick(minutes=1)
        given = {"title": "Order queue", "content": content, "project": "api"}
        return store.put(an_observation(store, **(given | fields)))

    return saved


def linked(store, saved):
    return store.get(saved.record.id).note.record


def stem(saved):
    return saved.path.stem


def test_a_newer_memory_like_an_older_one_is_linked_to_it(store, save, run):
    older = save(TEXT)
    newer = save("Built with kafka, the order queue keeps messages for three days.")

    report = run()

    assert outcome(report, "duplicates").done == ("Order queue: related Order queue",)
    assert linked(store, newer).related == (stem(older),)
    assert linked(store, older) == older.record


def test_a_newer_memory_that_says_all_and_more_refines_the_older(store, save, run):
    older, newer = save(TEXT), save(MORE)

    run()

    assert linked(store, newer).refines == (stem(older),)
    assert linked(store, newer).related == ()


def test_an_older_memory_that_says_more_is_related(store, save, run):
    older, newer = save(MORE), save(TEXT)

    run()

    assert linked(store, newer).related == (stem(older),)


def test_memories_that_differ_in_a_value_are_related_and_both_hold(store, save, run, clock):
    older, newer = save(TEXT), save(TEXT.replace("three", "seven"))

    run()

    assert linked(store, newer).related == (stem(older),)
    assert linked(store, older).is_live(clock())


def test_all_links_are_one_commit_and_the_second_dream_makes_none(store, vault, save, run):
    for number in range(4):
        save(f"{TEXT} Note {number}.")
    before = git(vault, "rev-list", "--count", "HEAD")

    first = run()
    second = run()

    assert len(outcome(first, "duplicates").done) == 6
    subjects = git(vault, "log", "--format=%s", f"-{10}").splitlines()
    assert [s for s in subjects if s.startswith("link(")] == ["link(memory): 6 links to older ones"]
    assert int(git(vault, "rev-list", "--count", "HEAD")) > int(before)
    assert not second.changed


@pytest.mark.parametrize("link", ["related", "caused_by", "contradicts", "refines"])
@pytest.mark.parametrize("is_backwards", [False, True])
def test_what_is_linked_in_any_way_is_left(store, save, clock, link, is_backwards):
    one, other = save(TEXT), save(MORE)
    ends = (one, other) if is_backwards else (other, one)
    store.link(ends[0].record.id, ends[1].record.id, link)

    assert duplicates(Scene(store, clock())).deeds == ()


def test_a_link_in_the_text_counts(store, save, clock):
    older = save(TEXT)
    save(f"{TEXT} See [[{stem(older)}]].")

    assert duplicates(Scene(store, clock())).deeds == ()


def test_a_link_that_a_person_has_undone_is_not_made_again(store, vault, save, run):
    save(TEXT)
    newer = save(MORE)
    commit = outcome(run(), "duplicates").commit
    git(vault, "revert", "--no-edit", commit)

    again = run()

    assert outcome(again, "duplicates").done == ()
    assert outcome(again, "duplicates").undone == ("Order queue: refines Order queue",)
    assert linked(store, newer).refines == ()


def test_an_undone_link_gives_no_room_to_another_one(store, vault, save, run):
    for number in range(6):
        newest = save(f"{TEXT} Note {number}.")
    commit = outcome(run(), "duplicates").commit
    git(vault, "revert", "--no-edit", commit)

    assert outcome(run(), "duplicates").done == ()
    assert linked(store, newest).related == ()


def test_a_persons_own_note_stays_as_it_is(store, vault, save, run):
    save(TEXT, project="")
    own = vault / "Order queue.md"
    own.write_text(TEXT)

    report = run()

    assert outcome(report, "duplicates").done == ()
    assert own.read_text() == TEXT


def test_a_record_gets_three_links_at_most(store, save, run):
    saved = [save(f"{TEXT} Note {number}.") for number in range(8)]

    run()

    counts = [len(linked(store, one).related) for one in saved]
    assert counts == [0, 1, 2, 3, 3, 3, 3, 3]
    assert max(counts) == LINKS_PER_RECORD


def test_a_run_stops_at_its_limit_and_the_next_one_goes_on(store, save, run, monkeypatch):
    monkeypatch.setattr(module, "LINKS_PER_RUN", 4)
    for number in range(4):
        save(f"{TEXT} Note {number}.")

    first, second, third = outcome(run(), "duplicates"), outcome(run(), "duplicates"), run()

    assert len(first.done) == 4
    assert first.held == ("2 more links, at most 4 at a time",)
    assert len(second.done) == 2
    assert not third.changed


def test_the_records_of_dreams_are_not_linked(store, save, run, clock):
    for _ in range(3):
        save(TEXT, type="dream", title="dream pass")

    assert outcome(run(), "duplicates").done == ()


def test_a_rehearsal_shows_the_change_and_makes_none(store, save, rehearsed):
    older, newer = save(TEXT), save(MORE)

    report = rehearsed()

    assert f'+  - "[[{stem(older)}]]"' in outcome(report, "duplicates").diff
    assert linked(store, newer).refines == ()
