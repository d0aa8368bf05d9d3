"""The merge driver, run by the real git."""

import io
import os
import sys
from pathlib import Path

import pytest

from mnemos_files.store.exchange import set_up_driver
from mnemos_files.sync.driver import LEFT_TO_THE_PERSON, command, run
from tests.conftest import git

PROGRAM = [sys.executable, "-P", "-m", "mnemos_files.sync.driver"]
NOTE = """---
id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
type: decision
title: Use Argon2id
tags:
  - security
---
bcrypt caps its input.

## Why

A pentest.
"""
PATH = "observations/global/2026-12-01-use-argon2id-7k3qx0.md"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """git of another process must find the package: it may lie beside the tests only."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))


@pytest.fixture
def notes(vault: Path) -> Path:
    """A vault with one memory and a note of the person's own, and the driver."""
    file = vault / PATH
    file.parent.mkdir(parents=True)
    file.write_text(NOTE)
    (vault / "own.md").write_text("# Day\n\nRain.\n\nTea.\n")
    (vault / ".mnemos").mkdir()
    (vault / ".mnemos/config.toml").write_text("[vault]\nid = 'x'\nformat = 1\n")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "notes")
    assert set_up_driver(vault, command(PROGRAM))
    return vault


def two_sides(vault: Path, name: str, ours: str, theirs: str) -> str:
    """Merge a branch with one text into main with the other; what git says."""
    git(vault, "switch", "-q", "-c", "theirs")
    (vault / name).write_text(theirs)
    git(vault, "commit", "-q", "-am", "theirs")
    git(vault, "switch", "-q", "main")
    (vault / name).write_text(ours)
    git(vault, "commit", "-q", "-am", "ours")
    return git(vault, "merge", "theirs", "-m", "merge", check=False)


def test_git_merges_a_memory_key_by_key(notes):
    two_sides(
        notes,
        PATH,
        NOTE.replace("  - security\n", "  - security\n  - api\n").replace("caps", "cuts"),
        NOTE.replace("  - security\n", "  - security\n  - crypto\n").replace("pentest.", "audit."),
    )

    assert git(notes, "status", "--porcelain") == ""
    assert (notes / PATH).read_text() == (
        NOTE.replace("  - security\n", "  - security\n  - api\n  - crypto\n")
        .replace("caps", "cuts")
        .replace("pentest.", "audit.")
    )


def test_a_contradiction_ends_the_merge_with_both_versions_in_the_note(notes):
    two_sides(notes, PATH, NOTE.replace("Use A", "Take A"), NOTE.replace("Use A", "Try A"))

    assert git(notes, "status", "--porcelain") == ""
    assert "x_conflict_title: Take Argon2id" in (notes / PATH).read_text()
    assert git(notes, "log", "--format=%P", "-1").count(" ") == 1


def test_a_persons_own_note_is_left_to_the_person_as_git_does(notes):
    two_sides(notes, "own.md", "# Day\n\nSun.\n\nTea.\n", "# Day\n\nSnow.\n\nTea.\n")

    assert git(notes, "status", "--porcelain") == "UU own.md\n"
    assert (notes / "own.md").read_text() == (
        "# Day\n\n<<<<<<< ours\nSun.\n=======\nSnow.\n>>>>>>> theirs\n\nTea.\n"
    )


def test_what_is_told_of_a_persons_own_note_is_where_the_other_version_stands(tmp_path):
    base = "---\nstatus: new\n---\nRain.\n"
    versions = (base, base.replace("new", "wet"), base.replace("new", "dry"))
    for name, text in zip("oab", versions, strict=True):
        (tmp_path / name).write_text(text)
    errors = io.StringIO()

    code = run([*(str(tmp_path / name) for name in "oab"), "day.md"], tmp_path, errors)

    assert code == LEFT_TO_THE_PERSON
    assert errors.getvalue() == ("day.md: the other value stands in an x_conflict_ key: status\n")


def test_a_program_that_is_gone_leaves_the_merge_to_git(notes):
    set_up_driver(notes, command(["/nowhere/python", "-m", "x"]))

    two_sides(notes, "own.md", "# Day\n\nSun.\n\nTea.\n", "# Day\n\nSnow.\n\nTea.\n")

    assert git(notes, "status", "--porcelain") == "UU own.md\n"
    assert "<<<<<<< ours\nSun.\n=======\nSnow.\n>>>>>>> theirs\n" in (notes / "own.md").read_text()


def test_what_does_not_touch_is_merged_by_git_where_the_program_is_gone(notes):
    set_up_driver(notes, command(["/nowhere/python", "-m", "x"]))

    two_sides(notes, "own.md", "# DAY\n\nRain.\n\nTea.\n", "# Day\n\nRain.\n\nTEA.\n")

    assert git(notes, "status", "--porcelain") == ""
    assert (notes / "own.md").read_text() == "# DAY\n\nRain.\n\nTEA.\n"


def test_code_that_lies_in_the_vault_is_not_run(notes):
    """A vault may come from a stranger: `python -m` would import from its folder."""
    (notes / "yaml.py").write_text("open('pwned', 'w')\n")
    (notes / "mnemos_files").mkdir()
    (notes / "mnemos_files/__init__.py").write_text("open('pwned', 'w')\n")

    two_sides(notes, PATH, NOTE.replace("caps", "cuts"), NOTE.replace("pentest", "audit"))

    assert not (notes / "pwned").exists()
    assert "cuts" in (notes / PATH).read_text()
    assert "audit" in (notes / PATH).read_text()


def test_a_rebase_merges_in_the_same_way(notes):
    git(notes, "switch", "-q", "-c", "work")
    (notes / PATH).write_text(NOTE.replace("caps", "cuts"))
    git(notes, "commit", "-q", "-am", "work")
    git(notes, "switch", "-q", "main")
    (notes / PATH).write_text(NOTE.replace("Use A", "Take A"))
    git(notes, "commit", "-q", "-am", "main")

    git(notes, "rebase", "-q", "main", "work")

    assert (notes / PATH).read_text() == NOTE.replace("caps", "cuts").replace("Use A", "Take A")


def test_setting_up_again_changes_nothing(notes):
    before = (notes / ".git/config").read_bytes(), (notes / ".git/info/attributes").read_bytes()

    assert not set_up_driver(notes, command(PROGRAM))

    assert before == (
        (notes / ".git/config").read_bytes(),
        (notes / ".git/info/attributes").read_bytes(),
    )


def test_rules_of_the_files_are_left_alone(vault):
    (vault / ".gitattributes").write_text("*.md merge=union\n")

    set_up_driver(vault, "x %A")

    attributes = vault / ".git/info/attributes"
    assert not attributes.exists() or "mnemos" not in attributes.read_text()


def test_only_notes_of_the_vault_in_a_folder_go_through_the_driver(vault):
    folder = vault / "my memory"
    folder.mkdir()

    set_up_driver(folder, "x %A")

    checked = git(vault, "check-attr", "merge", "my memory/a/b.md", "README.md")
    assert checked == "my memory/a/b.md: merge: mnemos\nREADME.md: merge: unspecified\n"


def test_the_path_counts_from_the_vault_that_the_file_lies_in(tmp_path):
    (tmp_path / "docs/memory/.mnemos").mkdir(parents=True)
    (tmp_path / "docs/memory/.mnemos/config.toml").write_text("[vault]\n")
    names = []
    for name, text in (("O", "# a\n"), ("A", "# b\n"), ("B", "# c\n")):
        (tmp_path / name).write_text(text)
        names.append(str(tmp_path / name))
    errors = io.StringIO()

    code = run([*names, "docs/memory/.mnemos/journal/m/2026-12.jsonl"], tmp_path, errors)

    assert code == 0
    assert (tmp_path / "A").read_text() == "# b\n# c\n"


def test_two_new_files_at_one_path_have_no_base(tmp_path):
    texts = {"O": "", "A": "# Day\n\nRain.\n", "B": "# Day\n\nSnow.\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    errors = io.StringIO()

    code = run([*(str(tmp_path / name) for name in texts), "day.md"], tmp_path, errors)

    assert code == LEFT_TO_THE_PERSON
    assert errors.getvalue() == "day.md: both texts stand between markers\n"


def test_too_few_arguments_are_refused(tmp_path):
    assert run(["a"], tmp_path, io.StringIO()) == 2
