"""What a stranger's commit must not do to the vault."""

import subprocess
from pathlib import Path

import pytest

from mnemos_files.errors import MnemosError, RefusedError
from tests.conftest import an_observation, git
from tests.store.test_exchange import hub, ours, root

__all__ = ["hub", "ours"]


def pushed(store, hub: Path, *rows: str) -> None:
    """A commit on the remote whose tree has these rows too, however they are called."""
    tree = git(hub, "ls-tree", "-z", "main") + "".join(f"{row}\0" for row in rows)
    made = given(hub, tree.encode("utf-8", "surrogateescape"), "mktree", "-z")
    person = ("-c", "user.name=Mallory", "-c", "user.email=m@example.org")
    commit = given(hub, b"x\n", *person, "commit-tree", made, "-p", "main")
    git(hub, "update-ref", "refs/heads/main", commit)
    store.put(an_observation(store, title="Second", content="Two."))


def given(folder: Path, data: bytes, *arguments: str) -> str:
    """What a git command says that reads some bytes."""
    command = ["git", "-C", str(folder), *arguments]
    return (
        subprocess.run(command, input=data, check=True, capture_output=True).stdout.decode().strip()
    )


def blob(hub: Path, text: str, mode: str = "100644") -> str:
    """A row of a tree up to its name."""
    return f"{mode} blob {given(hub, text.encode(), 'hash-object', '-w', '--stdin')}\t"


@pytest.mark.parametrize("name", ["git~1", ".GIT", "a\\b.md", "x\x07.md", ".git\u200c"], ids=ascii)
def test_names_that_could_lead_into_gits_folder_are_refused(ours, hub, name):
    pushed(ours, hub, blob(hub, "x\n") + name)
    before = git(root(ours), "rev-parse", "HEAD")

    with pytest.raises(MnemosError):
        ours.exchange.sync()

    assert git(root(ours), "rev-parse", "HEAD") == before
    assert git(root(ours), "status", "--porcelain") == ""


def test_names_that_differ_in_case_only_are_named_with_a_way_out(ours, hub):
    pushed(ours, hub, blob(hub, "x\n") + "Plan.md", blob(hub, "y\n") + "plan.md")
    before = git(root(ours), "rev-parse", "HEAD")

    with pytest.raises(RefusedError, match=r"case only: Plan\.md, plan\.md") as told:
        ours.exchange.sync()

    assert "Rename" in told.value.remedy
    assert git(root(ours), "rev-parse", "HEAD") == before
    assert git(root(ours), "status", "--porcelain") == ""


def test_links_are_left_to_git(ours, hub):
    pushed(ours, hub, blob(hub, "/etc/passwd", "120000") + "secrets.md")

    with pytest.raises(RefusedError, match=r"secrets\.md"):
        ours.exchange.sync()

    assert not (root(ours) / "secrets.md").exists()


def test_a_link_on_the_way_is_not_followed(ours, hub, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    inner = given(hub, f"{blob(hub, 'x')}note.md\0".encode(), "mktree", "-z")
    pushed(ours, hub, f"040000 tree {inner}\tway")
    (root(ours) / "way").symlink_to(outside)

    with pytest.raises(MnemosError):
        ours.exchange.sync()

    assert list(outside.iterdir()) == []


def test_files_that_go_through_a_program_are_left_to_git(ours, hub):
    (root(ours) / ".gitattributes").write_text("*.bin filter=lfs\n")
    git(root(ours), "add", ".gitattributes")
    git(root(ours), "commit", "-q", "-m", "lfs")
    pushed(ours, hub, blob(hub, "version https://git-lfs\n") + "big.bin")

    with pytest.raises(RefusedError, match=r"big\.bin"):
        ours.exchange.sync()
