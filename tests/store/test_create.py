"""Making a vault."""

from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from mnemos_files.model.query import Query
from mnemos_files.store.create import create_vault
from tests.conftest import NOON, OpenStore, git


@pytest.fixture
def template(tmp_path: Path) -> Traversable:
    folder = tmp_path / "template"
    (folder / ".obsidian").mkdir(parents=True)
    (folder / "Home.md").write_text("# Home\n\nHow to supersede a memory.\n", encoding="utf-8")
    (folder / ".gitignore").write_text(".trash/\n", encoding="utf-8")
    (folder / ".obsidian/app.json").write_text("{}\n", encoding="utf-8")
    return folder


def test_a_new_folder_becomes_a_repository_with_one_commit(
    tmp_path: Path, template: Traversable
) -> None:
    root = tmp_path / "new/memory"

    created = create_vault(root, template, NOON)

    assert created.made_repository
    assert git(root, "log", "--format=%s").splitlines() == ["init(vault): a memory in git"]
    assert git(root, "ls-files").split() == [
        ".gitignore",
        ".mnemos/.gitignore",
        ".mnemos/config.toml",
        ".obsidian/app.json",
        "Home.md",
    ]
    assert git(root, "status", "--porcelain") == ""


def test_what_is_there_is_not_changed(vault: Path, template: Traversable) -> None:
    (vault / ".gitignore").write_text("mine\n", encoding="utf-8")
    (vault / "draft.md").write_text("a draft\n", encoding="utf-8")
    git(vault, "add", "draft.md")

    created = create_vault(vault, template, NOON)

    assert not created.made_repository
    assert (vault / "Home.md").read_text("utf-8") == "# Home\n"
    assert (vault / ".gitignore").read_text("utf-8") == "mine\n"
    assert set(created.added) == {
        ".mnemos/.gitignore",
        ".mnemos/config.toml",
        ".obsidian/app.json",
    }
    assert git(vault, "status", "--porcelain") == "A  draft.md\n?? .gitignore\n"


def test_a_second_time_adds_nothing(tmp_path: Path, template: Traversable) -> None:
    root = tmp_path / "memory"
    create_vault(root, template, NOON)
    before = git(root, "rev-parse", "HEAD")

    assert create_vault(root, template, NOON).added == ()
    assert git(root, "rev-parse", "HEAD") == before


def test_the_guide_is_not_a_memory_but_a_person_s_home_is(
    tmp_path: Path, vault: Path, template: Traversable, open_vault: OpenStore
) -> None:
    (vault / "Home.md").write_text("How to supersede a lamp.\n", encoding="utf-8")
    create_vault(vault, template, NOON)
    create_vault(tmp_path / "memory", template, NOON)
    question = Query(text="supersede", now=NOON)

    assert len(open_vault(vault).search(question).found) == 1
    assert open_vault(tmp_path / "memory").search(question).found == ()


def test_a_vault_in_a_folder_of_a_repository_commits_there(
    vault: Path, template: Traversable
) -> None:
    created = create_vault(vault / "docs/memory", template, NOON)

    assert not created.made_repository
    assert not (vault / "docs/memory/.git").exists()
    assert "docs/memory/.mnemos/config.toml" in git(vault, "ls-files").split()


def test_a_set_up_that_was_killed_before_its_commit_is_finished(
    tmp_path: Path, template: Traversable, open_vault: OpenStore
) -> None:
    root = tmp_path / "memory"
    create_vault(root, template, NOON)
    git(root, "update-ref", "-d", "HEAD")
    git(root, "rm", "-r", "-q", "--cached", ".")
    (root / ".mnemos/config.toml").unlink()

    assert "Home.md" in create_vault(root, template, NOON).added

    assert git(root, "status", "--porcelain") == ""
    assert open_vault(root).search(Query(text="supersede", now=NOON)).found == ()


def test_settings_that_a_killed_set_up_left_are_committed_with_their_id(
    tmp_path: Path, template: Traversable
) -> None:
    root = tmp_path / "memory"
    create_vault(root, template, NOON)
    settings = (root / ".mnemos/config.toml").read_text("utf-8")
    git(root, "update-ref", "-d", "HEAD")
    git(root, "rm", "-r", "-q", "--cached", ".")

    create_vault(root, template, NOON)

    assert git(root, "show", "HEAD:.mnemos/config.toml") == settings


def test_a_folder_of_templates_keeps_its_spelling(tmp_path: Path) -> None:
    template = tmp_path / "template"
    (template / ".obsidian").mkdir(parents=True)
    (template / "templates").mkdir()
    (template / "templates/decision.md").write_text("x\n", encoding="utf-8")
    (template / ".obsidian/templates.json").write_text('{"folder": "templates"}', "utf-8")
    root = tmp_path / "notes"
    (root / "Templates").mkdir(parents=True)

    created = create_vault(root, template, NOON)

    assert "Templates/decision.md" in created.added
    assert (root / ".obsidian/templates.json").read_text("utf-8") == '{"folder": "Templates"}'
    assert not (root / "templates").exists()
    assert created.notices == ()


def test_lines_that_a_file_of_the_person_lacks_are_told(tmp_path: Path) -> None:
    template, root = tmp_path / "template", tmp_path / "notes"
    for folder in (template, root):
        folder.mkdir()
    lines = "# why\n*.md   -text\n*.png binary\n\n"
    (template / ".gitattributes").write_text(lines, encoding="utf-8")
    (root / ".gitattributes").write_bytes(b"*.md -text\r\n")

    created = create_vault(root, template, NOON)

    told = ".gitattributes is yours and stays as it is; it lacks: *.png binary"
    assert created.notices == (told,)
