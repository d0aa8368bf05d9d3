"""How two texts relate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.model.likeness import likeness, relation
from mnemos_files.model.record import Record


def record(content, title="Queue", **fields):
    return Record(**({"id": "x", "type": "decision", "title": title, "content": content} | fields))


def kind(older, newer):
    found = likeness(record(older), record(newer)).difference
    return found.kind if found else ""


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ("The order queue keeps 3 days.", "The order queue keeps 5 days.", "number"),
        ("The order queue keeps 60 minutes.", "The order queue keeps 1 hour.", ""),
        ("The order queue keeps 3 days.", "The order queue keeps 5 GB.", ""),
        ("The order queue must be drained.", "The order queue must not be drained.", "negation"),
        ("Drain the order queue with kcat.", "Drain the order queue with kafkacat.", "name"),
        ("Drain the order queue with kcat.", "Drain the order queue with kcat and jq.", ""),
        ("Order queue retries are enabled.", "Order queue retries are disabled.", "negation"),
        ("Order queue retries are enabled.", "Order queue retries are on.", ""),
        ("The order queue keeps 3 days.", "The order queue keeps 5 days if it is full.", ""),
        ("The order queue keeps 3 days.", "The mail queue keeps 5 days.", ""),
        (
            "On 2026-01-02 the order queue lost 3 rows.",
            "On 2026-02-03 the order queue lost 5 rows.",
            "",
        ),
    ],
)
def test_a_value_differs_only_where_both_speak_of_the_same(older, newer, expected):
    assert kind(older, newer) == expected
    assert kind(newer, older) == expected


def test_the_sentences_that_differ_are_told():
    older = record("It is written in Go. The order queue keeps 3 days.")
    newer = record("The order queue keeps 5 days. It is written in Go.")

    found = likeness(older, newer).difference

    assert found is not None
    assert found.older == "The order queue keeps 3 days."
    assert found.newer == "The order queue keeps 5 days."


def test_a_value_that_the_other_text_names_as_well_does_not_differ():
    older = record("The order queue keeps 3 days.")
    newer = record("The order queue keeps 3 days. Before, the order queue keeps 5 days.")

    assert likeness(older, newer).difference is None


def test_titles_about_different_things_make_different_subjects():
    older = record("Lists return 50 rows per page.", title="Public API")
    newer = record("Lists return 100 rows per page.", title="Admin panel")

    assert likeness(older, newer).difference is None


def test_the_parts_of_a_correction_count():
    older = record("", type="correction", sections=(("fix", "Drain the order queue with kcat."),))
    newer = record("", type="correction", sections=(("fix", "Drain the order queue with jq."),))

    assert likeness(older, newer).difference is not None


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ("Drain the order queue with kcat.", "With kcat, drain the order queue.", "related"),
        (
            "Drain the order queue with kcat.",
            "Drain the order queue with kcat before each deploy of the consumer.",
            "refines",
        ),
        (
            "Drain the order queue with kcat before each deploy of the consumer.",
            "Drain the order queue with kcat.",
            "related",
        ),
        ("Drain the order queue.", "Passwords are hashed.", ""),
        ("The order queue keeps 3 days.", "The order queue keeps 5 days.", "related"),
    ],
)
def test_the_link_tells_how_the_newer_text_stands_to_the_older(older, newer, expected):
    assert relation(likeness(record(older), record(newer))) == expected


def test_what_says_no_to_a_text_does_not_refine_it():
    older = record("The order queue must be drained.")
    newer = record("The order queue must not be drained before noon on any working day.")

    assert relation(likeness(older, newer)) != "refines"


@given(st.text(max_size=80))
def test_a_text_does_not_differ_from_itself(text):
    found = likeness(record(text), record(text))

    assert found.difference is None
    assert found.older_in_newer == found.newer_in_older
