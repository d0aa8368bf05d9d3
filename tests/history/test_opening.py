"""Finding the repository of a vault in every place where it can be."""

import os
from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.errors import UnavailableError
from mnemos_files.history.repo import History, NoHistory


def test_a_plain_folder_has_no_history(tmp_path):
    found = History.open(tmp_path)

    assert found == NoHistory(reason="", exists=False)
    assert list(tmp_path.iterdir()) == []


def test_a_repository_is_made_in_the_folder_itself(vault):
    inner = vault.root / "inner"
    inner.mkdir()

    made = History.create(inner)

    assert made.git_dir == (inner / ".git").resolve()
    assert (inner / ".git/HEAD").read_text() == "ref: refs/heads/main\n"
    assert made.head() == ""


def test_a_new_repository_uses_the_persons_default_branch(tmp_path, hermetic_git):
    (hermetic_git / ".gitconfig").write_text("[init]\n\tdefaultBranch = trunk\n")
    (tmp_path / "v").mkdir()

    History.create(tmp_path / "v")

    assert (tmp_path / "v/.git/HEAD").read_text() == "ref: refs/heads/trunk\n"


def test_a_default_branch_that_is_no_name_is_not_used(tmp_path, hermetic_git):
    (hermetic_git / ".gitconfig").write_text("[init]\n\tdefaultBranch = a..b\n")
    (tmp_path / "v").mkdir()

    History.create(tmp_path / "v")

    assert (tmp_path / "v/.git/HEAD").read_text() == "ref: refs/heads/main\n"


def test_a_repository_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("x")

    with pytest.raises(UnavailableError, match="no git repository can be made"):
        History.create(tmp_path / "file")


def test_the_first_commit_is_a_root_on_the_branch_that_head_names(tmp_path, make_vault):
    vault = make_vault(tmp_path / "vault", "-b", "trunk")

    vault.save("a.md")

    assert vault.git("log", "--format=%P|%D").strip() == "|HEAD -> trunk"
    assert vault.status() == []
    assert vault.git("reflog", "--format=%gs").strip() == "commit (initial): save(decision): a.md"


def test_a_vault_in_a_subfolder_commits_below_it_only(vault):
    vault.root = vault.top / "docs/memory"
    vault.root.mkdir(parents=True)
    vault.write("../other.md", "person\n")

    vault.save("notes/a.md", "hello\n")

    history = vault.open()
    assert vault.git("ls-tree", "-r", "--full-tree", "--name-only", "HEAD").split() == [
        "docs/memory/notes/a.md",
        "first.md",
    ]
    assert list(history.tree(history.head())) == ["notes/a.md"]
    assert history.committed(PurePosixPath("notes/a.md"))
    assert history.staged(PurePosixPath("notes/a.md"))
    assert [revision.paths for revision in history.log(9)] == [("notes/a.md",)]
    assert vault.status() == ["?? docs/other.md"]
    assert not (vault.root / ".git").exists()


def test_two_vaults_in_one_repository_do_not_mix(vault):
    for name in ("one", "two"):
        vault.root = vault.top / name
        vault.save("a.md", name)

    history = vault.open()

    assert list(history.tree(history.head())) == ["a.md"]
    assert len(history.log(9)) == 1
    assert vault.status() == []


def test_a_vault_in_a_linked_work_tree_commits_to_its_branch(vault, tmp_path):
    vault.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    main = vault.git("rev-parse", "main")
    vault.root = tmp_path / "tree"

    vault.save("notes/a.md")
    vault.save("notes/b.md")

    assert vault.subjects()[:2] == ["save(decision): notes/b.md", "save(decision): notes/a.md"]
    assert vault.git("rev-parse", "main") == main
    assert vault.status() == []
    assert vault.git("reflog", "-1", "--format=%gs").startswith("commit: save")
    assert vault.fsck().startswith("0")
    assert (vault.root / ".git").is_file()
    assert vault.git("rev-parse", "side") == vault.git("rev-parse", "HEAD")


def test_a_vault_in_a_submodule_commits_there(vault, tmp_path, make_vault):
    inner = make_vault(tmp_path / "inner")
    inner.add("x.md")
    vault.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    vault.git("commit", "-qm", "Add submodule")
    outer = vault.git("rev-parse", "HEAD")
    vault.root = vault.top / "sub"

    vault.save("notes/a.md")

    assert vault.subjects()[0] == "save(decision): notes/a.md"
    assert vault.status() == []
    vault.root = vault.top
    assert vault.git("rev-parse", "HEAD") == outer
    assert vault.status() == [" M sub"]


def test_a_vault_behind_a_link_is_the_same_vault(vault, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(vault.root, target_is_directory=True)
    vault.root = link

    vault.save("notes/a.md")

    assert vault.status() == []
    assert list(vault.open().tree(vault.open().head())) == ["first.md", "notes/a.md"]


@pytest.mark.parametrize(
    ("settings", "feature"),
    [
        ({"extensions.partialClone": "origin"}, "partial clone"),
        ({"extensions.refStorage": "reftable"}, "reftable"),
        ({"extensions.tomorrow": "yes"}, "tomorrow"),
    ],
)
def test_a_repository_of_another_kind_is_named_and_left_alone(vault, settings, feature):
    vault.git("config", "core.repositoryformatversion", "1")
    config = vault.root / ".git/config"
    for name, value in settings.items():
        section, key = name.split(".")
        config.write_text(config.read_text() + f"[{section}]\n\t{key} = {value}\n")
    before = config.read_bytes()

    found = History.open(vault.root)

    assert isinstance(found, NoHistory)
    assert found.exists
    assert feature in found.reason
    assert config.read_bytes() == before


def test_a_repository_with_sha256_is_named(tmp_path, make_vault):
    vault = make_vault(tmp_path / "vault", "--object-format=sha256")
    vault.add("a.md")

    found = History.open(vault.root)

    assert isinstance(found, NoHistory)
    assert found.exists
    assert "SHA-256" in found.reason
    assert vault.fsck().startswith("0")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_repository_of_another_user_names_the_line_that_trusts_it(vault, hermetic_git):
    for path in (vault.root, *vault.root.rglob("*")):
        os.chown(path, 1234, 1234)

    found = History.open(vault.root)

    assert isinstance(found, NoHistory)
    assert found.exists
    line = f"git config --global --add safe.directory {vault.root}"
    assert line in found.reason
    (hermetic_git / ".gitconfig").write_text(f"[safe]\n\tdirectory = {vault.root}\n")
    assert isinstance(History.open(vault.root), History)


def test_a_bare_repository_has_no_files(tmp_path, make_vault):
    vault = make_vault(tmp_path / "bare.git", "--bare", identity=False)

    found = History.open(vault.root)

    assert isinstance(found, NoHistory)
    assert found.exists
    assert "bare" in found.reason


def test_a_folder_inside_the_git_folder_is_no_vault(vault):
    found = History.open(vault.root / ".git/info")

    assert isinstance(found, NoHistory)
    assert found.exists


def test_the_environment_does_not_lead_to_another_repository(
    vault, tmp_path, make_vault, monkeypatch
):
    other = make_vault(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))

    history = vault.open()

    assert history.git_dir == Path(vault.root, ".git").resolve()
