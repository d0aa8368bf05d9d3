import pytest

from mnemos_files.model.needs import lack
from mnemos_files.model.record import Record


def a(kind: str, content: str = "", **sections: str) -> Record:
    return Record(id="x", type=kind, title="T", content=content, sections=tuple(sections.items()))


@pytest.mark.parametrize(
    "record",
    [
        a("decision", "text"),
        a("decision", "", rationale="why"),
        a("convention", "rule"),
        a("correction", "", fix="do"),
        a("correction", "text", tried="this"),
        a("skill", "What for.", procedure="1. Go."),
        a("skill", "What for.", do="- This."),
        a("skill", "d" * 1_024, procedure="1. Go."),
        a("session", "goal"),
    ],
)
def test_nothing_lacks(record: Record) -> None:
    assert lack(record) == ""


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (a("decision", " \n"), "a decision needs a text"),
        (a("convention", "", rationale="why"), "a convention needs its rule as content"),
        (
            a("correction", "text", rationale="why"),
            "a correction needs a text below ## Tried or ## Wrong because or ## Fix",
        ),
        (a("correction", "text", fix=" "), "a correction needs a text below"),
        (a("skill", "", procedure="1. Go."), "a skill needs a description as content"),
        (a("skill", "What for.", pitfalls="x"), "a skill needs a text below ## Procedure or ## Do"),
        (a("skill", "d" * 1_025, procedure="1. Go."), "at most 1024 characters"),
    ],
)
def test_what_lacks_is_told(record: Record, told: str) -> None:
    assert told in lack(record)
