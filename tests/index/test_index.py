"""Notes in, notes out: what the store relies on."""

import threading
from datetime import UTC, datetime
from pathlib import PurePosixPath

import numpy as np
import pytest

from mnemos_files.errors import UnavailableError
from mnemos_files.index.index import Index, Indexed
from mnemos_files.model.digest import content_digest
from mnemos_files.model.note import Note, Stamp
from mnemos_files.model.problem import Problem
from mnemos_files.model.record import Record
from tests.index.conftest import LetterEmbedder, found, note, search

ULID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"


def test_a_note_is_found_when_apply_returns(index):
    index.apply([note("a.md", "the lighthouse keeper"), note("b.md", "a ferry")], ())

    assert found(index, "lighthouse")[0] == "a.md"


def test_a_changed_note_is_found_by_its_new_text_only(index):
    index.apply([note("a.md", "lighthouse"), note("b.md", "pier")], ())
    index.apply([note("a.md", "quarry")], ())

    assert found(index, "quarry")[0] == "a.md"
    assert search(index, "lighthouse").hits == () or found(index, "lighthouse")[0] != "a.md"
    assert len(index.entries) == 2


@pytest.mark.parametrize("flushed", [False, True])
def test_a_removed_note_is_gone(index, flushed):
    index.apply([note("a.md", "lighthouse"), note("b.md", "pier")], ())
    if flushed:
        index.flush()

    index.apply((), ["a.md", "never-there.md"])

    assert list(index.entries) == ["b.md"]
    assert "a.md" not in found(index, "lighthouse")


@pytest.mark.parametrize("flushed", [False, True])
def test_an_entry_is_everything_but_the_texts(index, flushed):
    record = Record(
        id=ULID,
        type="episodic",
        title="Fog",
        content="The fog came at nine.",
        sections=(("rationale", "It always does."),),
        project="api",
        tags=("sea", "weather"),
        importance=7,
        agent="claude-code",
        session="2026-12-01-fix-login-9d2m4t",
        created=datetime(2026, 12, 1, 10, 4, 11, 5, tzinfo=UTC),
        supersedes=("old",),
        trust_tier="raw",
        source_kind="tool",
        properties=(("aliases", ("a", "b")), ("status", "draft")),
    )
    problem = Problem("a.md", 3, "rule", "message", "remedy")
    given = Note(PurePosixPath("a.md"), record, "text", ("old",), (problem,), is_ours=True)
    index.apply([Indexed(given, Stamp(10, 2**62, 2**63), "ab" * 20)], ())
    if flushed:
        index.flush()

    entry = index.entry("a.md")

    assert entry is not None
    assert (entry.record.content, entry.record.sections) == ("", ())
    assert entry.record.properties == record.properties
    assert entry.record.created == record.created
    assert (entry.record.tags, entry.record.supersedes) == (("sea", "weather"), ("old",))
    assert (entry.stamp, entry.blob) == (Stamp(10, 2**62, 2**63), "ab" * 20)
    assert entry.digest == content_digest(record)
    assert (entry.outgoing, entry.problems, entry.is_ours) == (("old",), (problem,), True)


@pytest.mark.parametrize("flushed", [False, True])
def test_notes_are_found_by_their_names(index, flushed):
    index.apply([note("x/Größe.md", "text", id=ULID), note("y/größe.md", "other")], ())
    if flushed:
        index.flush()

    assert index.by_id(ULID) == ("x/Größe.md",)
    assert index.by_id_tail("F7K3QX") == ("x/Größe.md",)
    assert index.by_stem("GRO\u0308SSE") == ("x/Größe.md", "y/größe.md")
    assert index.by_digest(index.entries["y/größe.md"].digest) == ("y/größe.md",)
    assert index.by_id("nobody") == index.by_stem("nobody") == ()


def test_names_follow_every_change(index):
    index.apply([note("a.md", "one", id=ULID)], ())
    assert index.by_id(ULID) == ("a.md",)

    index.apply([note("b.md", "one", id=ULID)], ["a.md"])
    assert index.by_id(ULID) == ("b.md",)

    index.apply([note("b.md", "one", id="other")], ())
    assert (index.by_id(ULID), index.by_id("other")) == ((), ("b.md",))


def test_everything_is_there_after_a_restart(tmp_path, embedder):
    first = Index(tmp_path, embedder)
    first.apply([note("a.md", "lighthouse keeper"), note("b.md", "ferry crew")], ())
    before = search(first, "lighthouse ferry")
    first.close()

    second = Index(tmp_path, embedder)

    assert second.pending == 0
    assert second.notices == []
    assert search(second, "lighthouse ferry") == before


def test_scores_are_the_same_in_memory_and_on_disk_and_half_of_each(tmp_path, embedder):
    notes = [note(f"{n}.md", f"lighthouse {'fog ' * n} café number {n}") for n in range(1, 40)]
    memory, disk, both = (Index(tmp_path / name, embedder) for name in ("m", "d", "b"))
    memory.apply(notes, ())
    disk.apply(notes, ())
    disk.flush()
    both.apply(notes[:20], ())
    both.flush()
    both.apply(notes[20:], ())

    rankings = [search(one, "fog at the café", limit=40) for one in (memory, disk, both)]

    assert rankings[0] == rankings[1] == rankings[2]
    assert rankings[0].total > 10


def test_scores_do_not_depend_on_how_the_vault_grew(tmp_path, embedder):
    straight, winding = Index(tmp_path / "s", embedder), Index(tmp_path / "w", embedder)
    notes = [note(f"{n}.md", f"lighthouse {'fog ' * (n % 5)} {n}") for n in range(30)]
    straight.apply(notes, ())
    for one in notes:
        winding.apply([note(str(one.note.path), "something else that was there")], ())
        winding.flush()
    winding.apply([note("gone.md", "fog fog fog")], ())
    winding.apply(notes[:10], ())
    winding.flush()
    winding.apply(notes[10:], ["gone.md"])

    assert search(winding, "the fog", limit=50) == search(straight, "the fog", limit=50)


def test_a_moved_file_is_not_embedded_again(index, embedder):
    index.apply([note("a.md", "lighthouse", title="Fog")], ())
    index.flush()
    embedder.texts.clear()

    index.apply([note("far/b.md", "lighthouse", title="Fog", id="a.md")], ["a.md"])

    assert embedder.texts == []
    assert found(index, "lighthouse") == ["far/b.md"]
    assert found(index, "far") == ["far/b.md"]


def test_a_move_that_changes_the_title_is_read_anew(index):
    moved = note("lighthouse.md", "text", title="lighthouse")
    index.apply([note("pier.md", "text", title="pier")], ())

    index.apply([Indexed(moved.note, moved.stamp, index.entries["pier.md"].blob)], ["pier.md"])

    assert found(index, "lighthouse") == ["lighthouse.md"]


@pytest.mark.parametrize("flushed", [False, True])
def test_a_new_stamp_is_kept_without_reading_the_text(tmp_path, embedder, flushed):
    index = Index(tmp_path, embedder)
    index.apply([note("a.md", "lighthouse")], ())
    if flushed:
        index.flush()
    embedder.texts.clear()

    index.restamp({"a.md": Stamp(1, 99, 7), "unknown.md": Stamp(1, 1, 1)})
    index.flush()

    assert embedder.texts == []
    assert Index(tmp_path, embedder).entries["a.md"].stamp == Stamp(1, 99, 7)
    assert found(index, "lighthouse") == ["a.md"]


def test_an_equal_stamp_is_no_change(index):
    index.apply([note("a.md", "lighthouse")], ())
    index.flush()

    index.restamp({"a.md": Stamp(1, 1, 1)})

    assert index.pending == 0


def test_another_process_sees_what_was_flushed(tmp_path, embedder):
    one, two = Index(tmp_path, embedder), Index(tmp_path, embedder)
    one.apply([note("a.md", "lighthouse"), note("b.md", "pier")], ())
    one.flush()
    two.reload()
    assert found(two, "lighthouse")[0] == "a.md"

    two.apply([note("a.md", "quarry")], ["b.md"])
    two.flush()
    one.reload()

    assert list(one.entries) == ["a.md"]
    assert found(one, "quarry") == ["a.md"]


def test_what_another_process_flushed_is_no_longer_pending(tmp_path, embedder):
    one, two = Index(tmp_path, embedder), Index(tmp_path, embedder)
    for index in (one, two):
        index.apply([note("a.md", "lighthouse")], ())
    two.apply([note("b.md", "pier")], ())

    one.flush()
    two.reload()

    assert two.pending == 1
    two.flush()
    one.reload()
    assert sorted(one.entries) == ["a.md", "b.md"]
    assert one.pending == two.pending == 0


def test_own_changes_win_over_what_another_process_flushed(tmp_path, embedder):
    one, two = Index(tmp_path, embedder), Index(tmp_path, embedder)
    one.apply([note("a.md", "lighthouse"), note("b.md", "pier")], ())
    one.flush()
    two.reload()
    two.apply([note("a.md", "quarry")], ["b.md"])

    one.apply([note("c.md", "harbour")], ())
    one.flush()
    two.reload()

    assert sorted(two.entries) == ["a.md", "c.md"]
    assert found(two, "quarry")[0] == "a.md"


def test_entries_are_a_mapping_that_can_be_walked_while_it_changes(index):
    index.apply([note("a.md", "one"), note("b.md", "two")], ())

    for path in index.entries:
        index.apply([note(f"new-{path}", "more")], [path])

    assert sorted(index.entries) == ["new-a.md", "new-b.md"]
    assert index.entries.get("a.md") is None
    assert "a.md" not in index.entries


def test_a_view_ranks_the_notes_of_another_day(index):
    index.apply([note("a.md", "port 8080 lighthouse"), note("b.md", "lighthouse")], ())
    index.flush()
    was = note("a.md", "port 7070 lighthouse")
    present = {"a.md": was.blob, "b.md": index.entries["b.md"].blob, "gone.md": "00" * 20}

    view = index.view(present, [was])

    assert found(index, "7070", view=view) == ["a.md"]
    assert found(index, "8080", view=view) in ([], ["a.md"])
    assert search(index, "7070", view=view).hits[0].parts["lexical"] > 0
    assert sorted(found(index, "lighthouse", view=view)) == ["a.md", "b.md"]


def test_a_view_of_a_day_without_notes_is_empty(index):
    index.apply([note("a.md", "lighthouse")], ())

    assert search(index, "lighthouse", view=index.view({}, ())).hits == ()


def test_texts_of_the_past_are_embedded_once(index, embedder):
    index.view({}, [note("a.md", "lighthouse")])
    embedder.texts.clear()

    index.view({}, [note("a.md", "lighthouse")])

    assert embedder.texts == []


class BrokenEmbedder(LetterEmbedder):
    def encode(self, texts):
        raise UnavailableError("the embedding model is missing")

    sum_pieces = encode


def test_without_a_model_the_words_are_searched_and_nothing_is_kept(tmp_path):
    index = Index(tmp_path, BrokenEmbedder())
    index.apply([note("a.md", "lighthouse")], ())

    ranking = search(index, "lighthouse")
    index.close()

    assert [str(hit.entry.path) for hit in ranking.hits] == ["a.md"]
    assert ranking.mode == "fts"
    assert index.notices == ["search uses words only: the embedding model is missing"]
    assert len(Index(tmp_path, LetterEmbedder()).entries) == 0


class AwayEmbedder(LetterEmbedder):
    """A model that can be taken away and put back."""

    is_away = False

    def encode(self, texts):
        self.warm()
        return super().encode(texts)

    def sum_pieces(self, words):
        self.warm()
        return super().sum_pieces(words)

    def warm(self):
        if self.is_away:
            raise UnavailableError("the embedding model is missing")


def test_the_words_are_searched_while_the_model_is_away_and_no_longer(tmp_path):
    embedder = AwayEmbedder()
    index = Index(tmp_path, embedder)
    index.apply([note("a.md", "lighthouse")], ())
    modes, models, notices = [], [], []

    for is_away in (False, True, False):
        embedder.is_away = is_away
        modes.append(search(index, "lighthouse").mode)
        models.append(index.model)
        notices.append(index.notices)

    assert modes == ["hybrid", "fts", "hybrid"]
    assert models == [embedder.identity, "", embedder.identity]
    assert notices == [[], ["search uses words only: the embedding model is missing"], []]


def test_notes_that_came_while_the_model_was_away_get_their_vectors_afterwards(tmp_path):
    embedder = AwayEmbedder()
    index = Index(tmp_path, embedder)
    index.apply([note("old.md", "lighthouse")], ())
    embedder.is_away = True
    index.apply([note("new.md", "ferry")], ())
    while_away = (index.vectors(), index.voiceless(), index.is_voiceless("new.md"))

    embedder.is_away = False
    told = index.voiceless()
    index.apply([note("new.md", "ferry")], ())

    assert while_away == (1, (), True)
    assert told == ("new.md",)
    assert index.vectors() == 2
    assert index.voiceless() == ()


def test_a_copy_of_a_voiceless_note_gets_a_vector_of_its_own(tmp_path):
    embedder = AwayEmbedder()
    index = Index(tmp_path, embedder)
    embedder.is_away = True
    index.apply([note("a.md", "ferry")], ())
    embedder.is_away = False

    index.apply([note("b.md", "ferry")], ())

    assert index.vectors() == 1
    assert index.voiceless() == ("a.md",)


def test_the_disk_never_gets_notes_without_their_vectors(tmp_path):
    embedder = AwayEmbedder()
    index = Index(tmp_path, embedder)
    embedder.is_away = True
    index.apply([note("a.md", "ferry")], ())
    index.flush()
    kept_while_away = len(Index(tmp_path, LetterEmbedder()).entries)

    embedder.is_away = False
    index.apply([note("a.md", "ferry")], ())
    index.flush()

    assert kept_while_away == 0
    assert Index(tmp_path, LetterEmbedder()).vectors() == 1


def test_a_voiceless_note_that_is_removed_is_owed_nothing(tmp_path):
    embedder = AwayEmbedder()
    index = Index(tmp_path, embedder)
    embedder.is_away = True
    index.apply([note("a.md", "ferry")], ())

    index.apply((), ("a.md",))
    embedder.is_away = False

    assert index.voiceless() == ()


def test_the_state_is_another_one_after_each_change_only(tmp_path, embedder):
    index = Index(tmp_path, embedder)
    index.apply([note("a.md", "lighthouse")], ())
    before = index.state

    search(index, "lighthouse")
    after_search = index.state
    index.apply([note("a.md", "ferry")], ())

    assert after_search is before
    assert index.state is not before


def test_searches_go_on_while_notes_come_and_go(tmp_path, embedder):
    index = Index(tmp_path, embedder)
    index.apply([note(f"{n}.md", f"lighthouse number {n}") for n in range(50)], ())
    ended = threading.Event()
    wrong: list[list[PurePosixPath]] = []

    def ask():
        while not ended.is_set():
            ranking = search(index, "lighthouse", limit=100)
            paths = [hit.entry.path for hit in ranking.hits]
            if len(set(paths)) != len(paths) or len(paths) < 50:
                wrong.append(paths)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for turn in range(30):
        path = f"more-{turn}.md"
        index.apply([note(path, f"lighthouse fog {turn}"), note("0.md", f"lighthouse {turn}")], ())
        index.restamp({"1.md": Stamp(1, turn, 1)})
        index.flush()
        index.reload()
        index.apply((), [path])
    ended.set()
    for thread in threads:
        thread.join()

    assert wrong == []
    assert len(index.entries) == 50


def test_memory_stays_bounded_while_the_disk_cannot_be_written(tmp_path, embedder):
    (tmp_path / "index").write_text("a file where the folder should be")
    index = Index(tmp_path / "index", embedder)

    for turn in range(2_500):
        index.apply([note("a.md", f"lighthouse {turn}")], ())
    index.flush()

    assert found(index, "2499") == ["a.md"]
    assert len(index._catalogue._memory.paths) < 1_200
    assert "stays in memory" in index.notices[0]


def test_notes_without_a_vector_are_not_punished(index):
    index.apply([note("1.md", "123 456", title="123"), note("2.md", "123 abc", title="123")], ())

    hits = {str(hit.entry.path): hit for hit in search(index, "123").hits}

    assert hits["1.md"].parts["fused"] == hits["1.md"].parts["lexical"]
    assert np.isclose(hits["2.md"].parts["fused"], hits["2.md"].parts["lexical"])
