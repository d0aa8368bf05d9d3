"""`mnemos-files review`: what it takes, what it prints, how it ends."""

import json
import re

import pytest
from click.testing import CliRunner

from mnemos_files.cli.review import DEFAULT, SUBCOMMANDS, review
from tests.cli.conftest import program
from tests.conftest import git
from tests.review.notes import B, at, note

ONE, TWO = at("one"), at("two")
ESC = "\x1b"
HOSTILE = (
    "</code></pre></details> | ::error file=x::pwned @ines #1 "
    "[click](https://evil.example) {0} ![x](https://evil.example/p.png)"
)


def commit(vault, texts):
    for path, text in texts.items():
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_text(text, encoding="utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "change")


def test_without_a_range_it_reads_what_is_not_committed(vault, run):
    (vault / "Plan.md").write_text("Buy milk.\n", encoding="utf-8")

    result = run("review", "--vault", vault)

    assert result.exit_code == 0
    assert result.stdout == (
        "uncommitted changes: 1 memory (1 new)\n\n"
        "new: Plan (context, global)\n"
        "  in Plan.md\n"
        "  by not committed\n"
        "  curated, from user\n"
        "  | Buy milk.\n\n"
        "nothing was found\n"
    )


def test_a_range_staged_changes_and_a_branch_are_read(vault, run):
    commit(vault, {ONE: note()})
    git(vault, "checkout", "-q", "-b", "memory/claude")
    commit(vault, {TWO: note("The queue keeps four days.", id=B)})
    git(vault, "checkout", "-q", "main")
    (vault / ONE).write_text(note("Other."), encoding="utf-8")
    git(vault, "add", "-A")

    def paths(*named):
        result = run("review", *named, "--json", "--vault", vault)
        return [memory["path"] for memory in json.loads(result.stdout)["memories"]]

    assert paths("--staged") == [ONE]
    assert paths("memory/claude") == [TWO]
    assert paths("main...memory/claude") == [TWO]
    assert paths("HEAD") == [ONE]
    assert paths() == [ONE]


@pytest.mark.parametrize(
    ("keys", "bar", "code"),
    [
        ({"importance": "very"}, "error", 1),
        ({"importance": "very"}, "never", 0),
        ({"derived_from": "nothing"}, "error", 0),
        ({"derived_from": "nothing"}, "warning", 1),
        ({}, "warning", 0),
    ],
)
def test_the_exit_code_follows_the_bar(vault, run, keys, bar, code):
    commit(vault, {ONE: note(**keys)})

    assert run("review", "HEAD", "--fail-on", bar, "--vault", vault).exit_code == code


def test_a_range_that_names_nothing_ends_with_two(vault, run):
    result = run("review", "nothing..HEAD", "--vault", vault)

    assert result.exit_code == 2
    assert result.stderr.startswith("error: range: 'nothing' names no commit\n")


@pytest.mark.parametrize("named", ["", "...HEAD", "..HEAD", "...", ".."])
def test_a_variable_that_is_not_set_does_not_pass_as_nothing_found(vault, run, named):
    commit(vault, {ONE: note()})

    assert run("review", named, "--vault", vault).exit_code == 2


def test_a_last_end_that_is_left_out_is_the_current_commit(vault, run):
    commit(vault, {ONE: note()})

    assert "1 memory" in run("review", "HEAD~1..", "--vault", vault).stdout


def test_a_range_beside_staged_is_refused(vault, run):
    assert run("review", "HEAD", "--staged", "--vault", vault).exit_code == 2


def test_a_vault_without_a_repository_ends_with_what_to_do(tmp_path, run):
    result = run("review", "--vault", tmp_path)

    assert result.exit_code == 75
    assert "no git repository" in result.stderr


def test_a_branch_that_is_called_like_a_subcommand_is_given_behind_range(vault, run):
    git(vault, "branch", "range")
    commit(vault, {ONE: note()})
    git(vault, "checkout", "-q", "range")
    commit(vault, {TWO: note(id=B)})
    git(vault, "checkout", "-q", "main")

    result = run("review", "range", "range", "--json", "--vault", vault)

    assert [memory["path"] for memory in json.loads(result.stdout)["memories"]] == [TWO]


def test_help_shows_the_options_of_the_default_and_the_subcommands(run):
    text = run("review", "--help").stdout

    assert "--staged" in text
    assert "--fail-on" in text
    assert all(name in text for name in SUBCOMMANDS)
    assert DEFAULT in SUBCOMMANDS


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_can_be_loaded(name):
    assert CliRunner().invoke(review, [name, "--help"]).exit_code == 0


@pytest.mark.parametrize("form", ["text", "markdown", "github", "sarif", "json"])
def test_no_format_lets_a_hostile_text_out_of_its_place(vault, run, form):
    title = f'"{HOSTILE} \\u202e \\e[2J"'
    named = {"::error file=x::pwned.md": "x\n", ".github/a\n::error file=y::pwned": "y\n"}
    commit(vault, named | {ONE: note(HOSTILE, title=title, importance=f'"{HOSTILE}"')})

    result = run("review", "HEAD", "--format", form, "--vault", vault)

    text = result.stdout
    assert ESC not in text
    assert "\u202e" not in text
    lines = text.splitlines()
    if form == "github":
        assert [line[:7] for line in lines if line.startswith("::")] == ["::error", "::warni"]
    else:
        assert not any(line.lstrip().startswith("::") for line in lines)
    if form == "markdown":
        assert text.count("</details>") == text.count("<details") == 2
        assert text.count("</pre>") == text.count("<pre>")
        assert "@ines" not in re.sub("<pre>.*?</pre>", "", text, flags=re.S)
        assert "](" not in re.sub("<pre>.*?</pre>", "", text, flags=re.S)


@pytest.mark.parametrize("form", ["text", "markdown", "github", "sarif", "json"])
def test_no_format_tells_a_secret(vault, run, form):
    key = "AKIA" + "IOSFODNN7QX3MPLE"
    commit(vault, {ONE: note(f"The key is {key}.", title=f"Key {key}", source=key)})

    result = run("review", "HEAD", "--format", form, "--vault", vault)

    assert result.exit_code == 1
    assert key not in result.stdout
    assert "secret" in result.stdout


def test_a_clone_with_nothing_but_git_is_read_and_not_written_to(vault, tmp_path):
    commit(vault, {".mnemos/config.toml": '[vault]\nid = "x"\nformat = 1\n'})
    git(vault, "checkout", "-q", "-b", "memory/claude")
    commit(vault, {ONE: note()})
    git(tmp_path, "clone", "-q", "--branch", "memory/claude", f"file://{vault}", "clone")

    done = program("review", "origin/main...HEAD", cwd=tmp_path / "clone", PYTHONIOENCODING="ascii")

    assert done.returncode == 0, done.stderr
    assert "1 memory (1 new)" in done.stdout
    assert git(tmp_path / "clone", "status", "--porcelain", "--ignored") == ""
