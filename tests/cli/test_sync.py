"""`sync`, `resolve` and `merge-driver` from the command line."""

import json
from pathlib import Path

import pytest

from tests.conftest import git
from tests.sync.git_server import serving_git

SAVE = ("save", "Use Argon2id", "bcrypt caps its input.", "--type", "decision")


@pytest.fixture
def clones(tmp_path: Path, run) -> tuple[Path, Path]:
    """Two clones of a vault with one memory."""
    hub, one, two = tmp_path / "hub.git", tmp_path / "one", tmp_path / "two"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(hub))
    run("init", one)
    git(one, "branch", "-M", "main")
    assert run(*SAVE, "--vault", one).exit_code == 0
    git(one, "remote", "add", "origin", str(hub))
    assert run("sync", "--vault", one).exit_code == 0
    git(tmp_path, "clone", "-q", str(hub), str(two))
    for clone in (one, two):
        git(clone, "config", "user.name", "Ines Example")
        git(clone, "config", "user.email", "ines@example.org")
    return one, two


def note(vault: Path) -> Path:
    (found,) = (vault / "observations").rglob("*.md")
    return found


def change(vault: Path, old: str, new: str) -> None:
    text = note(vault).read_text()
    assert text.count(old) == 1
    note(vault).write_text(text.replace(old, new))
    git(vault, "commit", "-q", "-am", "by hand")


def test_sync_tells_in_a_line_what_it_did(clones, run):
    one, two = clones
    change(one, "importance: 5", "importance: 8")
    run("sync", "--vault", one)

    shown = run("sync", "--vault", two, "--no-json").stdout
    again = run("sync", "--vault", two, "--no-json").stdout

    assert shown == "origin/main: received 1 commit (1 file)\n"
    assert again == "origin/main: nothing new on either side\n"


def test_sync_gives_json_for_programs(clones, run):
    one, _two = clones

    assert json.loads(run("sync", "--vault", one, "--json").stdout) == {
        "upstream": "origin/main",
        "received": 0,
        "sent": 0,
        "files": 0,
        "merged": False,
        "conflicts": [],
        "notices": [],
    }


def test_sync_sets_up_the_merge_driver_and_status_tells_the_distance(clones, run, run_json):
    _one, two = clones
    assert any("merge driver" in each for each in run_json("status", "--vault", two)["notices"])
    change(two, "importance: 5", "importance: 8")

    status = run_json("status", "--vault", two)
    run("sync", "--vault", two)

    assert status["remote"] == "origin/main: 1 ahead, 0 behind"
    assert "mnemos_files.sync.driver" in git(two, "config", "merge.mnemos.driver")
    after = run_json("status", "--vault", two)
    assert not any("merge driver" in each for each in after.get("notices", []))
    assert after["remote"] == "origin/main: 0 ahead, 0 behind"


def contradicting(clones, run) -> Path:
    """The second clone, after a merge of two titles."""
    one, two = clones
    change(one, "importance: 5", "importance: 8\ntopic: hashing")
    change(two, "importance: 5", "importance: 8\ntopic: passwords")
    run("sync", "--vault", one)
    assert run("sync", "--vault", two).exit_code == 1
    return two


def test_a_contradiction_is_listed_shown_and_resolved(clones, run):
    two = contradicting(clones, run)
    path = str(note(two).relative_to(two))

    listed = run("resolve", "--vault", two, "--no-json")
    checked = run("check", "--vault", two)
    chosen = run("resolve", path, "--take", "2", "--vault", two, "--no-json")

    assert (listed.exit_code, checked.exit_code) == (1, 1)
    assert "  topic:\n    1| " in listed.stdout
    assert "topic was changed in two ways" in checked.stdout
    assert chosen.stdout == f"{path}: resolved\n"
    assert run("resolve", "--vault", two, "--no-json").stdout == "nothing is open\n"
    assert git(two, "log", "-1", "--format=%an %s").startswith("Ines Example edit(decision): ")
    assert "x_conflict" not in note(two).read_text()


def test_resolve_by_hand_opens_the_note_in_the_editor(clones, run, monkeypatch):
    two = contradicting(clones, run)
    path = str(note(two).relative_to(two))
    monkeypatch.setenv("EDITOR", "sed -i /x_conflict_topic/d")

    done = run("resolve", path, "--edit", "--vault", two, "--no-json")

    assert (done.exit_code, done.stdout) == (0, "nothing is open\n")


def test_resolve_refuses_two_choices_and_a_note_without_conflict(clones, run):
    one, _two = clones
    path = str(note(one).relative_to(one))

    two_choices = run("resolve", path, "--take", "1", "--both", "--vault", one)
    nothing = run("resolve", path, "--take", "1", "--vault", one)

    assert two_choices.exit_code != 0
    assert "only one of" in two_choices.stderr
    assert nothing.exit_code != 0
    assert "Nothing is open" in nothing.stderr


def test_the_driver_can_be_run_as_a_command(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("O", "# Day\n\nA.\n"),
        ("A", "# Day\n\nA.\n\nB.\n"),
        ("B", "# DAY\n\nA.\n"),
    ):
        (tmp_path / name).write_text(text)

    assert run("merge-driver", "O", "A", "B", "day.md").exit_code == 0
    assert (tmp_path / "A").read_text() == "# DAY\n\nA.\n\nB.\n"


def test_init_in_a_clone_sets_the_driver_up(clones, run):
    _one, two = clones

    run("init", two)

    assert "mnemos_files.sync.driver" in git(two, "config", "merge.mnemos.driver")
    assert git(two, "status", "--porcelain") == ""


def test_sync_without_a_remote_says_how_to_add_one(tmp_path, run):
    run("init", tmp_path / "alone")

    done = run("sync", "--vault", tmp_path / "alone")

    assert done.exit_code != 0
    assert "git remote add origin" in done.stderr


def test_nothing_asks_for_a_password(clones, run, tmp_path):
    one, _two = clones
    with serving_git(tmp_path, user="ines") as address:
        git(one, "remote", "set-url", "origin", f"{address}/hub.git")
        done = run("sync", "--vault", one)

    assert done.exit_code != 0
    assert "could not fetch from origin/main" in done.stderr
    assert "Run `git fetch` in a terminal once" in done.stderr
