"""What ends because another note says that it takes its place."""

from datetime import timedelta
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemos_files.index.claims import Claims
from mnemos_files.index.index import Index
from mnemos_files.index.succession import NONE, SEVERAL, targets
from mnemos_files.model.note import Stamp
from mnemos_files.model.query import Query
from mnemos_files.store.names import resolve
from tests.index.conftest import NOW, LetterEmbedder, note

DAY = timedelta(days=1)
EARLY = NOW - 300 * DAY


def live(index: Index, **fields) -> list[str]:
    """Paths of the notes in scope."""
    query = Query(text="", now=NOW, **fields)
    return sorted(str(one.path) for one in index.select(query, order="created", limit=100))


def old(path: str = "old.md", **fields):
    return note(path, "bcrypt", created=EARLY, **fields)


@pytest.fixture(params=["in memory", "on disk", "half of each"])
def place(request, index):
    """Puts notes in, where the name says."""

    def put(*notes):
        half = len(notes) // 2 if request.param == "half of each" else len(notes)
        index.apply(notes[:half], ())
        if request.param != "in memory":
            index.flush()
        index.apply(notes[half:], ())

    return put


def test_what_another_note_supersedes_is_left_out_and_shown_when_asked_for(index, place):
    place(old(), note("new.md", "argon", created=NOW - DAY, supersedes=("old",)), old("x.md"))

    assert live(index) == ["new.md", "x.md"]
    assert live(index, include_stale=True) == ["new.md", "old.md", "x.md"]
    assert [str(one.path) for one in index.ended(NOW)] == ["old.md"]


def test_the_entry_of_a_superseded_note_tells_by_what_and_since_when(index, place):
    place(old(), note("a/new.md", "argon", created=NOW - DAY, supersedes=("old",)))

    record = index.entries["old.md"].record
    assert (record.invalidated, record.invalidated_by) == (EARLY + 299 * DAY, "a/new")
    assert not record.is_live(NOW)
    assert index.entries["a/new.md"].record.invalidated is None


def test_the_end_goes_with_the_link(index, place):
    new = note("new.md", "argon", created=NOW - DAY, supersedes=("old",))
    place(old(), new)

    index.apply([note("new.md", "argon", created=NOW - DAY)], ())
    assert live(index) == ["new.md", "old.md"]
    assert index.entries["old.md"].record.invalidated is None
    index.apply([new], ())
    assert live(index) == ["new.md"]
    index.apply((), ["new.md"])
    assert live(index) == ["old.md"]


def test_a_link_may_be_written_before_its_target(index):
    index.apply([note("new.md", "argon", supersedes=("old",))], ())
    index.flush()

    index.apply([old()], ())

    assert live(index) == ["new.md"]


def test_an_end_of_its_own_stays(index):
    ended = old(invalidated=NOW - 9 * DAY, invalidated_by="first", valid_until=NOW - 9 * DAY)
    index.apply([ended, note("new.md", "argon", created=NOW - DAY, supersedes=("old",))], ())

    record = index.entries["old.md"].record
    assert (record.invalidated, record.invalidated_by) == (NOW - 9 * DAY, "first")


@pytest.mark.parametrize(
    ("link", "is_meant"),
    [
        ("dir/old.md", True),
        ("dir/old", True),
        ("old", True),
        ("OLD", True),
        ("DIR/Old", True),
        ("other/old", False),
        ("Bcrypt rule", True),
        ("bcrypt RULE", True),
        ("renamed-f7k3qx", True),
        ("gone/renamed-F7K3QX", True),
        ("01KBC3W6H5M0V2T8N4Q9F7K3QX", True),
        ("nothing", False),
        ("", False),
    ],
)
def test_a_link_means_a_note_by_path_name_alias_tail_or_id(index, place, link, is_meant):
    record_id = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
    aliases = (("aliases", ("Bcrypt rule", "Other")),)
    place(
        old("dir/old.md", id=record_id, properties=aliases),
        note("x.md", "else", created=EARLY),
        note("new.md", "argon", created=NOW, supersedes=(link,)),
    )

    assert ("dir/old.md" not in live(index)) == is_meant


def test_a_link_that_means_several_notes_ends_none(index, place):
    place(old("a/old.md"), old("b/old.md"), note("new.md", "argon", supersedes=("old",)))

    assert live(index) == ["a/old.md", "b/old.md", "new.md"]

    index.apply([note("new.md", "argon", supersedes=("b/old",))], ())
    assert live(index) == ["a/old.md", "new.md"]


def test_quarantine_ends_quarantined_notes_only(index, place):
    raw = {"trust_tier": "raw"}
    place(old(), old("guess.md", **raw), note("new.md", "x", supersedes=("old", "guess"), **raw))

    assert live(index) == ["old.md"]
    assert live(index, include_raw=True) == ["new.md", "old.md"]

    index.apply([note("new.md", "x", supersedes=("old", "guess"))], ())
    assert live(index, include_raw=True) == ["new.md"]


@pytest.mark.parametrize(
    "end",
    [
        {"invalidated": NOW - DAY, "invalidated_by": "4"},
        {"valid_until": NOW - DAY},
        {"expires": NOW - DAY},
    ],
)
def test_what_was_superseded_stays_so_when_its_successor_has_had_its_time(index, place, end):
    place(
        note("1.md", "a", created=EARLY),
        note("2.md", "a", created=EARLY + DAY, supersedes=("1",)),
        note("3.md", "a", created=EARLY + 2 * DAY, supersedes=("2",), **end),
    )

    assert live(index) == []
    assert [one.record.invalidated_by for one in index.ended(NOW)][:2] == ["2", "3"]


def test_a_note_that_was_invalidated_and_not_replaced_ends_nothing(index, place):
    place(old(), note("new.md", "x", created=NOW, supersedes=("old",), invalidated=NOW))

    assert live(index) == ["old.md"]


@pytest.mark.parametrize("order", list(permutations(["a", "b", "c"])))
def test_a_circle_ends_nothing_but_what_lies_outside_of_it(index, order):
    notes = {
        "a": note("a.md", "x", created=EARLY, supersedes=("b",)),
        "b": note("b.md", "x", created=EARLY + DAY, supersedes=("c",)),
        "c": note("c.md", "x", created=EARLY + 2 * DAY, supersedes=("a", "older")),
    }
    index.apply([*(notes[name] for name in order), note("older.md", "x")], ())

    assert live(index) == ["a.md", "b.md", "c.md"]
    assert index.circles() == [("a.md", "b.md"), ("b.md", "c.md"), ("c.md", "a.md")]

    index.apply([note("newest.md", "x", created=NOW, supersedes=("b",))], ())
    assert live(index) == ["a.md", "c.md", "newest.md"]


def test_a_note_that_supersedes_itself_stays(index):
    index.apply([note("a.md", "x", supersedes=("a",))], ())

    assert live(index) == ["a.md"]
    assert index.circles() == [("a.md", "a.md")]


def test_a_long_chain_without_times_leaves_its_last_link(index):
    chain = [note(f"{n}.md", "x", supersedes=(str(n - 1),) if n else ()) for n in range(300)]
    index.apply(chain, ())

    assert live(index) == ["299.md"]


def test_of_several_successors_the_first_counts(index, place):
    place(
        old(),
        note("late.md", "x", created=NOW - DAY, supersedes=("old",)),
        note("soon.md", "x", created=NOW - 9 * DAY, supersedes=("old",)),
    )

    assert index.entries["old.md"].record.invalidated_by == "soon"


def test_a_successor_that_holds_from_a_day_on_takes_over_that_day(index, place):
    place(old(), note("new.md", "x", created=NOW, valid_from=NOW + 5 * DAY, supersedes=("old",)))

    assert live(index) == ["new.md", "old.md"]
    later = Query(text="", now=NOW + 5 * DAY)
    assert [str(one.path) for one in index.select(later, order="created", limit=9)] == ["new.md"]


def test_a_time_of_making_after_that_of_the_file_is_that_of_another_zone(index):
    written = int((NOW - timedelta(hours=1)).timestamp()) * 1_000_000_000
    new = note("new.md", "x", created=NOW + timedelta(hours=8), supersedes=("old",))
    index.apply([old(), type(new)(new.note, Stamp(1, written, 1), new.blob)], ())

    assert live(index) == ["new.md"]
    assert index.entries["old.md"].record.invalidated == NOW - timedelta(hours=1)


def test_valid_at_asks_what_held_in_the_world_by_what_is_known_now(index, place):
    place(
        old(),
        note("new.md", "x", created=NOW - 9 * DAY, supersedes=("old",)),
        note("wrong.md", "x", created=EARLY, invalidated=NOW - DAY),
        note("replaced.md", "x", created=EARLY, invalidated=NOW - DAY, invalidated_by="new"),
        note("ended.md", "x", created=EARLY, valid_until=NOW - DAY, invalidated=NOW - DAY),
        note("stated.md", "x", created=NOW - DAY, valid_from=EARLY),
        note("timeless.md", "x"),
    )

    then = ["ended.md", "old.md", "replaced.md", "stated.md", "timeless.md"]
    assert live(index, valid_at=NOW - 20 * DAY) == then
    assert live(index, valid_at=NOW) == ["new.md", "stated.md", "timeless.md"]
    assert live(index, valid_at=EARLY - DAY) == ["timeless.md"]


NAMES = st.sampled_from(["a", "b", "A", "x-aaaaaa", "y-AAAAAA", "ä", "a\u0308"])
FOLDERS = st.sampled_from(["", "p/", "P/", "p/q/"])
PATHS = st.builds(lambda folder, name: f"{folder}{name}.md", FOLDERS, NAMES)
LINKS = st.one_of(PATHS, PATHS.map(lambda path: path[:-3]), st.sampled_from(["Big", "1aaaaaa"]))


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(PATHS, st.sampled_from(["", "Big", "b", "p/a"]), max_size=7), st.lists(LINKS)
)
def test_links_mean_the_same_here_as_one_by_one(tmp_path_factory, files, links):
    index = Index(tmp_path_factory.mktemp("index"), LetterEmbedder())
    notes = [
        note(path, "x", id="1AAAAAA" if number == 1 else path, properties=(("aliases", alias),))
        for number, (path, alias) in enumerate(files.items())
    ]
    index.apply(notes[:3], ())
    index.flush()
    index.apply(notes[3:], ())
    claims = Claims()
    claims.add(0, links)
    table, view = claims.table(), index._snapshot()

    found = targets(view, table.keys, table.ends).tolist()

    whole = index.view({str(one.note.path): one.blob for one in notes}, ())
    for link, place in zip(links, found, strict=True):
        paths = resolve(link, index)
        assert whole.resolve(link) == paths
        wanted = NONE if not paths else SEVERAL if len(paths) > 1 else paths[0]
        assert (place if place < 0 else view.name(place)[1]) == wanted
