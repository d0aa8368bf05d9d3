"""Notes that say nearly what some notes say."""

from datetime import timedelta
from pathlib import PurePosixPath

import pytest

from mnemos_files.format.record import parse
from mnemos_files.index.index import Index, Indexed
from mnemos_files.model.digest import blob_id
from mnemos_files.model.note import Stamp
from mnemos_files.model.ulid import make_ulid
from tests.conftest import NOON, WordEmbedder
from tests.review.notes import note

TEXT = "bcrypt caps its input at 72 bytes and long passwords are cut there."


@pytest.fixture
def found(tmp_path):
    """The near ones of the first of some notes: paths with shares."""

    def call(*texts, now=NOON, wanted="n0.md"):
        index = Index(tmp_path / "index", WordEmbedder())
        made = []
        for number, (text, keys) in enumerate(texts):
            given = {"id": make_ulid(NOON, bytes([number] * 10)), "title": "Hash"} | keys
            data = note(text, **given).encode()
            path = PurePosixPath(f"n{number}.md")
            made.append(Indexed(parse(path, data), Stamp(1, 1, number), blob_id(data)))
        index.apply(made, ())
        near = index.near_to({wanted}, now)
        index.close()
        return {path: [str(one.entry.path) for one in each] for path, each in near.items()}

    return call


def test_a_note_with_nearly_the_same_words_is_near(found):
    other = TEXT.replace("there", "away")

    assert found((TEXT, {}), (other, {}), ("Queues keep four days.", {"title": "Queue"})) == {
        "n0.md": ["n1.md"]
    }


def test_the_nearest_comes_first_and_five_at_most(found):
    texts = [(TEXT, {}), *((f"{TEXT} {'even' if n > 1 else ''} w{n}", {}) for n in range(1, 9))]

    (near,) = found(*texts).values()

    assert near[0] == "n1.md"
    assert len(near) == 5


@pytest.mark.parametrize(
    ("mine", "theirs", "is_near"),
    [
        ({}, {"project": "web"}, False),
        ({}, {"project": "-"}, True),
        ({"project": "-"}, {"project": "web"}, True),
        ({}, {"trust_tier": "raw"}, True),
        ({"trust_tier": "raw"}, {}, True),
        ({}, {"invalidated": "2026-11-20"}, False),
        ({}, {"expires": "2026-11-20"}, False),
        ({}, {"type": "episodic"}, False),
        ({}, {"type": "convention"}, True),
    ],
)
def test_notes_that_hold_of_one_scope_are_compared(found, mine, theirs, is_near):
    assert found((TEXT, mine), (TEXT, theirs)) == {"n0.md": ["n1.md"] if is_near else []}


def test_a_note_that_holds_no_longer_is_not_looked_up(found):
    assert found((TEXT, {"invalidated": "2026-11-20"}), (TEXT, {})) == {}


def test_a_path_that_is_not_there_is_left_out(found):
    assert found((TEXT, {}), wanted="nothing.md") == {}


def test_expiry_is_judged_at_the_time_that_is_given(found):
    texts = ((TEXT, {}), (TEXT, {"expires": "2026-12-10"}))

    assert found(*texts) == {"n0.md": ["n1.md"]}
    assert found(*texts, now=NOON + timedelta(days=30)) == {"n0.md": []}
