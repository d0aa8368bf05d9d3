"""What a person may call a change."""

import pytest

from mnemos_files.errors import InvalidQueryError, UnavailableError
from mnemos_files.history.comparing import Comparing
from tests.conftest import git


def commit(root, name, text="x\n"):
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", name)
    return git(root, "rev-parse", "HEAD").strip()


@pytest.fixture
def vault(tmp_path):
    """A repository with one note."""
    root = tmp_path / "vault"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "Ines Example")
    git(root, "config", "user.email", "ines@example.org")
    commit(root, "Home.md")
    return root


@pytest.fixture
def forked(vault):
    """`main` and `memory/claude` that parted after the first commit."""
    start = git(vault, "rev-parse", "HEAD").strip()
    git(vault, "checkout", "-q", "-b", "memory/claude")
    theirs = commit(vault, "theirs.md")
    git(vault, "checkout", "-q", "main")
    ours = commit(vault, "ours.md")
    return vault, start, theirs, ours


def paths(root, named):
    comparing = Comparing.open(root)
    return [delta.path for delta in comparing.deltas(comparing.span(named))]


def test_two_dots_compare_both_ends(forked):
    root, _, theirs, ours = forked

    span = Comparing.open(root).span("main..memory/claude")

    assert (span.base, span.head, span.end) == (ours, theirs, "commit")
    assert paths(root, "main..memory/claude") == ["ours.md", "theirs.md"]


def test_three_dots_begin_where_both_parted(forked):
    root, start, theirs, _ = forked

    span = Comparing.open(root).span("main...memory/claude")

    assert (span.base, span.head) == (start, theirs)
    assert paths(root, "main...memory/claude") == ["theirs.md"]


def test_a_branch_begins_where_it_parted_from_the_current_one(forked):
    root, start, theirs, _ = forked

    span = Comparing.open(root).span("memory/claude")

    assert (span.base, span.head) == (start, theirs)


def test_the_branch_that_is_checked_out_is_compared_with_main(forked):
    root, start, theirs, _ = forked
    git(root, "checkout", "-q", "memory/claude")

    span = Comparing.open(root).span("memory/claude")

    assert (span.base, span.head) == (start, theirs)


def test_a_branch_without_another_one_is_refused_with_what_to_do(vault):
    with pytest.raises(InvalidQueryError, match="no other branch") as caught:
        Comparing.open(vault).span("main")

    assert "HEAD~5..HEAD" in caught.value.remedy


def test_a_single_commit_is_compared_with_its_parent(forked):
    root, start, _, ours = forked

    span = Comparing.open(root).span("HEAD")

    assert (span.base, span.head) == (start, ours)


def test_the_first_commit_is_compared_with_nothing(forked):
    root, start, _, _ = forked
    comparing = Comparing.open(root)

    span = comparing.span(start)

    assert span.base == ""
    assert [delta.path for delta in comparing.deltas(span)] == ["Home.md"]
    assert [revision.commit for revision in comparing.revisions(span)] == [start]


def test_a_last_end_that_is_left_out_is_head(forked):
    root, _, theirs, ours = forked

    span = Comparing.open(root).span("memory/claude..")

    assert (span.base, span.head) == (theirs, ours)


@pytest.mark.parametrize("text", ["..memory/claude", "...memory/claude", "..", "..."])
def test_a_first_end_that_is_left_out_is_refused(forked, text):
    with pytest.raises(InvalidQueryError, match="'' names no commit"):
        Comparing.open(forked[0]).span(text)


def test_a_tag_is_a_commit(forked):
    root, start, _, ours = forked
    git(root, "tag", "-a", "v1", "-m", "v1")

    span = Comparing.open(root).span("v1")

    assert (span.base, span.head) == (start, ours)


@pytest.mark.parametrize(
    "text", ["nothing", "--output=x", "-", "a..b", "HEAD...nothing", "x" * 500, "a\nb", "..\0", ":"]
)
def test_a_name_of_nothing_is_refused(vault, text):
    with pytest.raises(InvalidQueryError):
        Comparing.open(vault).span(text)

    assert not (vault / "x").exists()


def test_histories_without_a_common_commit_are_refused(forked):
    root, *_ = forked
    git(root, "checkout", "-q", "--orphan", "island")
    git(root, "commit", "-q", "--allow-empty", "-m", "island")

    with pytest.raises(InvalidQueryError, match="no commit in common"):
        Comparing.open(root).span("main...island")


@pytest.fixture
def shallow(forked, tmp_path):
    root, *_ = forked
    git(root, "checkout", "-q", "memory/claude")
    for number in range(4):
        commit(root, f"more{number}.md")
    git(tmp_path, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{root}", "shallow")
    return tmp_path / "shallow"


@pytest.mark.parametrize("text", ["origin/main...HEAD", "origin/main..HEAD", "origin/main", "HEAD"])
def test_a_shallow_clone_says_what_to_fetch(shallow, text):
    with pytest.raises(UnavailableError) as caught:
        Comparing.open(shallow).span(text)

    assert "fetch-depth: 0" in caught.value.remedy


def test_a_commit_that_a_shallow_clone_lacks_says_what_to_fetch(shallow):
    with pytest.raises(InvalidQueryError) as caught:
        Comparing.open(shallow).span("HEAD~1")

    assert "fetch-depth: 0" in caught.value.remedy


def test_a_folder_without_a_repository_is_refused(tmp_path):
    with pytest.raises(UnavailableError):
        Comparing.open(tmp_path)


def test_a_vault_in_a_folder_of_the_repository_sees_its_own_files_only(vault):
    commit(vault, "memory/one.md")
    commit(vault, "code/two.md")

    comparing = Comparing.open(vault / "memory")

    assert comparing.prefix == "memory"
    deltas = comparing.deltas(comparing.span("HEAD~2..HEAD"))
    assert [delta.path for delta in deltas] == ["one.md"]
    assert comparing.file(comparing.span("HEAD").head, "one.md") == b"x\n"
    assert comparing.file(comparing.span("HEAD").head, "two.md") is None
