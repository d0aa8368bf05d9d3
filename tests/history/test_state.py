"""Times at which no commit may be made."""

import pytest

from mnemos_files.errors import RefusedError


def merge(vault):
    vault.git("checkout", "-q", "-b", "other")
    vault.add("first.md", "theirs\n")
    vault.git("checkout", "-q", "main")
    vault.add("first.md", "ours\n")
    assert vault.try_git("merge", "other").returncode == 1


def rebase(vault):
    vault.git("checkout", "-q", "-b", "other")
    vault.add("first.md", "theirs\n")
    vault.git("checkout", "-q", "main")
    vault.add("first.md", "ours\n")
    assert vault.try_git("rebase", "other").returncode == 1


def cherry_pick(vault):
    vault.git("checkout", "-q", "-b", "other")
    vault.add("first.md", "theirs\n")
    vault.git("checkout", "-q", "main")
    vault.add("first.md", "ours\n")
    assert vault.try_git("cherry-pick", "other").returncode == 1


def revert(vault):
    vault.add("first.md", "second\n")
    vault.add("first.md", "third\n")
    assert vault.try_git("revert", "HEAD~1").returncode == 1


def bisect(vault):
    vault.add("second.md")
    vault.add("third.md")
    vault.git("bisect", "start", "HEAD", "HEAD~2")


def apply_patches(vault):
    vault.add("first.md", "second\n")
    patch = vault.git("format-patch", "--stdout", "-1")
    vault.git("reset", "-q", "--hard", "HEAD~1")
    vault.add("first.md", "third\n")
    vault.write("p.patch", patch)
    assert vault.try_git("am", "p.patch").returncode != 0


def detach(vault):
    vault.git("checkout", "-q", "--detach")


@pytest.mark.parametrize(
    ("begin", "name", "ending"),
    [
        (merge, "a merge", "git merge --abort"),
        (rebase, "a rebase", "git rebase --abort"),
        (cherry_pick, "a cherry-pick", "git cherry-pick --abort"),
        (revert, "a revert", "git revert --abort"),
        (bisect, "a bisect", "git bisect reset"),
        (apply_patches, "git am", "git am --abort"),
        (detach, "HEAD is detached", "git switch"),
    ],
)
def test_writing_is_refused_with_what_to_do(vault, begin, name, ending):
    begin(vault)
    before = vault.git("rev-parse", "HEAD"), vault.status()

    why = vault.open().blocked()
    with pytest.raises(RefusedError, match=name) as caught:
        vault.save("notes/a.md")
    (vault.root / "notes/a.md").unlink()

    assert name in why
    assert ending in why
    assert caught.value.rule == "git-state"
    assert (vault.git("rev-parse", "HEAD"), vault.status()) == before
    assert why in vault.open().notices()
    assert vault.open().tree(vault.open().head())


def test_a_merge_that_the_person_ends_has_two_parents_and_writing_goes_on(vault):
    merge(vault)
    assert vault.open().blocked()
    stages = vault.git("ls-files", "-u")
    with pytest.raises(RefusedError):
        vault.save("notes/a.md")
    assert vault.git("ls-files", "-u") == stages
    assert (vault.root / ".git/MERGE_HEAD").exists()

    vault.write("first.md", "both\n")
    vault.git("add", "first.md")
    vault.git("commit", "-qm", "Merge")

    assert len(vault.git("log", "-1", "--format=%p").split()) == 2
    assert vault.open().blocked() == ""
    vault.save("notes/a.md")
    assert vault.status() == []


def test_a_merge_that_a_locked_index_stopped_is_told_apart(vault):
    vault.add("base.md")
    vault.git("checkout", "-q", "-b", "side")
    vault.add("theirs.md")
    vault.git("checkout", "-q", "main")
    vault.add("ours.md")
    lock = vault.root / ".git/index.lock"
    lock.touch()
    vault.try_git("merge", "side")
    lock.unlink()

    assert "has merged nothing" in vault.open().blocked()

    vault.git("merge", "--abort")
    assert vault.open().blocked() == ""


def test_nothing_stops_writing_on_an_ordinary_branch(vault):
    assert vault.open().blocked() == ""


def test_nothing_stops_writing_on_an_unborn_branch(empty):
    assert empty.open().blocked() == ""
