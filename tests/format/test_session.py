"""The text of a session's file."""

from datetime import UTC, datetime
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.format.links import find_links
from mnemos_files.format.record import parse, render, update
from mnemos_files.format.session import saved_line, touched_lines, with_log
from mnemos_files.model.record import Record
from mnemos_files.model.session import Session, to_record, with_outcome

ID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
PATH = PurePosixPath("sessions/api/2026-12-01-fix-it-7k3qxx.md")
START = datetime(2026, 12, 1, 9, 30, 15, tzinfo=UTC)


def saved(**fields: object) -> Record:
    given_fields = {"id": ID, "type": "decision", "title": "Use Argon2id", "content": "x"}
    return Record(**(given_fields | fields))


def test_an_ended_session_reads_as_a_work_log() -> None:
    session = Session(
        id=ID,
        started=START,
        agent="codex",
        project="api",
        goal="Fix the login\n\n## Summary\n\nThe goal has a heading.",
        ended=START.replace(hour=11),
        status="failed",
        outcome_tags=("ci-red",),
    )
    record = with_log(
        to_record(session),
        [saved_line("2026-12-01-use-argon2id-abcdef", saved())],
        touched_lines(["src/login.py"]),
        "It still fails.",
        "Look at the clock first.",
    )

    assert (
        render(record).decode()
        == f"""\
---
id: {ID}
type: session
title: Fix the login
project: api
agent: codex
created: 2026-12-01T09:30:15Z
status: failed
ended: 2026-12-01T11:30:15Z
outcome_tags:
  - ci-red
---
Fix the login

\\## Summary

The goal has a heading.

## Saved

- [[2026-12-01-use-argon2id-abcdef|Use Argon2id]] (decision)

## Touched

- `src/login.py`

## Summary

It still fails.

## Reflection

Look at the clock first.
"""
    )


@pytest.mark.parametrize(
    ("link", "fields", "line"),
    [
        ("a-b", {}, "- [[a-b|Use Argon2id]] (decision)"),
        ("a-b", {"trust_tier": "raw"}, "- [[a-b|Use Argon2id]] (decision, raw)"),
        ("a/b c", {"title": "a\nb  c"}, "- [[a/b c|a b c]] (decision)"),
        ("a", {"title": "x]] [[evil|y` z\\"}, "- [[a|x)) ((evil/y' z/]] (decision)"),
        ("a", {"title": " "}, "- [[a]] (decision)"),
        ("a", {"title": "x" * 300}, f"- [[a|{'x' * 119}…]] (decision)"),
        ("a#b", {}, "- Use Argon2id (decision): a#b"),
        ("a|b", {"title": ""}, "- untitled (decision): a|b"),
    ],
)
def test_a_saved_memory_is_a_link_with_its_title(
    link: str, fields: dict[str, object], line: str
) -> None:
    assert saved_line(link, saved(**fields)) == line


@given(st.lists(st.text(max_size=40), min_size=1, max_size=5))
def test_no_title_hides_a_link_or_adds_one(titles: list[str]) -> None:
    lines = [saved_line(f"note-{n}", saved(title=title)) for n, title in enumerate(titles)]

    assert find_links("\n".join(lines)) == tuple(f"note-{n}" for n in range(len(titles)))


def test_many_touched_files_are_counted() -> None:
    lines = touched_lines([f"src/{n}.py" for n in range(130)])

    assert len(lines) == 101
    assert lines[99:] == ["- `src/99.py`", "- and 30 more"]


def test_a_path_with_a_backtick_is_no_code() -> None:
    assert touched_lines(["a`b.py"]) == ["- a`b.py"]


def test_what_a_person_wrote_in_the_file_stays() -> None:
    data = b"""\
---
# my comment
id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
type: session
title: "Renamed by me"
mood: 'good'
created: 2026-12-01T09:30:15Z
---
Fix it, I add: soon.

## Saved

- [[one|One]] (decision)
- my own line

## Summary

I saw it fail.
"""
    note = parse(PATH, data)
    session = Session(id=ID, started=START, ended=START, status="ok")
    lines = ["- [[one|One]] (decision)", "- [[two|Two]] (bugfix)"]

    after = with_log(with_outcome(note.record, session), lines, [], "Done.", "")

    assert (
        update(data, note, after).decode()
        == """\
---
# my comment
id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
type: session
title: "Renamed by me"
mood: 'good'
created: 2026-12-01T09:30:15Z
status: ok
ended: 2026-12-01T09:30:15Z
---
Fix it, I add: soon.

## Saved

- [[one|One]] (decision)
- my own line
- [[two|Two]] (bugfix)

## Summary

I saw it fail.

Done.
"""
    )


def test_the_same_log_twice_changes_nothing() -> None:
    touched = touched_lines([f"src/{n}.py" for n in range(130)])
    record = to_record(Session(id=ID, started=START, goal="Fix it"))
    once = with_log(record, ["- [[one|One]] (decision)"], touched, "Done.", "Fine.")

    assert with_log(once, ["- [[one|One]] (decision)"], touched, "Done.", "Fine.") == once
    assert parse(PATH, render(once)).record == once
