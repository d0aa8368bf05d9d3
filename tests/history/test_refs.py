"""The branch moves by compare-and-swap: nobody's commit is lost."""

import subprocess
import sys
from threading import Event, Thread

import pygit2
import pytest

from mnemos_files.errors import RefusedError
from mnemos_files.history.layout import layout_of
from mnemos_files.history.locks import Locks, Patience
from mnemos_files.history.refs import Branch, Move, current_branch, swap


def test_a_branch_that_moved_is_not_overwritten(vault, now):
    repo = pygit2.Repository(str(vault.root))
    layout = layout_of(repo, vault.root)
    locks = Locks(layout)
    stale = current_branch(repo)
    vault.add("foreign.md")
    before = vault.git("rev-parse", "HEAD")

    with locks.writing():
        move = Move(stale, stale.tip, ("a", "a@b"), now, "commit: x")
        is_moved = swap(repo, layout, locks, move, Patience())

    assert not is_moved
    assert vault.git("rev-parse", "HEAD") == before
    assert vault.git("reflog", "-1", "--format=%gs") == "commit: Add foreign.md\n"


def test_a_head_that_was_switched_does_not_move_the_old_branch(vault, now):
    repo = pygit2.Repository(str(vault.root))
    layout = layout_of(repo, vault.root)
    locks = Locks(layout)
    seen = current_branch(repo)
    vault.git("checkout", "-q", "-b", "other")

    with locks.writing():
        move = Move(seen, seen.tip, ("a", "a@b"), now, "x")
        assert not swap(repo, layout, locks, move, Patience())


def test_the_unborn_branch_is_named_by_head(empty):
    repo = pygit2.Repository(str(empty.root))

    assert current_branch(repo) == Branch("refs/heads/main", "")


def test_a_branch_that_is_a_name_for_another_moves_the_other(vault):
    vault.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    vault.git("symbolic-ref", "HEAD", "refs/heads/alias")

    vault.save("a.md")

    assert vault.git("symbolic-ref", "refs/heads/alias") == "refs/heads/main\n"
    assert vault.git("log", "-1", "--format=%s", "main") == "save(decision): a.md\n"


def test_a_head_that_leads_to_itself_is_refused(vault):
    repo = pygit2.Repository(str(vault.root))
    vault.git("symbolic-ref", "refs/heads/a", "refs/heads/b")
    vault.git("symbolic-ref", "refs/heads/b", "refs/heads/a")
    (vault.root / ".git/HEAD").write_text("ref: refs/heads/a\n")

    with pytest.raises(RefusedError, match="leads to itself"):
        current_branch(repo)


def test_a_reflog_is_kept_for_branch_and_head(vault):
    before = vault.git("rev-parse", "HEAD").strip()

    result = vault.save("a.md", subject="save(decision): Ü <x>\nline")

    for name in ("HEAD", "refs/heads/main"):
        last = (vault.root / ".git/logs" / name).read_text().splitlines()[-1]
        assert last == (
            f"{before} {result.commits[0]} Ines Example <ines@example.org> 1796119451 +0000"
            "\tcommit: save(decision): Ü <x> line"
        )


def test_no_reflog_is_made_where_the_person_wants_none(tmp_path, make_vault):
    vault = make_vault(tmp_path / "vault")
    vault.git("config", "core.logAllRefUpdates", "false")

    vault.save("a.md")

    assert not (vault.root / ".git/logs/HEAD").exists()


FOREIGN = """
import pathlib, subprocess, sys
root = pathlib.Path(sys.argv[1])
for number in range(25):
    name = f"foreign-{number}.md"
    (root / name).write_text(name)
    for command in (["git", "add", name], ["git", "commit", "-q", "-m", name, "--", name]):
        while subprocess.run(command, cwd=root, capture_output=True).returncode:
            pass
"""


def test_no_commit_is_lost_beside_a_person_who_commits(vault, make_change, now):
    vault.write("staged.md", "staged\n")
    vault.git("add", "staged.md")
    history = vault.open()
    command = [sys.executable, "-c", FOREIGN, str(vault.root)]
    with subprocess.Popen(command) as person:
        ours = []
        while person.poll() is None or len(ours) < 25:
            name = f"ours-{len(ours)}.md"
            history.commit([make_change(name, vault.write(name, name), subject=name)], now)
            ours.append(name)
    assert person.returncode == 0

    history.repair_index()

    subjects = vault.subjects()
    foreign = [f"foreign-{number}.md" for number in range(25)]
    assert sorted(subjects) == sorted(["Add first.md", *ours, *foreign])
    names = vault.git("ls-tree", "-r", "--name-only", "HEAD").split()
    assert sorted(names) == sorted(["first.md", *ours, *foreign])
    assert vault.status() == ["A  staged.md"]
    assert vault.git("rev-list", "--merges", "HEAD") == ""
    assert vault.fsck().startswith("0")


def test_no_commit_is_lost_beside_a_person_who_moves_the_branch_all_the_time(
    vault, make_change, now
):
    history = vault.open()
    is_done = Event()
    moved = Event()
    moves = []

    def foreign():
        while not is_done.is_set():
            head = vault.git("rev-parse", "HEAD").strip()
            tree = vault.git("rev-parse", f"{head}^{{tree}}").strip()
            new = vault.git("commit-tree", tree, "-p", head, "-m", "foreign").strip()
            if vault.try_git("update-ref", "refs/heads/main", new, head).returncode == 0:
                moves.append(new)
                moved.set()

    person = Thread(target=foreign)
    person.start()
    try:
        for number in range(40):
            history.commit([make_change(f"{number}.md", b"%d" % number, subject="ours")], now)
        assert moved.wait(60), "the person never came through"
    finally:
        is_done.set()
        person.join()

    subjects = vault.subjects()
    assert subjects.count("ours") == 40
    assert subjects.count("foreign") == len(moves) > 0
    assert len(vault.git("ls-tree", "-r", "--name-only", "HEAD").split()) == 41


def test_two_processes_of_ours_lose_nothing(vault, make_change, now):
    script = (
        "import sys; from datetime import UTC, datetime; from pathlib import Path, PurePosixPath\n"
        "from mnemos_files.history.repo import Change, History\n"
        "history = History.open(Path(sys.argv[1]))\n"
        "for number in range(20):\n"
        "    path = PurePosixPath(f'{sys.argv[2]}-{number}.md')\n"
        "    Path(sys.argv[1], path).write_bytes(b'x')\n"
        "    history.commit([Change({path: b'x'}, str(path))], datetime.now(UTC))\n"
    )
    command = [sys.executable, "-c", script, str(vault.root)]

    processes = [subprocess.Popen([*command, name]) for name in ("a", "b")]

    assert [process.wait() for process in processes] == [0, 0]
    assert len(vault.subjects()) == 41
    assert vault.status() == []
    assert vault.fsck().startswith("0")
