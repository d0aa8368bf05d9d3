"""Commands that are built from the table of operations."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mnemos_files.cli.main import commands
from mnemos_files.operations.table import OPERATIONS
from tests.cli.conftest import program


def test_every_operation_is_a_command():
    names = commands.list_commands(None)

    assert names[-len(OPERATIONS) :] == [row.name.replace("_", "-") for row in OPERATIONS]
    for name in names:
        assert CliRunner().invoke(commands, [name, "--help"]).exit_code == 0


def test_save_search_get_link_and_delete_work_from_the_shell(vault: Path, run_json, run):
    place = ("--vault", str(vault))
    old = run_json("save", "Use bcrypt", "It is everywhere.", "--type", "decision", *place)
    new = run_json(
        *("save", "Use Argon2id", "bcrypt caps at 72 bytes", "--type", "decision"),
        *("--tags", "auth,security", "--tags", "hash", "--importance", "7", *place),
    )
    linked = run_json("link", new["id"], old["id"], "supersedes", *place)
    found = run_json("search", "bcrypt", *place)
    stale = run_json("search", "bcrypt", "--include-stale", "--limit", "5", *place)
    got = run_json("get", new["id"], *place)
    deleted = run_json("delete", new["id"], *place)

    assert linked["created"] is True
    assert [hit["title"] for hit in found["results"]] == ["Use Argon2id"]
    assert {hit["title"] for hit in stale["results"]} == {"Use Argon2id", "Use bcrypt"}
    assert got["tags"] == ["auth", "security", "hash"]
    assert got["importance"] == 7
    assert deleted["title"] == "Use Argon2id"
    assert run("get", new["id"], *place).exit_code == 3


def test_content_comes_from_standard_input(vault: Path, run_json):
    place = ("--vault", str(vault))
    text = "První řádek\n\n## Why\n\nnot a heading of ours\n"

    saved = run_json("save", "T", "-", "--type", "context", *place, input=text)

    assert run_json("get", saved["id"], *place)["content"] == text.removesuffix("\n")


def test_standard_input_that_is_not_utf_8_is_refused(vault: Path, run):
    result = run(*("save", "T", "-", "--type", "context", "--vault", str(vault)), input=b"abc\xff")

    assert result.exit_code == 2
    assert result.stderr.startswith("error: content: byte 3 of standard input is not UTF-8")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("get", "nope"), 3, "error: no note is called 'nope'"),
        (
            ("save", "T", "C", "--type", "context", "--importance", "11"),
            2,
            "error: importance: must be a whole number 0..10, but 11 came",
        ),
        (("search", "  "), 2, "error: query: is required"),
    ],
)
def test_an_error_is_a_sentence_and_an_exit_code(
    vault: Path, run, arguments: tuple[str, ...], code: int, sentence: str
):
    result = run(*arguments, "--vault", str(vault))

    assert result.exit_code == code
    assert result.stderr.splitlines()[0] == sentence
    assert result.stdout == ""


def test_a_missing_argument_is_named_by_its_usage(vault: Path, run):
    result = run("save", "only a title", "--type", "context", "--vault", str(vault))

    assert result.exit_code == 2
    assert "Missing argument 'CONTENT'" in result.stderr


def test_common_options_may_stand_before_the_command(vault: Path, run_json):
    run_json("save", "T", "C", "--type", "context", "--vault", str(vault))

    assert run_json("--vault", str(vault), "--json", "search", "T")["total"] >= 1


def test_text_for_people_is_a_table_and_no_markup(vault: Path, run):
    place = ("--vault", str(vault))
    title = "[red]Colours[/red] \x1b[31m of tags"
    run("save", title, "Brackets [bold] stay.", "--type", "context", *place)

    shown = run("search", "brackets", "--no-json", *place).stdout

    assert "[red]Colours[/red] [31m" in shown
    assert "\x1b" not in shown
    assert "Brackets [bold] stay." in shown
    assert "\x1b" not in shown
    assert "1 of 1 (hybrid)" in shown


@pytest.mark.parametrize("command", [("stats",), ("status",), ("check",), ("reindex",)])
def test_every_command_can_speak_to_people(vault: Path, run, command: tuple[str, ...]):
    result = run(*command, "--no-json", "--vault", str(vault))

    assert result.exit_code == 0
    assert not result.stdout.startswith("{")


def test_a_terminal_gets_a_table_and_a_pipe_gets_json(vault: Path):
    main, side = pty.openpty()
    place = ("--vault", str(vault))
    program("save", "Terminal", "A table is drawn.", "--type", "context", *place)
    process = subprocess.Popen(
        [sys.executable, "-m", "mnemos_files", "search", "table", *place],
        stdout=side,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"TERM": "dumb", "COLUMNS": "100"},
    )
    os.close(side)
    seen = b""
    try:
        while chunk := os.read(main, 1 << 16):
            seen += chunk
    except OSError:
        pass  # Linux tells the end of a terminal by an error
    process.wait(60)
    os.close(main)

    assert b"Terminal" in seen
    assert not seen.lstrip().startswith(b"{")
    assert json.loads(program("search", "table", *place).stdout)["total"] == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_console_that_lacks_letters_stops_no_command(vault: Path, encoding: str):
    environ = {"PYTHONIOENCODING": encoding}
    place = ("--vault", str(vault))

    saved = program("save", "Řemeslník ✓", "東京 🚀", "--type", "context", *place, **environ)
    found = program("search", "東京", *place, **environ)
    shown = program("search", "東京", "--no-json", *place, **environ)
    wrong = program("get", "Řemeslník ☃", *place, **environ)

    assert [saved.returncode, found.returncode, shown.returncode] == [0, 0, 0]
    assert json.loads(found.stdout)["results"][0]["title"] == "Řemeslník ✓"
    assert "emesln" in shown.stdout
    assert wrong.returncode == 3
    assert wrong.stderr.startswith("error: ")


def test_edit_invalidate_and_restore_work_from_the_shell(vault: Path, run_json, run):
    place = ("--vault", str(vault))
    memory = run_json("save", "Backups", "Nightly.", "--type", "decision", *place)["id"]

    run_json("edit", memory, "--append", "-", *place, input="- weekly\n")
    run_json("edit", memory, "--append", "- monthly", *place)
    edited = run_json(
        *("edit", memory, "--set", "x_note: one, two", "--set", "importance: 8"),
        *("--add-tags", "disk,night", "--reason", "It was asked for.", *place),
    )
    refused = run("edit", memory, "--content", "x", *place)
    late = run("edit", memory, "--content", "x", "--expected-version", "0" * 40, *place)
    text = run_json(
        *("edit", memory, "--content", "-", "--expected-version", edited["version"], *place),
        input="- hourly\n",
    )
    ended = run_json("invalidate", memory, "The disk is gone.", *place)
    back = run_json("restore", memory, *place)
    first = run_json("restore", memory, "--version", edited["commit"], *place)

    got = run_json("get", memory, *place)
    assert got["content"] == "Nightly.\n\n- weekly\n- monthly"
    assert got["properties"] == {"x_note": "one, two"}
    assert got["tags"] == ["disk", "night"]
    assert (refused.exit_code, late.exit_code) == (2, 4)
    assert "- weekly" in late.stderr
    assert [one["changed"] for one in (edited, text, ended, back, first)] == [True] * 5
    assert first["restored_from"] == edited["commit"]
