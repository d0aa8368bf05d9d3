"""Notes of another day: found like those of today, read and analysed once."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemos_files.index import past
from mnemos_files.index.document import document
from mnemos_files.index.index import Index
from mnemos_files.index.part import Memory
from mnemos_files.index.past import Past
from tests.index.conftest import NOW, LetterEmbedder, found, note

DAY = timedelta(days=1)
WORDS = st.sampled_from(
    [
        "harbour",
        "getUserById",
        "src/auth/login_handler.py",
        "größe",
        "the",
        "v2",
        "密码",
        "C++",
        "|",
    ]
)


class Reader:
    """Gives notes and remembers for which it was asked."""

    def __init__(self, *notes):
        self.notes = {(str(one.note.path), one.blob): one for one in notes}
        self.asked: list[str] = []

    def __call__(self, path: str, blob: str):
        self.asked.append(path)
        return self.notes[path, blob]

    @property
    def present(self) -> dict[str, str]:
        return dict(self.notes.keys())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.lists(WORDS, max_size=9), st.lists(WORDS, max_size=2)), min_size=1))
def test_a_term_has_the_same_postings_as_in_a_part_that_lists_them(texts):
    docs = [
        document(
            note(f"notes/src-{n}.md", " ".join(body), title=" ".join(title)), np.ones(26, "i1")
        )
        for n, (body, title) in enumerate(texts)
    ]
    memory, looked_through = Memory(26), Past(docs, 26)
    for doc in docs:
        memory.add(doc)

    for term in {term for doc in docs for term in doc.postings()} | {"nothing", "|", ""}:
        for one, other in zip(looked_through.postings(term), memory.postings(term), strict=True):
            assert one.tolist() == other.tolist()


def test_what_differs_is_read_once_for_a_day(index: Index):
    index.apply([note("a.md", "port 8080"), note("b.md", "lighthouse")], ())
    then = Reader(note("a.md", "port 7070"), note("b.md", "lighthouse"), note("c.md", "gone 7070"))

    view = index.past("day", then.present, then, NOW - DAY)
    again = index.past("day", then.present, then, NOW - DAY)

    assert sorted(then.asked) == ["a.md", "c.md"]
    assert sorted(found(index, "7070", view=view)) == ["a.md", "c.md"]
    assert sorted(found(index, "7070", view=again)) == ["a.md", "c.md"]
    assert found(index, "lighthouse", view=view) == ["b.md"]


def test_what_was_changed_since_the_last_question_is_read_now(index: Index):
    same = note("b.md", "lighthouse")
    index.apply([note("a.md", "port 8080"), same], ())
    then = Reader(note("a.md", "port 7070"), same)
    index.past("day", then.present, then, NOW)
    then.asked.clear()

    index.apply([note("b.md", "foghorn"), then.notes["a.md", then.present["a.md"]]], ())
    view = index.past("day", then.present, then, NOW)

    assert then.asked == ["b.md"]
    assert found(index, "lighthouse", view=view) == ["b.md"]
    assert found(index, "7070", view=view) == ["a.md"]


def test_another_day_takes_over_what_is_known(index: Index):
    old = note("a.md", "port 7070")
    one, two = Reader(old), Reader(old, note("b.md", "lighthouse"))
    index.past("one", one.present, one, NOW)

    index.past("two", two.present, two, NOW)

    assert two.asked == ["b.md"]


def test_only_a_few_days_are_kept(index: Index, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(past, "DAYS_MAX", 1)
    one, two = Reader(note("a.md", "one")), Reader(note("a.md", "two"))
    for day, reader in (("1", one), ("2", two), ("2", two), ("1", one)):
        index.past(day, reader.present, reader, NOW)

    assert (one.asked, two.asked) == (["a.md", "a.md"], ["a.md"])


def test_notes_that_came_without_a_model_are_read_again(tmp_path):
    index, then = Index(tmp_path, LetterEmbedder()), Reader(note("a.md", "lighthouse"))
    index._archive.make = lambda new: (index._documents(new)[0], {"a.md": "x"} if new else {})
    index.past("day", then.present, then, NOW)
    index.past("day", then.present, then, NOW)

    assert then.asked == ["a.md", "a.md"]


def test_what_superseded_what_is_by_the_notes_of_that_day(index: Index):
    old = note("old.md", "port 7070", created=NOW - 9 * DAY)
    new = note("new.md", "port 8080", created=NOW - 2 * DAY, supersedes=("old",))
    plain = note("new.md", "port 8080", created=NOW - 2 * DAY, title="still apart")
    index.apply([old, new], ())
    then = Reader(old, plain)

    view = index.past("day", then.present, then, NOW - DAY)

    asked = {"view": view, "as_of": NOW - DAY}
    assert sorted(found(index, "port", **asked)) == ["new.md", "old.md"]
    assert found(index, "port") == ["new.md"]
    later = index.past("later", {"old.md": old.blob, "new.md": new.blob}, then, NOW)
    assert found(index, "port", view=later, as_of=NOW) == ["new.md"]
