"""Two commits of one repository: how far apart, and in which files."""

from pathlib import PurePosixPath

import pygit2
import pytest

from mnemos_files.errors import RefusedError, UnavailableError
from mnemos_files.history.merging import Merging
from mnemos_files.history.values import Step
from tests.history.conftest import NOW, change


def no_merge(*_):
    raise AssertionError("no file was changed by both")


@pytest.fixture
def split(vault):
    """Two branches: main added `ours.md`, `other` changed `first.md` and added a folder."""
    vault.git("switch", "-q", "-c", "other")
    vault.add("first.md", "theirs\n")
    vault.add("folder/new.md", "new\n")
    vault.git("switch", "-q", "main")
    vault.add("ours.md", "ours\n")
    return vault


def commit(vault, name: str) -> str:
    return vault.git("rev-parse", name).strip()


def test_commits_are_counted_from_where_both_parted(split):
    merging = Merging.open(split.root)
    ours, theirs = merging.head(), commit(split, "other")

    assert ours == commit(split, "main")
    assert merging.apart(ours, theirs) == (1, 2)
    assert merging.apart(ours, "") == (2, 0)
    assert merging.is_related(ours, theirs)
    assert merging.has(ours, commit(split, "main~1"))
    assert not merging.has(ours, theirs)


def test_every_file_that_a_side_changed_is_told_with_its_versions(split):
    merging = Merging.open(split.root)

    found = merging.differing(merging.head(), commit(split, "other"), no_merge)

    assert [(each.path, bool(each.base), bool(each.ours), bool(each.theirs)) for each in found] == [
        ("first.md", True, True, True),
        ("folder/new.md", False, False, True),
        ("ours.md", False, True, False),
    ]
    assert [merging.read(found[0].theirs, "first.md"), found[0].base == found[0].ours] == [
        b"theirs\n",
        True,
    ]
    assert merging.changed(commit(split, "main"), commit(split, "other")) == [
        "first.md",
        "folder/new.md",
        "ours.md",
    ]


def test_where_branches_crossed_their_common_commits_are_merged_first(split):
    main, other = commit(split, "main"), commit(split, "other")
    split.git("merge", "-q", "--no-edit", other)
    split.git("switch", "-q", "other")
    split.git("merge", "-q", "--no-edit", main)
    split.add("last.md", "last\n")
    split.git("switch", "-q", "main")
    merging = Merging.open(split.root)

    found = merging.differing(merging.head(), commit(split, "other"), no_merge)

    assert [each.path for each in found] == ["last.md"]


def test_a_file_is_read_as_git_would_write_it(split):
    split.git("config", "core.autocrlf", "true")
    merging = Merging.open(split.root)
    (one, *_) = merging.differing(merging.head(), commit(split, "other"), no_merge)

    assert merging.read(one.theirs, "first.md") == b"theirs\r\n"
    assert merging.read(None, "first.md") is None


def test_links_and_modules_are_no_ordinary_files(split):
    (split.root / "link.md").symlink_to("first.md")
    split.git("add", "link.md")
    split.git("commit", "-q", "-m", "link")
    merging = Merging.open(split.root)

    found = merging.differing(merging.head(), commit(split, "other"), no_merge)

    assert [each.path for each in found if not each.is_regular] == ["link.md"]


def test_a_folder_without_repository_has_nothing_to_merge(tmp_path):
    with pytest.raises(UnavailableError, match="no git repository"):
        Merging.open(tmp_path)


def test_histories_of_their_own_are_not_related(vault):
    vault.git("checkout", "-q", "--orphan", "alone")
    vault.git("commit", "-q", "-m", "alone")
    merging = Merging.open(vault.root)

    assert not merging.is_related(commit(vault, "main"), commit(vault, "alone"))


def test_the_branch_moves_on_to_a_commit_with_the_git_index(split):
    split.git("reset", "-q", "--hard", "HEAD~1")
    history, other = split.open(), commit(split, "other")
    files = {"first.md": b"theirs\n", "folder/new.md": b"new\n"}
    for path, data in files.items():
        split.write(path, data)
    step = Step(
        commit(split, "main"), other, {PurePosixPath(p): data for p, data in files.items()}, "moved"
    )

    result = history.advance(step, NOW)

    assert (result.base, result.tip, result.notices) == (step.base, other, ())
    assert split.status() == []
    assert commit(split, "main") == other
    assert split.git("reflog", "-1", "--format=%gs") == "moved\n"


def test_a_branch_that_somebody_else_moved_stays_where_it_is(split):
    history, main = split.open(), commit(split, "main")

    assert history.advance(Step(commit(split, "main~1"), main, {}, "moved"), NOW) is None
    assert commit(split, "main") == main


def test_in_the_middle_of_a_merge_the_branch_is_not_moved(split):
    split.write("first.md", "ours\n")
    split.git("commit", "-q", "-am", "clash")
    split.try_git("merge", "-q", "other")
    main = commit(split, "main")

    with pytest.raises(RefusedError, match="a merge is in progress"):
        split.open().advance(Step(main, commit(split, "other"), {}, "moved"), NOW)


def test_a_merge_commit_takes_files_with_their_mode(split):
    split.git("switch", "-q", "other")
    split.write("tool.sh", "#!/bin/sh\n")
    (split.root / "tool.sh").chmod(0o755)
    split.git("add", "tool.sh")
    split.git("commit", "-q", "-m", "tool")
    split.git("switch", "-q", "main")
    other = commit(split, "other")
    made = change("tool.sh", b"#!/bin/sh\n", merges=(other,))
    split.open().commit([made], NOW)

    assert split.git("ls-tree", "HEAD", "tool.sh").startswith("100755")
    assert commit(split, "HEAD^2") == other
    assert pygit2.Repository(str(split.root)).head.shorthand == "main"
