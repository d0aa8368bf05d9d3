"""Every line has the version that brought it, as `git blame` has it."""

import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemos_files.store.store import Store
from tests.conftest import OpenStore, git
from tests.store.test_lineage import Hand


@pytest.fixture
def hand(vault: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1800000000 +0000")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "1800000000 +0000")
    return Hand(vault)


def ours(store: Store, name: str) -> list[tuple[str, str]]:
    """Subject of the commit that brought each line, "" for one that is not committed, and it."""
    found = store.versions.blame(store.versions.subject(name))
    return [
        ("" if version is None else store.versions.origin(version).subject, line)
        for line, version in found
    ]


def gits(root: Path, path: str) -> list[tuple[str, str]]:
    """The same by `git blame`."""
    lines = git(root, "blame", "--line-porcelain", "--", path).split("\n")
    subjects = [line[8:] for line in lines if line.startswith("summary ")]
    texts = [line[1:] for line in lines if line.startswith("\t")]
    return list(zip(subjects, texts, strict=True))


def test_lines_have_the_commit_that_brought_them(store: Store, hand: Hand) -> None:
    hand.write("a.md", "one\ntwo\nthree\n")
    hand.commit("new")
    hand.write("a.md", "one\n2\nthree\n")
    hand.commit("second line")
    hand.write("b.md", "zero\none\n2\nthree\n")
    (hand.root / "a.md").unlink()
    hand.commit("moved, with a line above")
    hand.write("b.md", "zero\none\n2\nthree\nfour\n")

    assert ours(store, "b.md") == [
        ("moved, with a line above", "zero"),
        ("new", "one"),
        ("second line", "2"),
        ("new", "three"),
        ("", "four"),
    ]


def test_a_deleted_note_has_the_lines_of_its_last_text(store: Store, hand: Hand) -> None:
    hand.write("a.md", "one\n")
    hand.commit("new")
    hand.write("a.md", "one\ntwo")
    hand.commit("more")
    (hand.root / "a.md").unlink()
    hand.commit("gone")

    assert ours(store, "a.md") == [("new", "one"), ("more", "two")]


def test_a_line_that_was_taken_out_and_put_back_is_of_the_commit_that_put_it_back(
    store: Store, hand: Hand
) -> None:
    for number, text in enumerate(("one\ntwo\n", "one\n", "one\ntwo\n")):
        hand.write("a.md", text)
        hand.commit(f"edit {number}")

    assert ours(store, "a.md") == [("edit 0", "one"), ("edit 2", "two")]


def test_a_note_that_was_gone_for_a_while_begins_anew(store: Store, hand: Hand) -> None:
    hand.write("a.md", "one\n")
    hand.commit("new")
    (hand.root / "a.md").unlink()
    hand.commit("gone")
    hand.write("a.md", "one\n")
    hand.commit("back")

    assert ours(store, "a.md") == [("back", "one")]


def test_other_line_ends_are_no_other_lines(store: Store, hand: Hand) -> None:
    hand.write("a.md", "one\ntwo\n")
    hand.commit("new")
    (hand.root / "a.md").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    hand.commit("on Windows")

    assert ours(store, "a.md") == [("new", "one"), ("new", "two"), ("on Windows", "three")]


def test_a_note_that_was_never_committed_is_of_nobody(
    store: Store, vault: Path, hand: Hand
) -> None:
    hand.write("a.md", "one\n")

    assert ours(store, "a.md") == [("", "one")]


def test_lines_of_both_branches_keep_their_commits_in_a_merge(
    store: Store, vault: Path, hand: Hand
) -> None:
    middle = "".join(f"line {number}\n" for number in range(9))
    hand.write("a.md", middle)
    hand.commit("new")
    git(vault, "switch", "-q", "-c", "side")
    hand.write("a.md", middle + "end of side\n")
    hand.commit("side")
    git(vault, "switch", "-q", "main")
    hand.write("a.md", "top of main\n" + middle)
    hand.commit("main")
    git(vault, "merge", "-q", "--no-commit", "--no-ff", "side")
    hand.write("a.md", "top of main\n" + middle + "end of side\nsettled\n")
    hand.commit("merge")

    found = ours(store, "a.md")
    assert found == gits(vault, "a.md")
    assert [one for one in found if one[0] != "new"] == [
        ("main", "top of main"),
        ("side", "end of side"),
        ("merge", "settled"),
    ]


def random_stream(seed: int, commits: int) -> str:
    """Input of git fast-import: one note on branches that merge, its lines all different."""
    rnd = random.Random(seed)  # noqa: S311 - repeatable, not secret
    states: list[list[str]] = []
    lines: list[str] = []
    for number in range(commits):
        parents = [number - 1] if number else []
        if number > 2 and rnd.random() < 0.3:
            parents = sorted({number - 1, rnd.randrange(number - 1)}, reverse=True)
        elif number > 1 and rnd.random() < 0.3:
            parents = [rnd.randrange(number)]
        text = [line for line in states[parents[0]] if rnd.random() > 0.15] if parents else []
        for other in parents[1:]:
            text += [line for line in states[other] if line not in text and rnd.random() < 0.7]
        for _ in range(rnd.randrange(4)):
            text.insert(rnd.randint(0, len(text)), f"line {len(lines)} {rnd.random()}")
        states.append(text)
        data = "".join(f"{line}\n" for line in text)
        lines += [f"commit refs/heads/c{number}", f"mark :{number + 1}"]
        lines += [f"committer Ines <i@x> {1_700_000_000 + 60 * number} +0000"]
        lines += [f"data {len(str(number))}", str(number)]
        lines += [f"{'merge' if place else 'from'} :{p + 1}" for place, p in enumerate(parents)]
        lines += ["M 100644 inline a.md", f"data {len(data)}", data]
    return "\n".join(lines) + "\n"


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10**6), commits=st.integers(1, 20))
def test_blame_says_what_git_says(
    tmp_path_factory: pytest.TempPathFactory, open_vault: OpenStore, seed: int, commits: int
) -> None:
    root = tmp_path_factory.mktemp("random")
    git(root, "init", "-q", "-b", "main")
    command = ["git", "fast-import", "--quiet", "--force"]
    stream = random_stream(seed, commits)
    subprocess.run(command, cwd=root, input=stream, text=True, check=True)
    git(root, "reset", "-q", "--hard", f"c{commits - 1}")

    store = open_vault(root)

    assert ours(store, "a.md") == gits(root, "a.md")
    store.close()
