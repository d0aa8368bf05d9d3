"""Candidates as values and as files that a person may edit."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.errors import InvalidRecordError
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import parse, render, update
from mnemos_files.model.candidate import (
    Candidate,
    Evidence,
    by_urgency,
    candidate_id,
    from_record,
    raised_again,
    revised,
    to_record,
    with_facts,
    with_judgement,
    with_line,
)

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
TARGET = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
PATH = PurePosixPath("ruminations/contradiction-detected-2f63f7eb12c8.md")


def a_candidate(**fields) -> Candidate:
    given = {
        "monitor": "contradiction-detected",
        "target": TARGET,
        "target_kind": "observation",
        "severity": "medium",
        "reason": "contradicted by 2 records (2 curated, 0 raw)",
        "evidence": (
            Evidence("contradicted by", "Use Argon2id (curated)", "2026-11-30-use-argon2id-q9f7k3"),
            Evidence("contradicted by", "No bcrypt: ever"),
        ),
        "count": 2,
        "detected": NOON,
        "name": "Use bcrypt",
        "link": "2026-03-14-use-bcrypt-2x8p1c",
        "project": "api",
    }
    return Candidate(**(given | fields))


def reread(record):
    return parse(path_for(record), render(record)).record


def test_the_id_is_the_digest_of_monitor_and_target():
    # printf 'skill-stale|01KBC3W6H5M0V2T8N4Q9F7K3QX' | sha256sum
    assert candidate_id("skill-stale", TARGET) == "rumination-966fbee03907"


def test_a_candidate_comes_back_from_its_file():
    candidate = a_candidate()

    back = from_record(reread(to_record(candidate)))

    assert back == replace(
        candidate, record_id=candidate.id, digest=candidate.facts, judged_evidence=2
    )


def test_the_file_of_a_candidate_reads_like_this():
    text = render(to_record(a_candidate())).decode()

    assert (
        text
        == f"""---
id: {a_candidate().id}
type: rumination
title: "contradiction-detected: Use bcrypt"
project: api
agent: dream
created: 2026-12-01T12:00:00Z
source_kind: dream
monitor: contradiction-detected
target: "[[2026-03-14-use-bcrypt-2x8p1c]]"
target_id: {TARGET}
target_kind: observation
severity: medium
reason: contradicted by 2 records (2 curated, 0 raw)
evidence: "2"
status: pending
evidence_digest: {a_candidate().facts}
---
Does the target still hold? Weigh the evidence, then set `status` to `resolved` (the target was \
replaced or mended) or `dismissed` (it is right as it is), and say below why.

## Evidence

- contradicted by: Use Argon2id (curated) ([[2026-11-30-use-argon2id-q9f7k3]])
- contradicted by: No bcrypt: ever
"""
    )


def test_the_file_of_a_candidate_has_no_problem_and_is_ours():
    record = to_record(a_candidate())

    note = parse(path_for(record), render(record))

    assert note.problems == ()
    assert note.is_ours
    assert note.path.parent == PurePosixPath("ruminations")
    assert (
        note.path.name == f"{a_candidate().id.replace('rumination', 'contradiction-detected')}.md"
    )
    assert note.outgoing == ("2026-03-14-use-bcrypt-2x8p1c", "2026-11-30-use-argon2id-q9f7k3")


@pytest.mark.parametrize(
    ("field", "value"),
    [("severity", "urgent"), ("status", "open"), ("target_kind", "session"), ("severity", "")],
)
def test_a_candidate_with_an_impossible_field_is_refused(field, value):
    with pytest.raises(InvalidRecordError, match=field):
        a_candidate(**{field: value})


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("resolved", "resolved"),
        (" Dismissed ", "dismissed"),
        ("PENDING", "pending"),
        ("done", "pending"),
        ("", "pending"),
    ],
)
def test_the_status_that_a_person_writes_counts(written, read):
    data = render(to_record(a_candidate())).decode()
    edited = data.replace("status: pending", f"status: {written}").encode()

    assert from_record(parse(PATH, edited).record).status == read


@pytest.mark.parametrize("written", ["minus", "-1", "1.5", "", "1" * 20])
def test_a_count_that_is_none_counts_as_one(written):
    data = render(to_record(a_candidate())).decode()
    edited = data.replace('evidence: "2"', f"evidence: {written}").encode()

    assert from_record(parse(PATH, edited).record).count == 1


def test_a_resolver_is_read_in_every_spelling_of_a_link():
    for written in ("2026-x", '"[[2026-x]]"', '"[[2026-x|shown]]"', '"[[2026-x#part]]"'):
        data = render(to_record(a_candidate())).decode()
        edited = data.replace("status: pending", f"status: resolved\nresolved_by: {written}")

        assert from_record(parse(PATH, edited.encode()).record).resolved_by == "2026-x"


def test_what_was_judged_by_hand_is_what_the_file_counted():
    data = render(to_record(a_candidate())).decode()
    edited = data.replace("status: pending", "status: dismissed").encode()

    assert from_record(parse(PATH, edited).record).judged_evidence == 2


def test_new_facts_leave_the_lines_and_keys_of_a_person():
    record = to_record(a_candidate())
    text = render(record).decode()
    text = text.replace("No bcrypt: ever\n", "No bcrypt: ever\n\nInes: see the pentest.\n")
    text = text.replace("status: pending", "status: pending\nreviewer: Ines  # asked\nx_due: 5")
    note = parse(PATH, text.encode())
    found = a_candidate(count=3, severity="high", evidence=(Evidence("contradicted by", "Third"),))

    after = update(text.encode(), note, with_facts(note.record, found)).decode()

    assert "severity: high\n" in after
    assert 'evidence: "3"\n' in after
    assert "reviewer: Ines  # asked\nx_due: 5\n" in after
    assert after.endswith("- contradicted by: Third\nInes: see the pentest.\n")


def test_a_judgement_is_one_more_line_below_what_a_person_wrote():
    record = to_record(a_candidate())
    record = replace(record, sections=(*record.sections, ("judgement", "I doubt it too.")))

    after = with_judgement(
        record, "resolved", "It names\nthe limit.", now=NOON, resolved_by="new", judged_evidence=2
    )
    again = with_line(after, "raised again: 3 now", NOON + timedelta(days=1))

    assert from_record(reread(after)).status == "resolved"
    assert from_record(reread(after)).resolved_by == "new"
    assert from_record(reread(after)).judged == NOON
    assert reread(again).section("judgement") == (
        "I doubt it too.\n\n"
        "- 2026-12-01 resolved by [[new]]: It names the limit.\n"
        "- 2026-12-02 raised again: 3 now"
    )


def test_raising_again_forgets_the_judgement_but_not_its_line():
    record = with_judgement(
        to_record(a_candidate()), "dismissed", "It is fine.", now=NOON, judged_evidence=2
    )

    after = reread(
        raised_again(record, a_candidate(count=3), "one more", now=NOON + timedelta(days=9))
    )

    candidate = from_record(after)
    assert (candidate.status, candidate.count, candidate.judged) == ("pending", 3, None)
    assert candidate.raised == NOON + timedelta(days=9)
    assert candidate.since == NOON + timedelta(days=9)
    assert {"judged", "judged_evidence", "resolved_by"}.isdisjoint(dict(after.properties))
    assert candidate.judgement == (
        "- 2026-12-01 dismissed: It is fine.\n- 2026-12-10 raised again: one more"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"severity": "high"},
        {"reason": "other"},
        {"count": 3},
        {"link": "moved"},
        {"evidence": (Evidence("contradicted by", "Other"),)},
    ],
)
def test_facts_that_differ_have_another_digest(change):
    assert a_candidate(**change).facts != a_candidate().facts


def test_the_severest_comes_first_then_the_one_raised_last():
    day = timedelta(days=1)
    low = a_candidate(monitor="a", severity="low", detected=NOON + day)
    old = a_candidate(monitor="b", severity="high", detected=NOON - day)
    new = a_candidate(monitor="c", severity="high", detected=NOON)
    again = a_candidate(monitor="d", severity="high", detected=NOON - day, raised=NOON + day)
    timeless = a_candidate(monitor="e", severity="high", detected=None)

    ordered = by_urgency([low, timeless, old, new, again])

    assert [one.monitor for one in ordered] == ["d", "c", "b", "e", "a"]


def test_a_tag_names_the_candidates_that_a_memory_answers():
    tags = ("api", "ruminated-from:rumination-1", "ruminated-from: ", "ruminated-from: x ")

    assert revised(tags) == ["rumination-1", "x"]


@given(
    content=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=80),
    name=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40),
)
def test_quoted_texts_never_become_structure_or_links(content, name):
    candidate = a_candidate(evidence=(Evidence("label", content, "source"),), name=name)

    record = to_record(candidate)
    note = parse(path_for(record), render(record))

    assert note.record.sections == record.sections
    assert len(note.record.section("evidence").split("\n")) == 1
    assert note.outgoing == ("2026-03-14-use-bcrypt-2x8p1c", "source")
    assert from_record(note.record).evidence[0].source == "source"
