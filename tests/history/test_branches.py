"""Which branch is main, what another one proposes, and linked work trees of our own."""

from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.errors import NotFoundError, UnavailableError
from mnemos_files.history.branches import Branches
from mnemos_files.history.differing import CONFLICT
from mnemos_files.history.refs import Branch
from mnemos_files.history.values import Change, NoHistory
from tests.conftest import git

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository with one commit."""
    root = tmp_path / "vault"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "Ines Example")
    git(root, "config", "user.email", "ines@example.org")
    write(root, "Home.md", "# Home\n", "start")
    return root


def write(root: Path, path: str, text: str, message: str = "edit") -> str:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD").strip()


def opened(root: Path) -> Branches:
    found = Branches.open(root)
    assert isinstance(found, Branches)
    return found


def differing(root: Path, branch: str = "side") -> dict[str, tuple[bool, bool, bool]]:
    """What the branch proposes: whether base, proposal and main have the file."""
    branches = opened(root)
    sides = branches.sides(branches.tip("main"), branches.tip(branch))
    return {
        one.path: (one.base is not None, one.proposed is not None, one.main is not None)
        for one in sides.differing
    }


def test_main_is_what_is_asked_for_then_the_default_of_origin_then_the_usual_one(top):
    for name in ("other", "trunk", "master"):
        git(top, "branch", name)
    assert opened(top).main("other").name == "other"
    assert opened(top).main("").name == "main"
    assert opened(top).main("not-there").name == "main"
    git(top, "update-ref", "refs/remotes/origin/trunk", "HEAD")
    git(top, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    assert opened(top).main("").name == "trunk"
    git(top, "symbolic-ref", "-d", "refs/remotes/origin/HEAD")
    git(top, "branch", "-m", "main", "notes")
    assert opened(top).main("").name == "master"
    git(top, "branch", "-D", "-q", "master")
    assert opened(top).main("").name == "notes"


def test_an_unborn_main_has_no_commit(tmp_path):
    git(tmp_path, "init", "-q", "-b", "start")

    assert opened(tmp_path).main("") == Branch("start", "")


def test_a_folder_in_no_repository_has_no_branches(tmp_path):
    assert Branches.open(tmp_path) == NoHistory()


def test_what_only_main_changed_is_no_proposal(top):
    git(top, "branch", "side")
    write(top, "new.md", "of main\n")

    assert differing(top) == {}


def test_new_changed_and_deleted_files_are_proposals(top):
    write(top, "a.md", "one\n")
    write(top, "b.md", "one\n")
    git(top, "switch", "-q", "-c", "side")
    write(top, "a.md", "two\n")
    (top / "b.md").unlink()
    write(top, "dir/c.md", "new\n")
    git(top, "switch", "-q", "main")

    assert differing(top) == {
        "a.md": (True, True, True),
        "b.md": (True, False, True),
        "dir/c.md": (False, True, False),
    }


def test_a_cherry_pick_and_a_later_edit_of_main_count_as_taken(top):
    git(top, "switch", "-q", "-c", "side")
    write(top, "a.md", "proposed\n")
    git(top, "switch", "-q", "main")
    git(top, "cherry-pick", "side")
    assert differing(top) == {}
    write(top, "a.md", "proposed and edited\n")
    assert differing(top) == {}


def test_a_change_on_top_of_what_was_taken_has_that_as_its_base(top):
    git(top, "switch", "-q", "-c", "side")
    write(top, "a.md", "first\n")
    git(top, "switch", "-q", "main")
    git(top, "cherry-pick", "side")
    git(top, "switch", "-q", "side")
    write(top, "a.md", "second\n")
    git(top, "switch", "-q", "main")

    branches = opened(top)
    (one,) = branches.sides(branches.tip("main"), branches.tip("side")).differing

    assert one.base == one.main
    assert not one.has_moved


def test_what_main_deleted_and_the_branch_changed_has_moved(top):
    write(top, "a.md", "one\n")
    git(top, "switch", "-q", "-c", "side")
    write(top, "a.md", "two\n")
    git(top, "switch", "-q", "main")
    git(top, "rm", "-q", "a.md")
    git(top, "commit", "-q", "-m", "gone")

    branches = opened(top)
    sides = branches.sides(branches.tip("main"), branches.tip("side"))
    joined = branches.joiner.join(sides, Change({}, "update"))

    assert joined.conflicts == ("a.md",)
    assert (CONFLICT, "a.md") in joined.message.trailers
    made = branches.joiner.commit(joined, NOON)
    assert git(top, "show", f"{made}:a.md") == "two\n"
    assert git(top, "log", "-1", "--format=%P", made).split() == [sides.branch, sides.main]


def test_branches_of_unrelated_histories_are_compared_with_nothing(top):
    git(top, "switch", "-q", "--orphan", "side")
    write(top, "a.md", "proposed\n")
    git(top, "switch", "-q", "main")

    assert differing(top) == {"a.md": (False, True, False)}


def test_notes_are_told_apart_from_other_files_of_the_vault(top):
    git(top, "switch", "-q", "-c", "side")
    write(top, "a.md", "note\n")
    write(top, ".hidden/b.md", "none\n")
    write(top, ".mnemos/journal/m/2026-12.jsonl", "{}\n")
    write(top, "picture.png", "none\n")
    git(top, "switch", "-q", "main")
    branches = opened(top)
    sides = branches.sides(branches.tip("main"), branches.tip("side"))

    assert [str(one.path) for one in branches.proposed(sides)] == ["a.md"]
    assert branches.others(sides, ".mnemos/journal") == {
        PurePosixPath(".mnemos/journal/m/2026-12.jsonl"): b"{}\n"
    }


def test_a_blob_that_is_not_there_is_not_found(top):
    with pytest.raises(NotFoundError):
        opened(top).read("1" * 40)
    assert opened(top).read("") == b""


def test_a_branch_below_the_name_of_another_cannot_be_made(top):
    git(top, "branch", "memory")

    with pytest.raises(UnavailableError, match="cannot be made") as caught:
        opened(top).make("memory/a/2026-12-01", git(top, "rev-parse", "HEAD").strip())
    assert "memory" in caught.value.remedy


def test_a_branch_is_moved_only_from_where_it_is(top):
    first = git(top, "rev-parse", "HEAD").strip()
    git(top, "branch", "side")
    second = write(top, "a.md", "one\n")
    branches = opened(top)

    assert not branches.move(Branch("side", second), first)
    assert branches.move(Branch("side", first), second)
    assert git(top, "rev-parse", "side").strip() == second
    git(top, "pack-refs", "--all")
    assert branches.move(Branch("side", second), first)
    assert git(top, "rev-parse", "side").strip() == first


def test_a_work_tree_holds_notes_and_rules_only_and_git_takes_it_for_clean(top, tmp_path):
    write(top, "sub/vault/a.md", "note\n")
    write(top, "sub/vault/.mnemos/config.toml", "x\n")
    write(top, "sub/vault/picture.png", "none\n")
    write(top, "sub/.gitattributes", "*.md text\n")
    commit = write(top, "code.py", "print()\n")
    branches = opened(top / "sub/vault")
    branches.make("side", commit)
    tree = branches.worktree("ours", tmp_path / "tree")
    assert not tree.is_whole

    tree.make("side", commit)

    found = sorted(str(p.relative_to(tree.folder)) for p in tree.folder.rglob("*") if p.is_file())
    assert found == [
        ".git",
        "sub/.gitattributes",
        "sub/vault/.mnemos/config.toml",
        "sub/vault/a.md",
    ]
    assert git(tree.folder, "status", "--porcelain") == ""
    assert tree.is_whole
    assert tree.branch == "side"
    (known,) = branches.linked()
    assert (known.name, known.folder, known.branch, known.is_whole) == (
        "ours",
        tree.folder,
        "side",
        True,
    )
    assert f"{tree.folder} " in git(top, "worktree", "list")
    assert "\n[side]" not in git(top, "worktree", "list")


def test_a_work_tree_whose_folder_is_another_repositorys_is_not_whole(top, tmp_path):
    commit = git(top, "rev-parse", "HEAD").strip()
    branches = opened(top)
    branches.make("side", commit)
    tree = branches.worktree("ours", tmp_path / "tree")
    tree.make("side", commit)

    (tree.folder / ".git").write_text("gitdir: /nowhere\n", encoding="utf-8")

    assert not tree.is_whole
    assert [one.is_whole for one in branches.linked()] == [False]


def test_a_person_who_works_in_the_work_tree_commits_what_lies_there_only(top, tmp_path):
    commit = write(top, "picture.png", "none\n")
    branches = opened(top)
    branches.make("side", commit)
    tree = branches.worktree("ours", tmp_path / "tree")
    tree.make("side", commit)

    (tree.folder / "Home.md").write_text("# Mine\n", encoding="utf-8")
    git(tree.folder, "commit", "-qam", "by hand")

    assert git(top, "show", "--name-only", "--format=", "side").split() == ["Home.md"]


def test_a_work_tree_in_a_folder_that_cannot_be_written_to_is_an_error_of_ours(top, tmp_path):
    commit = git(top, "rev-parse", "HEAD").strip()
    branches = opened(top)
    branches.make("side", commit)
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    tree = branches.worktree("ours", tmp_path / "file" / "tree")

    with pytest.raises(UnavailableError, match="work tree"):
        tree.make("side", commit)
