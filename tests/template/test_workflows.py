"""The files of the template and of this repository that run a review for others."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import git
from tests.review.notes import B, at, note

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "vault-template"
WORKFLOW = TEMPLATE / ".github/workflows/memory.yml"
DEFINED = ROOT / ".pre-commit-hooks.yaml"
ONE, TWO = at("one"), at("two")
MARKER = "<!-- mnemos-files review -->"


def read(path):
    loaded = yaml.safe_load(path.read_text("utf-8"))
    return {"on" if key is True else key: value for key, value in loaded.items()}


def steps(job):
    return read(WORKFLOW)["jobs"][job]["steps"]


def commands(job):
    """The commands of a job by the name of their step, but for the installation."""
    return {step["name"]: step["run"] for step in steps(job) if "run" in step}


@pytest.fixture
def tools(tmp_path):
    """A folder with `mnemos-files` and a `gh` that writes down what it was told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = f'#!/bin/sh\nexec {sys.executable} -m mnemos_files "$@"\n'
    forge = (
        '#!/bin/sh\nprintf "%s\\n" "$*" >> "$GH_LOG"\n'
        'case "$*" in *--paginate*) cat "$GH_KNOWN";; esac\n'
    )
    for name, text in (("mnemos-files", program), ("gh", forge)):
        (folder / name).write_text(text, "utf-8")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def clone(vault, tmp_path):
    """A clone as a runner has it: of a branch that changes two memories, with the whole history."""
    write(vault, {".mnemos/config.toml": '[vault]\nid = "x"\nformat = 1\n', ONE: note()})
    git(vault, "checkout", "-q", "-b", "memory/claude")
    write(vault, {ONE: note("Other."), TWO: note("The queue keeps four days.", id=B)})
    git(tmp_path, "clone", "-q", "--branch", "memory/claude", f"file://{vault}", "clone")
    made = tmp_path / "clone"
    git(made, "config", "user.name", "Ines Example")
    git(made, "config", "user.email", "ines@example.org")
    return made


def write(root, texts):
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "change")


def run(command, clone, tools, **environ):
    given = {"PATH": f"{tools}:{os.environ['PATH']}", "BASE": "main", "MNEMOS_VAULT": "."}
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command],
        cwd=clone,
        env=os.environ | given | environ,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_review_of_the_workflow_runs_in_a_clone(clone, tools, tmp_path):
    summary = tmp_path / "summary.md"
    made = commands("review")

    done = {
        name: run(command, clone, tools, GITHUB_STEP_SUMMARY=str(summary))
        for name, command in made.items()
        if not command.startswith("pip ")
    }

    assert set(done) == {"Write the review", "Review", "Check the whole vault"}
    assert [one.returncode for one in done.values()] == [0, 0, 0], done
    assert done["Review"].stdout == "errors: 0, warnings: 0, notes: 0\n"
    first, *lines, last = done["Check the whole vault"].stdout.splitlines()
    assert lines == ["no problems"]
    assert first == f"::stop-commands::{last.strip(':')}"
    text = (clone / "review.md").read_text("utf-8")
    assert text.startswith(f"{MARKER}\n## Memory review\n")
    assert "2 memories (1 changed, 1 new)" in text
    assert summary.read_text("utf-8") == text


def test_an_error_fails_the_step_and_is_an_annotation(clone, tools):
    write(clone, {TWO: note("Other.", importance="very", id=B)})

    done = run(commands("review")["Review"], clone, tools)

    assert done.returncode == 1
    assert done.stdout.startswith(f"::error file={TWO},title=wrong-type,line=6::importance cannot")


def test_a_problem_of_the_vault_fails_the_step_and_its_name_is_no_command(clone, tools):
    write(clone, {"::error file=x::pwned.md": note(importance="very", id=B)})

    done = run(commands("review")["Check the whole vault"], clone, tools)

    first, *lines, last = done.stdout.splitlines()
    assert done.returncode == 1
    assert any(line.startswith("::error file=x::pwned.md:") for line in lines)
    assert first == f"::stop-commands::{last.strip(':')}"
    assert len(last) == 36


@pytest.mark.parametrize("base", ["main; touch pwned", "$(touch pwned)", "--output=pwned", "`x`"])
def test_the_name_of_a_branch_is_never_run(clone, tools, base):
    done = run(commands("review")["Review"], clone, tools, BASE=base)

    assert done.returncode == 2
    assert not (clone / "pwned").exists()


def test_a_shallow_clone_says_which_line_of_the_workflow_is_missing(vault, clone, tools, tmp_path):
    git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", f"file://{vault}", "shallow")

    done = run(commands("review")["Review"], tmp_path / "shallow", tools)

    assert done.returncode == 75
    assert "fetch-depth: 0" in done.stderr


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ("", "api --method POST repos/o/r/issues/7/comments -F body=@review.md"),
        ("41\n", "api --method PATCH repos/o/r/issues/comments/41 -F body=@review.md"),
    ],
)
def test_the_comment_is_written_once_and_then_anew(clone, tools, tmp_path, known, expected):
    (tmp_path / "known").write_text(known, "utf-8")
    log = tmp_path / "log"
    given = {"REPOSITORY": "o/r", "NUMBER": "7", "GH_LOG": str(log)}

    (command,) = commands("comment").values()
    done = run(command, clone, tools, GH_KNOWN=str(tmp_path / "known"), **given)

    assert done.returncode == 0, done.stderr
    assert log.read_text("utf-8").splitlines()[-1] == expected
    assert MARKER in command


def test_the_workflow_gives_only_the_rights_that_a_job_needs():
    workflow = read(WORKFLOW)

    assert workflow["on"] == {"pull_request": None}
    assert workflow["permissions"] == {}
    assert {name: job["permissions"] for name, job in workflow["jobs"].items()} == {
        "review": {"contents": "read"},
        "comment": {"pull-requests": "write"},
    }


def test_no_value_of_a_pull_request_stands_in_a_command():
    workflow = read(WORKFLOW)

    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
    checkout = next(step for step in steps("review") if "checkout" in step.get("uses", ""))
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}


def test_the_example_of_owners_names_nobody():
    lines = (TEMPLATE / ".github/CODEOWNERS").read_text("utf-8").splitlines()

    assert all(line.startswith("#") for line in lines)
    assert {name for line in lines for name in re.findall(r"@[\w/-]+", line)} == {
        "@your-name",
        "@another-name",
        "@your-org/your-team",
    }


def test_the_hooks_for_others_name_commands_that_exist(clone, tools):
    for hook in yaml.safe_load(DEFINED.read_text("utf-8")):
        assert hook["language"] == "python"
        assert hook["pass_filenames"] is False
        assert run(hook["entry"], clone, tools).returncode == 0


@pytest.mark.parametrize(
    ("text", "code"), [(note("Changed."), 0), (note("Ignored.", importance="very"), 1)]
)
def test_the_hook_of_the_template_reads_what_is_staged(clone, tools, text, code):
    (hook,) = read(TEMPLATE / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    (clone / ONE).write_text(text, "utf-8")
    git(clone, "add", ONE)
    (clone / ONE).write_text(note("Not staged.", importance="none"), "utf-8")

    assert run(hook["entry"], clone, tools).returncode == code


def test_a_commit_of_named_files_is_read_from_the_index_that_git_makes_for_it(clone, tools):
    hook = clone / ".git/hooks/pre-commit"
    hook.write_text(f'#!/bin/sh\nPATH="{tools}:$PATH" mnemos-files review --staged --json > seen\n')
    hook.chmod(0o755)
    (clone / ONE).write_text(note("In the commit."), "utf-8")
    (clone / TWO).write_text(note("Only staged.", id=B), "utf-8")
    git(clone, "add", TWO)

    git(clone, "commit", "-q", "-m", "one file", "--", ONE)

    seen = json.loads((clone / "seen").read_text("utf-8"))
    assert [memory["path"] for memory in seen["memories"]] == [ONE]
