from datetime import UTC, datetime
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.errors import RefusedError
from mnemos_files.format.paths import (
    check_relative,
    conflict_copy_of,
    is_temporary,
    path_for,
    project_folder,
    slug,
    stem,
)
from mnemos_files.model.record import Record

ULID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"


def record_of(title: str = "T", **fields) -> Record:
    given = {"id": ULID, "type": "decision", "content": "", **fields}
    return Record(title=title, **given)


def test_a_record_lies_by_kind_project_date_title_and_id():
    created = datetime(2026, 3, 4, 23, 59, tzinfo=UTC)
    record = record_of("Use Argon2id: why?", type="correction", project="My API", created=created)

    assert path_for(record) == PurePosixPath(
        "corrections/my-api/2026-03-04-use-argon2id-why-f7k3qx.md"
    )


def test_without_project_and_time_the_id_gives_the_day():
    assert path_for(record_of()) == PurePosixPath("observations/global/2025-12-01-t-f7k3qx.md")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", "hello-world"),
        ("  --a__b--  ", "a-b"),
        ("Cafe\u0301 Übersee", "café-übersee"),
        ("हिन्दी में", "हिन्दी-में"),
        ("ไทย ดี", "ไทย-ดี"),
        ("ΑΣ", "ας"),
        ("İ", "i\u0307"),
        ("🚢", "untitled"),
        ("", "untitled"),
        ("../../etc/passwd", "etc-passwd"),
        ("x" * 80, "x" * 60),
        ("x" * 59 + " y", "x" * 59),
    ],
)
def test_a_slug_keeps_letters_of_every_script(text, expected):
    assert slug(text) == expected


@pytest.mark.parametrize(
    ("project", "folder"),
    [
        ("", "global"),
        ("global", "global-project"),
        ("Global!", "global-project"),
        ("../x", "x"),
        ("CON", "con-project"),
        ("lpt¹", "lpt¹-project"),
        ("???", "untitled"),
        (".git", "git"),
    ],
)
def test_a_project_of_any_name_has_a_harmless_folder_of_its_own(project, folder):
    assert project_folder(project) == folder


@given(st.text(), st.text())
def test_every_title_gives_a_name_that_every_system_can_store(title, project):
    path = path_for(record_of(title, project=project))

    assert len(path.parts) == 3
    assert len(path.name.encode()) <= 200
    assert check_relative(str(path)) == path
    assert not set(str(path)) & set('<>:"\\|?*')


def test_a_long_title_is_cut_between_characters():
    name = path_for(record_of("𠀀" * 70)).name

    assert name == f"2025-12-01-{'𠀀' * 44}-f7k3qx.md"
    assert len(name.encode()) == 197


def test_the_stem_is_the_name_in_links():
    assert stem(PurePosixPath("a/v1.2 notes.md")) == "v1.2 notes"
    assert stem(PurePosixPath("a/B.MD")) == "B"
    assert stem(PurePosixPath("a/b.txt")) == "b.txt"


@pytest.mark.parametrize(
    "text",
    [
        *("a/..", "a/", "/", ".", "a//b.md", "./a.md", "a /b.md", "a./b.md", "~a", "b/~a"),
        *("nul", "a/COM1.md", "a/lpt9.tar.md", "con .md", "com¹.md", "-x", "a/--help"),
        *("a\tb", "a\x85b", "a\u2028b", "a\ud800", "%2E%2E/a", "a%00b", "c:a", "C:/a", "x" * 256),
        *(".md", "...md", "a/.trash/b.md", "git~12"),
    ],
)
def test_a_path_that_is_not_plainly_inside_is_refused(text):
    with pytest.raises(RefusedError) as caught:
        check_relative(text)

    assert caught.value.rule == "path"
    assert caught.value.remedy


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_no_name_at_all_is_told_as_such(text):
    with pytest.raises(RefusedError, match="an empty name names no note") as caught:
        check_relative(text)

    assert caught.value.remedy == "Give the id or the path that search gives."


@pytest.mark.parametrize(
    "text",
    ["a.md", "a: b.md", "--help.md", "a & b.md", "_drafts/v1.2 notes.md", "Café.md", "console"],
)
def test_a_name_that_people_give_is_taken(text):
    assert check_relative(text) == PurePosixPath(text)


@pytest.mark.parametrize(
    ("name", "original"),
    [
        ("a.sync-conflict-20260503-181502-K7Q2XAB.md", "a.md"),
        ("a.sync-conflict-20260503-181502.md", "a.md"),
        ("a (Ines's conflicted copy 2026-05-03).md", "a.md"),
        ("a (conflicted copy 2026-05-03 181502).md", "a.md"),
        ("a (Conflicted copy Phone 202605031815).md", "a.md"),
        ("a (Case Conflict 1).md", "a.md"),
        ("a_conflict-20260503-181502.md", "a.md"),
        ("a (SFConflict ines@example.org 2026-05-03-18-15-02).md", "a.md"),
        ("a (conflicted copy).md", None),
        ("a conflict.md", None),
        ("a 2.md", None),
        ("a (1).md", None),
    ],
)
def test_a_copy_is_known_by_a_name_that_nobody_types(name, original):
    assert conflict_copy_of(name) == original


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        (".a.md.tmp", True),
        ("a.md~", True),
        (".#a.md", True),
        ("#a.md#", True),
        (".a.md.swp", True),
        ("~$a.md", True),
        ("4913", True),
        ("a.md", False),
        ("4913.md", False),
        ("tmp.md", False),
        ("#a.md", False),
    ],
)
def test_files_of_editors_are_told_from_notes(name, answer):
    assert is_temporary(name) is answer
