from datetime import UTC, datetime
from pathlib import PurePosixPath

import pytest

from mnemos_files.format.record import parse
from mnemos_files.model.note import Note
from mnemos_files.model.problem import Problem

ID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
PLAIN = "folder/Some note.md"
OURS = "observations/api/x.md"

FULL = """---
id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
type: decision
title: Use Argon2id for password hashing
project: api
tags:
  - security
importance: 7
agent: claude-code
session: "[[2026-12-01-fix-login-9d2m4t]]"
created: 2026-12-01T10:04:11Z
source_kind: tool
trust_tier: raw
supersedes:
  - "[[2026-03-14-use-bcrypt-2x8p1c|the old one]]"
x_ticket: 0042
---
bcrypt caps input, see [[Argon2#Costs]].

## Why

A pentest.
"""


def note_of(text: str, path: str = PLAIN) -> Note:
    return parse(PurePosixPath(path), text.encode())


def rules(note: Note) -> list[tuple[int, str]]:
    return [(problem.line, problem.rule) for problem in note.problems]


def test_a_record_of_ours_is_read_field_by_field():
    note = note_of(FULL, "anywhere/x.md")
    record = note.record

    assert note.is_ours
    assert note.problems == ()
    assert note.outgoing == (
        "2026-12-01-fix-login-9d2m4t",
        "2026-03-14-use-bcrypt-2x8p1c",
        "Argon2",
    )
    assert (record.id, record.type, record.project, record.agent) == (
        ID,
        "decision",
        "api",
        "claude-code",
    )
    assert record.title == "Use Argon2id for password hashing"
    assert record.tags == ("security",)
    assert record.importance == 7
    assert record.session == "2026-12-01-fix-login-9d2m4t"
    assert record.created == datetime(2026, 12, 1, 10, 4, 11, tzinfo=UTC)
    assert (record.source_kind, record.trust_tier) == ("tool", "raw")
    assert record.supersedes == ("2026-03-14-use-bcrypt-2x8p1c",)
    assert record.properties == (("x_ticket", "0042"),)
    assert record.content == "bcrypt caps input, see [[Argon2#Costs]]."
    assert record.sections == (("rationale", "A pentest."),)
    assert note.body == FULL.partition("0042\n---\n")[2]


def test_a_note_of_a_person_is_its_whole_body_under_its_path():
    note = note_of("---\ntype: meeting\nid: 7\n---\n# The *plan* ##\n\n## Why\n\nbecause\n")

    assert not note.is_ours
    assert note.problems == ()
    assert note.record.id == PLAIN
    assert note.record.type == "context"
    assert note.record.title == "The *plan*"
    assert note.record.content == note.body == "# The *plan* ##\n\n## Why\n\nbecause\n"
    assert note.record.properties == (("id", "7"), ("type", "meeting"))


@pytest.mark.parametrize(
    ("text", "path", "is_ours"),
    [
        (f"---\nid: {ID}\n---\n", PLAIN, True),
        ("---\ntype: decision\n---\n", OURS, True),
        ("---\ntype: convention\n---\n", "conventions/global/x.md", True),
        ("---\ntype: decision\n---\n", PLAIN, False),
        ("---\ntype: decision\n---\n", "conventions/global/x.md", False),
        ("---\ntype: meeting\n---\n", OURS, False),
        ("---\nid: 42\n---\n", OURS, False),
        ("text", OURS, False),
    ],
)
def test_ours_is_what_has_our_id_or_our_type_in_its_folder(text, path, is_ours):
    assert note_of(text, path).is_ours is is_ours


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Key\n---\n# Heading\n", "Key"),
        ("---\ntitle:\n---\n# Heading\n", "Heading"),
        ("---\ntitle: [a, b]\n---\ntext\n", "Some note"),
        ("text\n\n# Heading\n# Next\n", "Heading"),
        ("## Second level\n", "Some note"),
        ("#tag\n", "Some note"),
        ("# \n# Real\n", "Real"),
        ("```\n# comment\n```\n# Heading #\n", "Heading"),
        ("```\n# comment\n```\n", "Some note"),
        ("# C#\n", "C#"),
        ("", "Some note"),
    ],
)
def test_the_title_is_the_key_else_the_first_heading_else_the_name(text, title):
    assert note_of(text).record.title == title


@pytest.mark.parametrize(
    ("typed", "moment"),
    [
        ("2026-12-01T10:04:11Z", (2026, 12, 1, 10, 4, 11)),
        ("2026-12-01t10:04:11z", (2026, 12, 1, 10, 4, 11)),
        ("2026-12-01T10:04:11.5+02:00", (2026, 12, 1, 8, 4, 11, 500_000)),
        ("2026-12-01 10:04", (2026, 12, 1, 10, 4)),
        ("'2026-12-01'", (2026, 12, 1)),
        ("2026-12-01T00:30:00+02:00", (2026, 11, 30, 22, 30)),
    ],
)
def test_times_in_every_usual_form_come_out_in_utc(typed, moment):
    record = note_of(f"---\ncreated: {typed}\n---\n").record

    assert record.created == datetime(*moment, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("created: 2026-02-30", "created"),
        ("expires: soon", "expires"),
        ("updated: 0001-01-01T00:00:00+05:00", "updated"),
        ("valid_from: [2026-01-01]", "valid_from"),
        ("importance: high", "importance"),
        ("importance: 11", "importance"),
        ("source_kind: robot", "source_kind"),
        ("trust_tier: gold", "trust_tier"),
        ("project: [a, b]", "project"),
        ("session: [a, b]", "session"),
        ("type: meeting", "type"),
    ],
)
def test_a_bad_value_is_a_problem_and_stays_as_a_property(line, key):
    note = note_of(f"---\nid: {ID}\n{line}\n---\n")

    assert rules(note) == [(3, "bad-value")]
    assert key in note.problems[0].message
    assert note.problems[0].remedy.startswith("Write ")
    assert [name for name, _ in note.record.properties] == [key]


def test_of_a_long_bad_value_only_whole_words_are_named():
    note = note_of(f"---\nid: {ID}\nimportance: {'a' * 50} {'b' * 40}\n---\n")

    assert note.problems[0].message == f"importance cannot be '{'a' * 50}…'; the default counts"


def test_in_a_note_of_a_person_only_times_can_be_bad():
    note = note_of("---\nimportance: high\ntype: meeting\ncreated: last week\nproject: [a]\n---\n")

    assert rules(note) == [(4, "bad-value")]
    assert note.record.importance == 5


def test_an_empty_value_counts_as_absent():
    note = note_of(f"---\nid: {ID}\ntitle: T\ncreated:\nimportance:\ntags:\nrelated: []\n---\n")

    assert note.problems == ()
    assert note.record.properties == ()
    assert note.record.importance == 5


def test_links_are_read_with_and_without_brackets():
    text = '---\nrelated: [[A]]\nrefines: ["[[B|b]]", C]\ncaused_by: D\nup: "[[E]]"\nsee: F\n---\n'
    note = note_of(text)

    assert note.record.related == ("A",)
    assert note.record.refines == ("B", "C")
    assert note.record.caused_by == ("D",)
    assert note.outgoing == ("A", "B", "C", "D", "E")


def test_a_title_that_looks_like_a_link_is_none():
    assert note_of('---\ntitle: "[[X]]"\n---\n').outgoing == ()


def test_both_spellings_of_tags_join():
    assert note_of("---\ntag: '#a, b'\ntags:\n  - b\n  - c\n---\n").record.tags == ("b", "c", "a")


def test_crlf_files_have_content_with_lf_and_their_body_as_it_is():
    note = note_of(FULL.replace("\n", "\r\n"))

    assert note.record == note_of(FULL).record
    assert note.body.endswith("A pentest.\r\n")


def test_a_byte_order_mark_changes_nothing():
    assert note_of("\ufeff" + FULL).record == note_of(FULL).record


def test_a_file_that_is_not_utf_8_keeps_what_its_keys_say():
    note = parse(PurePosixPath(PLAIN), b"---\ntitle: T\ntags: [a]\n---\ncaf\xe9 [[X]]\n")

    assert rules(note) == [(5, "not-utf8")]
    assert (note.record.title, note.record.tags) == ("T", ("a",))
    assert (note.record.content, note.body, note.outgoing) == ("", "", ())


@pytest.mark.parametrize(
    "data",
    ["---\ntitle: T\n---\nx".encode("utf-16"), bytes(range(256)) * 9, b"\xff", b"\xed\xa0\x80"],
)
def test_binary_files_are_notes_without_text(data):
    note = parse(PurePosixPath(PLAIN), data)

    assert [rule for _, rule in rules(note)] == ["not-utf8"]
    assert (note.record.title, note.record.content) == ("Some note", "")


def test_a_nul_is_a_problem_and_the_text_is_there():
    note = note_of("a\nb\0c\n")

    assert rules(note) == [(2, "nul")]
    assert note.record.content == "a\nb\0c\n"


def test_problems_come_in_the_order_of_the_file():
    note = note_of(f"---\nid: {ID}\na: 1\nexpires: x\na: 2\n---\n\0\n")

    assert rules(note) == [(4, "bad-value"), (5, "duplicate-key"), (7, "nul")]
    assert str(note.problems[1]) == (
        f"{PLAIN}:5: a is written twice, in lines 3 and 5; the later one counts"
    )


def test_lines_of_a_broken_block_without_key_stand_before_the_content():
    note = note_of("---\ntitle: T\njust words\n---\nbody\n")

    assert rules(note) == [(3, "front-matter-invalid")]
    assert note.record.content == "just words\nbody\n"
    assert note.body == "body\n"


def test_a_conflict_explains_a_block_that_does_not_parse():
    note = note_of("---\na: 1\n<<<<<<< b\nc: 2\n=======\nc: 3\n>>>>>>> d\n---\nbody\n")

    assert note.problems == (
        Problem(
            PLAIN,
            3,
            "conflict-markers",
            "unresolved merge conflict in lines 3 to 7",
            "Keep one version, take the lines <<<<<<<, ======= and >>>>>>> out.",
        ),
    )


BIG = 300_000


@pytest.mark.parametrize(
    "text",
    [
        "---\nkey:" + " " * BIG + "#\n---\nx",
        "---\na" + " " * BIG + ":b\nk: v: w\n---\nx",
        "---\na: " + "[" * 60_000 + "\n---\n",
        "# " + " " * BIG,
        "\n" * BIG + "x",
        "[[a]] " + "` " * BIG,
        "[[a]]\n" + "```a\n" * (BIG // 5),
        "[[" * BIG,
        "<<<<<<< a\n" * (BIG // 10),
        f"---\nid: {ID}\n---\n" + "\\" * BIG + "## Why",
        f"---\nid: {ID}\n---\n## " + " " * BIG + "x",
        "x" * 3_000_000,
    ],
)
def test_a_hostile_file_takes_linear_time(text):
    assert note_of(text).path == PurePosixPath(PLAIN)
