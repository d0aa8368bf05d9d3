"""Which commits belong to one note, whatever its names were."""

import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemos_files.store.store import Store
from tests.conftest import OpenStore, an_observation, git


class Hand:
    """A person at work in a vault, with a clock that goes on by a minute for each commit."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.minute = 0

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def move(self, path: str, to: str) -> None:
        (self.root / to).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).rename(self.root / to)

    def commit(self, message: str, minutes: int = 1) -> str:
        self.minute += minutes
        stamp = f"{1_800_000_000 + 60 * self.minute} +0000"
        os.environ["GIT_COMMITTER_DATE"] = os.environ["GIT_AUTHOR_DATE"] = stamp
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "--allow-empty", "-m", message)
        return git(self.root, "rev-parse", "HEAD").strip()


@pytest.fixture
def hand(vault: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1800000000 +0000")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "1800000000 +0000")
    return Hand(vault)


def subjects(store: Store, name: str) -> list[str]:
    return [store.versions.origin(one).subject for one in store.versions.of(name)]


def paths(store: Store, name: str) -> list[str]:
    return [str(one.path) for one in store.versions.of(name)]


NOTE = "The harbour closes at ten.\nThe lighthouse does not.\nAsk Ben for the key.\n"


def test_a_note_without_id_is_followed_by_its_text(store: Store, hand: Hand) -> None:
    hand.write("a.md", NOTE)
    hand.commit("new")
    hand.move("a.md", "folder/b.md")
    hand.commit("moved")
    hand.move("folder/b.md", "c.md")
    hand.write("c.md", NOTE.replace("Ben", "Ada"))
    hand.commit("moved and edited")

    assert subjects(store, "c.md") == ["moved and edited", "moved", "new"]
    assert paths(store, "c.md") == ["c.md", "folder/b.md", "a.md"]


def test_a_memory_is_followed_by_its_id_when_its_text_became_another(
    store: Store, vault: Path, hand: Hand
) -> None:
    saved = store.put(an_observation(store))
    front = (vault / saved.path).read_text().partition("---\n")[2].partition("---\n")[0]
    hand.write("conventions/New.md", f"---\n{front}---\nNothing of the old text is left here.\n")
    (vault / saved.path).unlink()
    hand.write("other.md", (vault / "Home.md").read_text())
    hand.commit("to another kind's folder")

    assert paths(store, saved.record.id) == ["conventions/New.md", str(saved.path)]


def test_of_many_files_that_moved_at_once_each_keeps_its_own_past(store: Store, hand: Hand) -> None:
    for number in range(30):
        hand.write(f"old/{number}.md", f"{NOTE}Number {number}.\n")
    hand.commit("new")
    for number in range(30):
        hand.move(f"old/{number}.md", f"new/{29 - number}.md")
        hand.write(f"new/{29 - number}.md", f"{NOTE}Number {number}.\nMoved.\n")
    hand.commit("moved")

    found = store.versions.of("new/4.md")
    texts = [store.versions.text(one).decode().removeprefix(NOTE) for one in found]
    assert texts == ["Number 25.\nMoved.\n", "Number 25.\n"]


def test_a_file_that_took_the_path_of_another_has_no_part_in_its_past(
    store: Store, vault: Path, hand: Hand
) -> None:
    saved = store.put(an_observation(store))
    hand.move(str(saved.path), "Moved.md")
    hand.commit("moved away")
    hand.write(str(saved.path), "A note of mine, at the same path.\n")
    hand.commit("mine")

    assert subjects(store, saved.record.id) == [
        "moved away",
        "save(decision): Use Argon2id for password hashing",
    ]
    assert subjects(store, str(saved.path)) == ["mine"]


def test_a_note_that_was_deleted_and_came_back_has_one_past(store: Store, hand: Hand) -> None:
    hand.write("a.md", NOTE)
    hand.commit("new")
    (hand.root / "a.md").unlink()
    hand.commit("gone")
    hand.write("a.md", NOTE + "Again.\n")
    hand.commit("back")

    assert subjects(store, "a.md") == ["back", "gone", "new"]


def test_a_memory_that_came_back_under_another_name_has_one_past(
    store: Store, vault: Path, hand: Hand
) -> None:
    saved = store.put(an_observation(store))
    text = (vault / saved.path).read_text()
    (vault / saved.path).unlink()
    hand.commit("gone")
    hand.write(f"kept/again-{saved.path.stem[-6:]}.md", text)
    hand.commit("back")

    assert subjects(store, saved.record.id) == [
        "back",
        "gone",
        "save(decision): Use Argon2id for password hashing",
    ]


def test_there_and_back_again_counts_each_move_once(store: Store, hand: Hand) -> None:
    hand.write("a.md", NOTE)
    hand.commit("new")
    hand.move("a.md", "b.md")
    hand.commit("there")
    hand.move("b.md", "a.md")
    hand.commit("back")

    assert subjects(store, "a.md") == ["back", "there", "new"]
    assert [str(one.former) for one in store.versions.of("a.md")] == ["b.md", "a.md", "None"]


def test_a_version_of_a_branch_counts_once_where_it_came_from(
    store: Store, vault: Path, hand: Hand
) -> None:
    hand.write("a.md", NOTE)
    hand.commit("new")
    git(vault, "switch", "-q", "-c", "side")
    hand.write("a.md", NOTE + "Side.\n")
    hand.commit("side")
    git(vault, "switch", "-q", "main")
    hand.write("b.md", "other\n")
    hand.commit("main")
    git(vault, "merge", "-q", "--no-ff", "side", "-m", "merge")

    assert subjects(store, "a.md") == ["side", "new"]
    assert subjects(store, "b.md") == ["main"]


def test_a_merge_that_settled_a_conflict_is_a_version(
    store: Store, vault: Path, hand: Hand
) -> None:
    hand.write("a.md", NOTE)
    hand.commit("new")
    git(vault, "switch", "-q", "-c", "side")
    hand.write("a.md", "side\n" + NOTE)
    hand.commit("side")
    git(vault, "switch", "-q", "main")
    hand.write("a.md", "main\n" + NOTE)
    hand.commit("main")
    git(vault, "merge", "-q", "side", check=False)
    hand.write("a.md", "both\n" + NOTE)
    hand.commit("merge")

    assert subjects(store, "a.md") == ["merge", "main", "side", "new"]


def test_an_edit_of_a_branch_counts_although_the_note_was_renamed_meanwhile(
    store: Store, vault: Path, hand: Hand
) -> None:
    hand.write("a.md", NOTE)
    hand.commit("new")
    git(vault, "switch", "-q", "-c", "side")
    hand.move("a.md", "b.md")
    hand.commit("renamed")
    git(vault, "switch", "-q", "main")
    hand.write("a.md", "Top.\n" + NOTE)
    hand.commit("edited")
    git(vault, "merge", "-q", "--no-ff", "side", "-m", "merge")
    hand.write("a.md", "Another note at the old path.\n")
    hand.commit("another")

    assert (vault / "b.md").read_text() == "Top.\n" + NOTE
    assert subjects(store, "b.md") == ["merge", "edited", "renamed", "new"]
    assert subjects(store, "a.md") == ["another"]


def test_a_rebase_leaves_the_versions_of_today(store: Store, vault: Path, hand: Hand) -> None:
    hand.write("a.md", NOTE)
    hand.commit("new")
    git(vault, "switch", "-q", "-c", "side")
    hand.write("a.md", NOTE + "Side.\n")
    hand.commit("side")
    git(vault, "switch", "-q", "main")
    hand.write("b.md", "other\n")
    hand.commit("main")
    git(vault, "switch", "-q", "side")
    before = store.versions.of("a.md")
    git(vault, "rebase", "-q", "main")

    after = store.versions.of("a.md")
    assert subjects(store, "a.md") == ["side", "new"]
    assert [one.id for one in after] == [one.id for one in before]
    assert after[0].commit != before[0].commit


def test_wrong_clocks_do_not_put_a_commit_before_its_parent(store: Store, hand: Hand) -> None:
    for number, minutes in enumerate((100, -500, 1, -2000, 3)):
        hand.write("a.md", NOTE + f"{number}\n")
        hand.commit(f"edit {number}", minutes)

    assert subjects(store, "a.md") == [f"edit {number}" for number in (4, 3, 2, 1, 0)]


def test_line_ends_that_git_converts_are_no_versions(store: Store, vault: Path, hand: Hand) -> None:
    hand.write(".gitattributes", "*.md text eol=crlf\n")
    (vault / "a.md").write_bytes(NOTE.encode().replace(b"\n", b"\r\n"))
    hand.commit("new")
    (vault / "a.md").write_bytes(NOTE.encode().replace(b"\n", b"\r\n") + b"More.\r\n")
    hand.commit("more")

    assert subjects(store, "a.md") == ["more", "new"]
    assert store.versions.text(store.versions.of("a.md")[0]) == NOTE.encode() + b"More.\n"
    subject = store.versions.subject("a.md")
    on_disk = store.versions.on_disk(subject)
    assert on_disk is not None
    assert on_disk.is_committed
    newest = store.versions.of("a.md")[0]
    assert store.versions.find("a.md", on_disk.version) == newest


def test_a_vault_in_a_folder_has_its_own_paths(
    tmp_path: Path, vault: Path, hand: Hand, open_vault: OpenStore
) -> None:
    hand.write("docs/memory/a.md", NOTE)
    hand.write("main.py", "1\n")
    hand.commit("new")
    hand.move("docs/memory/a.md", "docs/memory/b.md")
    hand.commit("moved")
    hand.move("docs/memory/b.md", "outside.md")
    hand.commit("out of the vault")
    hand.move("outside.md", "docs/memory/b.md")
    hand.commit("and back")

    store = open_vault(vault / "docs/memory")

    assert subjects(store, "b.md") == ["and back", "out of the vault", "moved", "new"]
    assert paths(store, "b.md") == ["b.md", "b.md", "b.md", "a.md"]


# A random life: what is done equals what is told.


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(["memory", "note"]))
def test_the_versions_of_a_note_are_what_was_done_to_it(
    store: Store, hand: Hand, seed: int, kind: str
) -> None:
    rnd = random.Random(seed)  # noqa: S311 - repeatable, not secret
    own = store.new_id(store.now())
    front = f"---\nid: {own}\ntype: decision\n---\n" if kind == "memory" else ""
    home = f"r{own[-6:].lower()}"
    path, text = f"{home}/0.md", f"{front}{own}\n{NOTE}"
    hand.write(path, text)
    done = [(hand.commit("new"), path, text)]
    for number in range(1, rnd.randrange(2, 9)):
        step = rnd.choice(("edit", "move", "both", "gone", "other"))
        if step in ("move", "both"):
            to = f"{home}/{number}.md"
            hand.move(path, to)
            path = to
        if step in ("edit", "both"):
            text += f"Line {number}.\n"
            hand.write(path, text)
        if step == "gone":
            (hand.root / path).unlink()
            done.insert(0, (hand.commit(step), path, ""))
            hand.write(path, text)
        if step == "other":
            hand.write(f"{home}/other.md", f"Nothing to do with it, {number}.\n")
        commit = hand.commit(step)
        if step != "other":
            done.insert(0, (commit, path, text))
        if rnd.random() < 0.3:
            store.versions.past.trail()

    found = store.versions.of(own if kind == "memory" else path)
    told = [
        (one.commit, str(one.path), store.versions.text(one).decode() if one.id else "")
        for one in found
    ]
    assert told == done
