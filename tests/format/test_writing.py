from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePosixPath

import pytest

from mnemos_files.errors import CorruptError, InvalidRecordError
from mnemos_files.format.record import add_links, parse, render, update
from mnemos_files.model.record import Record

ID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
PATH = PurePosixPath("observations/api/x.md")
RECORD = Record(
    id=ID,
    type="decision",
    title="Use Argon2id: for passwords",
    project="api",
    tags=("security", "2026"),
    importance=7,
    agent="claude-code",
    session="2026-12-01-fix-login-9d2m4t",
    created=datetime(2026, 12, 1, 10, 4, 11, tzinfo=UTC),
    supersedes=("2026-03-14-use-bcrypt-2x8p1c",),
    properties=(("x_ticket", "0042"), ("aliases", ("Argon", "no"))),
    content="bcrypt caps input.",
    sections=(("rationale", "A pentest."),),
)
FILE = b"""---
id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
type: decision
title: "Use Argon2id: for passwords"
project: api
tags:
  - security
  - "2026"
importance: 7
agent: claude-code
session: "[[2026-12-01-fix-login-9d2m4t]]"
created: 2026-12-01T10:04:11Z
source_kind: user
trust_tier: curated
supersedes:
  - "[[2026-03-14-use-bcrypt-2x8p1c]]"
x_ticket: "0042"
aliases:
  - Argon
  - "no"
---
bcrypt caps input.

## Why

A pentest.
"""


def changed(data: bytes, **fields) -> bytes:
    note = parse(PATH, data)
    return update(data, note, replace(note.record, **fields))


def test_a_new_file_has_its_keys_in_order_and_no_empty_one():
    assert render(RECORD) == FILE


def test_the_smallest_record_says_what_is_always_said():
    record = Record(id=ID, type="context", title="", content="")

    assert (
        render(record)
        == (
            f"---\nid: {ID}\ntype: context\ntitle:\nimportance: 5\n"
            "source_kind: user\ntrust_tier: curated\n---\n\n"
        ).encode()
    )
    assert parse(PATH, render(record)).record == record


def test_fractions_of_a_second_are_not_written():
    record = replace(RECORD, created=datetime(2026, 12, 1, 10, 4, 11, 999_999, tzinfo=UTC))

    assert render(record) == FILE


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "a\0b"},
        {"title": "\ud800"},
        {"tags": ("a\0",)},
        {"sections": (("rationale", "\udc00"),)},
        {"sections": (("fix", "x"),)},
        {"properties": (("a\0", "x"),)},
        {"properties": (("title", "x"),)},
        {"properties": (("tag", "x"),)},
        {"properties": (("a", "x"), ("a", "y"))},
    ],
)
def test_what_would_not_come_back_is_refused(fields):
    with pytest.raises(InvalidRecordError):
        render(replace(RECORD, **fields))


def test_the_text_of_a_bad_value_is_written_again():
    data = FILE.replace(b"importance: 7", b"importance: high").replace(
        b"2026-12-01T", b"2026-13-01T"
    )
    record = parse(PATH, data).record

    assert dict(record.properties)["importance"] == "high"
    assert parse(PATH, render(record)).record == record


def test_an_unchanged_record_is_the_same_file():
    assert changed(FILE) == FILE


@pytest.mark.parametrize(
    ("fields", "before", "after"),
    [
        ({"title": "B"}, b'title: "Use Argon2id: for passwords"', b'title: "B"'),
        ({"importance": 5}, b"importance: 7", b"importance: 5"),
        ({"trust_tier": "raw"}, b"trust_tier: curated", b"trust_tier: raw"),
        ({"project": ""}, b"project: api\n", b""),
        ({"tags": ("2026",)}, b"  - security\n", b""),
        ({"tags": ()}, b'tags:\n  - security\n  - "2026"\n', b""),
        (
            {"updated": datetime(2026, 12, 2, tzinfo=UTC)},
            b"11Z\n",
            b"11Z\nupdated: 2026-12-02T00:00:00Z\n",
        ),
        (
            {"invalidated_by": "new-one", "invalidated_reason": "a: b"},
            b"11Z\n",
            b'11Z\ninvalidated_by: "[[new-one]]"\ninvalidated_reason: "a: b"\n',
        ),
        ({"related": ("a", "b")}, b"curated\n", b'curated\nrelated:\n  - "[[a]]"\n  - "[[b]]"\n'),
        ({"properties": RECORD.properties[:1]}, b'aliases:\n  - Argon\n  - "no"\n', b""),
        ({"content": "## Why"}, b"bcrypt caps input.", b"\\## Why"),
        ({"sections": ()}, b"\n\n## Why\n\nA pentest.", b""),
    ],
)
def test_what_differs_is_changed_and_nothing_else(fields, before, after):
    assert changed(FILE, **fields) == FILE.replace(before, after, 1)


def test_a_body_that_a_person_formatted_stays_when_keys_change():
    data = FILE.replace(b"\n\n## Why\n\nA", b"\n## Why\nA") + b"\n\n"

    assert changed(data, importance=9) == data.replace(b": 7", b": 9")


def test_another_kind_escapes_what_is_a_heading_now():
    data = FILE.replace(b"bcrypt caps input.", b"## Fix")

    assert changed(data, type="correction") == data.replace(b"decision", b"correction").replace(
        b"## Fix", b"\\## Fix"
    )


def test_a_crlf_file_stays_one():
    data = FILE.replace(b"\n", b"\r\n")

    assert changed(data, content="one\ntwo", tags=("security", "2026", "new")) == (
        FILE.replace(b"bcrypt caps input.", b"one\ntwo")
        .replace(b'"2026"\n', b'"2026"\n  - new\n')
        .replace(b"\n", b"\r\n")
    )


def test_links_that_stay_keep_their_shown_text():
    data = FILE.replace(b"2x8p1c]]", b"2x8p1c|the old one]]")

    assert changed(data, supersedes=("2026-03-14-use-bcrypt-2x8p1c", "b")) == data.replace(
        b'one]]"\n', b'one]]"\n  - "[[b]]"\n'
    )


def test_a_note_of_a_person_gets_new_content_as_it_is():
    data = b"---\nup: x\n---\n\n## Why\n\nold"

    assert changed(data, content="## Why\n") == b"---\nup: x\n---\n## Why\n"
    assert changed(b"# A\n\nold\n", content="# A\n\nnew\n") == b"# A\n\nnew\n"


def test_text_goes_below_a_fence_without_line_end():
    data = f"---\nid: {ID}\n---".encode()

    assert changed(data, content="new") == f"---\nid: {ID}\n---\nnew\n".encode()


@pytest.mark.parametrize(
    "data",
    [
        b"---\na: b: c\n---\nx\n",
        b"---\na: b\n\nx\n",
        b"x\n<<<<<<< a\ny\n=======\nz\n>>>>>>> b\n",
        b"caf\xe9",
    ],
)
def test_a_file_with_a_fault_is_not_written(data):
    with pytest.raises(CorruptError):
        changed(data, content="new")


def test_links_are_added_once():
    data = FILE.replace(b"2x8p1c]]", b"2x8p1c|old]]")
    targets = ["2026-03-14-use-bcrypt-2x8p1c", "b", "b"]

    after = add_links(data, PATH, "supersedes", targets)

    assert after == data.replace(b'|old]]"\n', b'|old]]"\n  - "[[b]]"\n')
    assert add_links(after, PATH, "supersedes", targets) == after
    assert add_links(b"x\n", PATH, "related", ["a"]) == b'---\nrelated:\n  - "[[a]]"\n---\nx\n'
