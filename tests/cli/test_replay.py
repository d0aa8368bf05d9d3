"""`mnemos-files replay` prints or writes the page of a session."""

from pathlib import Path

import pytest

GOAL = "Make the login safe"


@pytest.fixture
def session_id(vault: Path, run_json) -> str:
    started = run_json("session-start", "--goal", GOAL, "--project", "api", "--vault", vault)
    run_json("session-end", started["session_id"], "Done.", "--vault", vault)
    return started["session_id"]


def test_the_page_is_markdown_also_in_a_pipe(vault, run, session_id):
    result = run("replay", session_id, "--vault", vault)

    assert result.exit_code == 0
    assert result.stdout.startswith(f"# Replay · {GOAL}\n\nstarted ")
    assert "## Summary\n\n> Done.\n" in result.stdout


def test_json_has_the_page_and_its_size(vault, run_json, session_id):
    value = run_json("replay", session_id, "--max-tokens", "100", "--json", "--vault", vault)

    assert value["session_id"] == session_id
    assert value["token_estimate"] == -(-len(value["text"].encode()) // 4)
    assert value["token_estimate"] <= value["max_tokens"] == 100
    assert set(value) == {
        *("session_id", "since", "max_tokens", "token_estimate", "lines_left_out", "text")
    }


def test_a_file_can_be_written_instead(vault, run, session_id, tmp_path):
    out = tmp_path / "page.md"

    result = run("replay", session_id, "--out", out, "--vault", vault)

    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text(encoding="utf-8").startswith(f"# Replay · {GOAL}\n")


def test_a_file_that_cannot_be_written_is_an_error(vault, run, session_id, tmp_path):
    result = run("replay", session_id, "--out", tmp_path / "no" / "page.md", "--vault", vault)

    assert result.exit_code == 74
    assert "No such file" in result.stderr


def test_an_unknown_session_is_told(vault, run):
    result = run("replay", "01KBC3W6H5M0V2T8N4Q9F7K3QX", "--vault", vault)

    assert result.exit_code == 3
    assert "session not found: 01KBC3W6H5M0V2T8N4Q9F7K3QX" in result.stderr


@pytest.mark.parametrize("tokens", ["0", "-5", "99", "many"])
def test_a_budget_without_room_for_anything_is_refused(vault, run, session_id, tokens):
    result = run("replay", session_id, f"--max-tokens={tokens}", "--vault", vault)

    assert result.exit_code == 2
