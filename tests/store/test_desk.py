"""The work tree of an agent whose writes are proposals."""

import shutil

import pygit2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.errors import (
    NotFoundError,
    RefusedError,
    UnavailableError,
)
from mnemos_files.model.query import Query
from mnemos_files.store.deciding import Choice
from mnemos_files.store.desk import agent_slug
from mnemos_files.store.proposals import inbox
from tests.conftest import git
from tests.store.reviewing import DAY, SETTINGS, commit, open_titles, read, renew, save, titles


def test_a_write_of_an_agent_lands_on_its_branch_and_says_so(reviewed, agent):
    before = git(reviewed, "rev-parse", "main"), git(reviewed, "status", "--porcelain")

    saved = save(agent, "Use Argon2id")

    assert saved.receipt.notices == (
        f"this is a proposal on the branch {DAY} until a person approves it",
    )
    assert git(reviewed, "rev-parse", DAY).strip() == saved.receipt.commit
    assert (git(reviewed, "rev-parse", "main"), git(reviewed, "status", "--porcelain")) == before
    assert f"[{DAY}]" in git(reviewed, "worktree", "list")
    assert git(agent.desk.root, "status", "--porcelain") == ""


def test_its_own_session_reads_a_proposal_and_others_do_not(reviewed, agent, person, open_vault):
    saved = save(agent, "Use Argon2id")
    other = open_vault(reviewed, agent="cursor")

    assert agent.get(saved.record.id).note.record.title == "Use Argon2id"
    found = agent.search(Query(text="Argon2id", now=agent.now())).found
    assert [one.hit.entry.record.title for one in found] == ["Use Argon2id"]
    for store in (person, other):
        with pytest.raises(NotFoundError):
            store.get(saved.record.id)


def test_a_person_without_agent_writes_to_main(reviewed, person):
    saved = save(person, "Mine")

    assert git(reviewed, "rev-parse", "main").strip() == saved.receipt.commit
    assert saved.receipt.notices == ()


def test_a_later_process_goes_on_with_the_open_branch_on_another_day(
    reviewed, agent, open_vault, clock
):
    save(agent, "Of the first day")
    agent.close()
    clock.tick(days=2)

    later = open_vault(reviewed, agent="claude code")

    assert later.desk.branch == DAY
    assert titles(later) == ["Of the first day"]


def test_news_of_main_come_with_the_next_start_of_a_session(reviewed, agent, clock):
    save(agent, "Proposed")
    (reviewed / "Garden.md").write_text("tomatoes\n", encoding="utf-8")
    commit(reviewed)
    assert not (agent.desk.root / "Garden.md").exists()

    assert renew(agent) == ()

    assert (agent.desk.root / "Garden.md").read_text("utf-8") == "tomatoes\n"
    assert git(agent.desk.root, "status", "--porcelain") == ""
    assert agent.get("Garden").note.body == "tomatoes\n"
    assert open_titles(reviewed) == ["Proposed"]


def test_an_edit_that_is_not_committed_in_the_vault_is_not_seen_by_the_agent(
    reviewed, agent, clock
):
    (reviewed / "Home.md").write_text("# Half an edit\n", encoding="utf-8")

    renew(agent)

    assert agent.get("Home").note.body == "# Home\n"


def test_a_decided_branch_is_left_for_one_of_the_day(reviewed, agent, person, clock):
    save(agent, "First", "one")
    person.deciding().approve(Choice(), clock())
    clock.tick(days=1)

    renew(agent)

    assert agent.desk.branch == "memory/claude-code/2026-12-02"
    assert git(reviewed, "branch", "--format=%(refname:short)").split() == [
        "main",
        agent.desk.branch,
    ]
    assert git(agent.desk.root, "status", "--porcelain") == ""
    assert save(agent, "Second", "two").is_new
    assert open_titles(reviewed) == ["Second"]


def test_two_agents_have_a_branch_each(reviewed, agent, open_vault):
    other = open_vault(reviewed, agent="Cursor")
    save(agent, "Of Claude", "one")
    save(other, "Of Cursor", "two")

    assert {(one.branch, one.record.title) for one in inbox(reviewed).proposals} == {
        (DAY, "Of Claude"),
        ("memory/cursor/2026-12-01", "Of Cursor"),
    }


def test_another_process_of_the_agent_names_the_branch_that_is_written_to(
    reviewed, agent, person, clock, open_vault
):
    twin = open_vault(reviewed, agent="claude-code")
    save(agent, "First", "one")
    person.deciding().approve(Choice(), clock())
    clock.tick(days=1)
    renew(agent)

    saved = save(twin, "Second", "two")

    assert "memory/claude-code/2026-12-02" in saved.receipt.notices[-1]
    assert open_titles(reviewed) == ["Second"]


def test_two_processes_of_an_agent_share_branch_and_files(reviewed, agent, open_vault):
    twin = open_vault(reviewed, agent="claude-code")
    first = save(agent, "One", "one")
    second = save(twin, "Two", "two")

    assert agent.get(second.record.id).note.record.title == "Two"
    assert twin.get(first.record.id).note.record.title == "One"
    assert open_titles(reviewed) == ["One", "Two"]


def test_a_lost_cache_folder_comes_back_with_the_proposals(reviewed, agent, open_vault, tmp_path):
    saved = save(agent, "Use Argon2id")
    agent.close()
    shutil.rmtree(tmp_path / "cache")

    again = open_vault(reviewed, agent="claude-code")

    assert again.desk.branch == DAY
    assert again.get(saved.record.id).note.record.title == "Use Argon2id"
    assert git(again.desk.root, "status", "--porcelain") == ""


def test_a_pruned_work_tree_comes_back_on_its_branch(reviewed, agent, open_vault, tmp_path):
    saved = save(agent, "Use Argon2id")
    agent.close()
    shutil.rmtree(tmp_path / "cache")
    git(reviewed, "worktree", "prune")
    git(reviewed, "gc", "-q", "--prune=now")

    again = open_vault(reviewed, agent="claude-code")

    assert again.desk.branch == DAY
    assert again.get(saved.record.id).note.record.title == "Use Argon2id"


def test_a_forgotten_work_tree_whose_folder_is_left_is_made_anew(
    reviewed, agent, open_vault, clock
):
    saved = save(agent, "Use Argon2id")
    agent.close()
    shutil.rmtree(reviewed / ".git/worktrees")

    again = open_vault(reviewed, agent="claude-code")

    assert again.desk.branch == DAY
    assert again.get(saved.record.id).note.record.title == "Use Argon2id"
    assert save(again, "More", "more").receipt.commit


def test_what_lay_in_a_forgotten_work_tree_is_set_aside(reviewed, agent, open_vault):
    saved = save(agent, "Use Argon2id")
    agent.close()
    shutil.rmtree(reviewed / ".git/worktrees")
    git(reviewed, "update-ref", "-d", f"refs/heads/{DAY}")

    again = open_vault(reviewed, agent="claude-code")

    assert titles(again) == []
    assert git(again.desk.root, "status", "--porcelain") == ""
    assert (again.desk.root.with_name("claude-code.aside") / saved.path).exists()


def test_a_deleted_branch_means_that_its_proposals_are_dropped(reviewed, agent, clock):
    saved = save(agent, "Use Argon2id")
    git(reviewed, "update-ref", "-d", f"refs/heads/{DAY}")

    renew(agent)

    assert not (agent.desk.root / saved.path).exists()
    assert git(agent.desk.root, "status", "--porcelain") == ""
    assert titles(agent) == []
    assert save(agent, "Next", "next").receipt.commit
    assert open_titles(reviewed) == ["Next"]


def test_a_branch_that_another_program_has_moved_takes_its_files_along(reviewed, agent):
    saved = save(agent, "Use Argon2id", "first words")
    text = read(agent.desk.root, saved)
    git(reviewed, "worktree", "add", "-q", "--detach", str(reviewed.parent / "mine"), DAY)
    mine = reviewed.parent / "mine"
    (mine / saved.path).write_text(text.replace("first", "other"), encoding="utf-8")
    git(mine, "commit", "-qam", "a reviewer's words")
    git(reviewed, "update-ref", f"refs/heads/{DAY}", git(mine, "rev-parse", "HEAD").strip())

    assert renew(agent) == ()

    assert "other words" in read(agent.desk.root, saved)
    assert git(agent.desk.root, "status", "--porcelain") == ""


def test_an_edit_in_the_work_tree_keeps_main_out_until_it_is_committed(
    reviewed, agent, person, clock
):
    old = save(person, "Use bcrypt", "old")
    renew(agent)
    edited = agent.desk.root / old.path
    edited.write_text(edited.read_text("utf-8") + "mine\n", encoding="utf-8")
    save(person, "Newer", "text", supersedes=(old.record.id,))

    notices = renew(agent)

    assert notices == (
        f"{DAY} was not brought up to date: {old.path} was edited there and not committed",
    )
    assert edited.read_text("utf-8").endswith("mine\n")


def test_a_vault_below_the_top_of_a_repository_leaves_the_rest_alone(vault, open_vault, clock):
    (vault / "src").mkdir()
    (vault / "src/main.py").write_text("print()\n", encoding="utf-8")
    (vault / ".gitattributes").write_text("*.py text\n", encoding="utf-8")
    root = vault / "docs/memory"
    (root / ".mnemos").mkdir(parents=True)
    (root / ".mnemos/config.toml").write_text(SETTINGS, encoding="utf-8")
    commit(vault)
    agent = open_vault(root, agent="claude-code")
    person = open_vault(root)

    saved = save(agent, "Use Argon2id")

    top = agent.desk.root.parent.parent
    assert sorted(each.name for each in top.iterdir()) == [".git", ".gitattributes", "docs"]
    assert git(top, "status", "--porcelain", "--untracked-files=no") == ""
    assert git(vault, "show", "--name-only", "--format=", DAY).split() == [
        f"docs/memory/{saved.path}"
    ]
    (vault / "src/main.py").write_text("print(1)\n", encoding="utf-8")
    git(vault, "commit", "-qam", "code")
    person.deciding().approve(Choice(), clock())
    assert (root / saved.path).exists()
    assert git(top, "status", "--porcelain", "--untracked-files=no") == ""
    assert git(vault, "show", f"{DAY}:src/main.py") == "print(1)\n"


def test_a_repository_without_commits_takes_proposals(tmp_path, open_vault, clock):
    root = tmp_path / "new"
    (root / ".mnemos").mkdir(parents=True)
    (root / ".mnemos/config.toml").write_text(SETTINGS, encoding="utf-8")
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "Ines Example")
    git(root, "config", "user.email", "ines@example.org")
    agent = open_vault(root, agent="claude-code")

    saved = save(agent, "Use Argon2id")

    assert git(root, "rev-parse", "--verify", "-q", "main", check=False) == ""
    assert open_titles(root) == ["Use Argon2id"]
    outcome = open_vault(root).deciding().approve(Choice(), clock())
    assert len(outcome.done) == 1
    assert (root / saved.path).exists()
    assert inbox(root).proposals == ()
    assert renew(agent) == ()
    assert save(agent, "Next", "next").receipt.commit


@pytest.mark.parametrize("state", ["detached", "merging", "other branch"])
def test_proposing_works_whatever_the_vault_is_in_the_middle_of(state, reviewed, open_vault, clock):
    git(reviewed, "switch", "-q", "-c", "side")
    (reviewed / "Home.md").write_text("# Side\n", encoding="utf-8")
    commit(reviewed)
    git(reviewed, "switch", "-q", "main")
    (reviewed / "Home.md").write_text("# Main\n", encoding="utf-8")
    commit(reviewed)
    if state == "detached":
        git(reviewed, "switch", "-q", "--detach")
    elif state == "merging":
        git(reviewed, "merge", "-q", "side", check=False)
    else:
        git(reviewed, "switch", "-q", "side")
    agent = open_vault(reviewed, agent="claude-code")

    assert save(agent, "Use Argon2id").receipt.commit
    assert agent.get("Home").note.body == "# Main\n"
    with pytest.raises(RefusedError):
        open_vault(reviewed).deciding().approve(Choice(), clock())
    with pytest.raises(RefusedError):
        open_vault(reviewed).deciding().reject(Choice(), "not now please", clock())
    assert open_titles(reviewed) == ["Use Argon2id"]


def test_without_a_repository_an_agent_reads_and_is_told_why_it_cannot_write(tmp_path, open_vault):
    root = tmp_path / "plain"
    (root / ".mnemos").mkdir(parents=True)
    (root / ".mnemos/config.toml").write_text(SETTINGS, encoding="utf-8")
    (root / "Note.md").write_text("text\n", encoding="utf-8")
    agent = open_vault(root, agent="claude-code")

    assert agent.get("Note").note.body == "text\n"
    assert any("nothing can be saved" in each for each in agent.notices())
    with pytest.raises(UnavailableError, match="in no git repository"):
        save(agent, "Use Argon2id")


def test_a_branch_called_memory_is_named_as_what_is_in_the_way(reviewed, open_vault):
    git(reviewed, "branch", "memory")
    agent = open_vault(reviewed, agent="claude-code")

    with pytest.raises(UnavailableError, match="cannot be made") as caught:
        save(agent, "Use Argon2id")
    assert "Rename" in caught.value.remedy


def test_a_move_that_a_crash_cut_short_is_finished(reviewed, agent, person, clock, monkeypatch):
    save(agent, "Proposed")
    for number in range(3):
        (reviewed / f"n{number}.md").write_text("one\n", encoding="utf-8")
    commit(reviewed)
    with monkeypatch.context() as patched:
        patched.setattr("mnemos_files.history.worktrees.Worktree.move", lambda *a: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            renew(agent)
    (reviewed / "n1.md").write_text("two\n", encoding="utf-8")
    (reviewed / "n2.md").unlink()
    commit(reviewed)

    assert renew(agent) == ()

    assert git(agent.desk.root, "status", "--porcelain") == ""
    assert (agent.desk.root / "n1.md").read_text("utf-8") == "two\n"
    assert not (agent.desk.root / "n2.md").exists()


def test_git_line_ends_of_the_person_are_those_of_the_work_tree(reviewed, open_vault, clock):
    (reviewed / ".gitattributes").write_text("*.md text eol=crlf\n", encoding="utf-8")
    commit(reviewed)
    agent = open_vault(reviewed, agent="claude-code")
    save(agent, "Proposed")
    (reviewed / "Note.md").write_bytes(b"one\r\ntwo\r\n")
    commit(reviewed)

    assert renew(agent) == ()
    assert (agent.desk.root / "Note.md").read_bytes() == b"one\r\ntwo\r\n"
    (reviewed / "Note.md").write_bytes(b"one\r\nthree\r\n")
    commit(reviewed)

    assert renew(agent) == ()
    assert (agent.desk.root / "Note.md").read_bytes() == b"one\r\nthree\r\n"


@pytest.mark.parametrize(
    ("agent_name", "slug"),
    [
        ("claude-code", "claude-code"),
        ("Claude Code", "claude-code"),
        ("  ..Codex CLI!  ", "codex-cli"),
        ("../../main", "main"),
        ("x.lock", "x-lock"),
        ("a" * 90, "a" * 40),
    ],
)
def test_the_name_of_an_agent_is_made_safe_for_a_branch(agent_name, slug):
    assert agent_slug(agent_name) == slug


@given(st.text(max_size=60))
def test_every_name_of_an_agent_gives_a_branch_that_git_takes(agent_name):
    assert pygit2.reference_is_valid_name(f"refs/heads/memory/{agent_slug(agent_name)}/2026-12-01")


def test_names_without_ascii_letters_are_told_apart():
    assert agent_slug("агент") != agent_slug("помощник")
    assert agent_slug("") != ""
