"""`init`: adds what is missing, changes nothing that is there (c75, U02)."""

import hashlib
from pathlib import Path

from tests.cli.conftest import program
from tests.conftest import git


def digests(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and ".git" not in path.relative_to(root).parts
        and path.name != "writer.lock"  # git-ignored
    }


def test_a_new_folder_becomes_a_vault_in_a_repository_with_one_commit(tmp_path: Path, run_json):
    root = tmp_path / "deep" / "memory"

    made = run_json("init", str(root))

    assert made["vault"] == str(root)
    assert made["made_repository"] is True
    assert {"Home.md", ".mnemos/config.toml", ".gitignore"} <= set(made["added"])
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "rev-list", "--count", "HEAD") == "1\n"


def test_an_obsidian_vault_keeps_every_byte(tmp_path: Path, run_json):
    root = tmp_path / "notes"
    (root / ".obsidian").mkdir(parents=True)
    (root / ".obsidian" / "app.json").write_text('{"mine": true}', encoding="utf-8")
    (root / "Home.md").write_bytes(b"\xef\xbb\xbfmy own home\r\n")
    before = digests(root)

    made = run_json("init", str(root))

    after = digests(root)
    assert {name: after[name] for name in before} == before
    assert set(made["added"]) == set(after) - set(before)
    assert "Home.md" not in made["added"]


def test_a_repository_keeps_its_work_and_gets_one_commit_of_what_was_added(vault: Path, run_json):
    (vault / "staged.py").write_text("x = 1\n", encoding="utf-8")
    git(vault, "add", "staged.py")
    (vault / "Home.md").write_text("# Home\n\nhalf an edit\n", encoding="utf-8")
    (vault / "loose.txt").write_text("loose\n", encoding="utf-8")
    before = git(vault, "status", "--porcelain")

    made = run_json("init", str(vault / "docs" / "memory"))

    assert made["made_repository"] is False
    assert git(vault, "status", "--porcelain") == before
    committed = git(vault, "show", "--name-only", "--format=", "HEAD").split("\n")
    assert {path for path in committed if path} == {f"docs/memory/{p}" for p in made["added"]}


def test_a_second_init_adds_nothing(tmp_path: Path, run, run_json):
    root = tmp_path / "memory"
    run_json("init", str(root))

    assert run_json("init", str(root))["added"] == []
    assert "nothing was changed" in run("init", str(root), "--no-json").stdout
    assert git(root, "rev-list", "--count", "HEAD") == "1\n"


def test_a_file_that_was_deleted_is_all_that_comes_back(tmp_path: Path, run_json):
    root = tmp_path / "memory"
    run_json("init", str(root))
    (root / "Review.base").unlink()

    assert run_json("init", str(root))["added"] == ["Review.base"]


def test_a_home_folder_and_the_root_are_refused(hermetic_git: Path, run):
    before = sorted(path.name for path in hermetic_git.iterdir())

    for place in (str(hermetic_git), "~", "/"):
        result = run("init", place)
        assert result.exit_code == 5
        assert "not a place for a vault" in result.stderr

    assert sorted(path.name for path in hermetic_git.iterdir()) == before


def test_the_line_for_a_client_is_told(tmp_path: Path, run):
    root = tmp_path / "memory"

    shown = run("init", str(root), "--no-json").stdout

    assert f"serve --vault {root}" in shown


def test_a_place_where_no_folder_can_be_made_is_an_error_with_its_cause():
    done = program("init", "/dev/null/memory")

    assert done.returncode != 0
    assert done.stderr.startswith("error: /dev/null/memory: ")
    assert "Traceback" not in done.stderr
