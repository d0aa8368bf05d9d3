"""Proposals of agents: written on a branch of their own, decided on by a person."""

import json
import shutil
from pathlib import Path

import pytest

from mnemos_files.errors import (
    AmbiguousNameError,
    NotFoundError,
    RefusedError,
    UnavailableError,
)
from mnemos_files.model.event import Accessed
from mnemos_files.model.query import Query
from mnemos_files.store.deciding import Choice
from mnemos_files.store.proposals import inbox
from tests.conftest import an_observation, git

SETTINGS = '[vault]\nid = "v"\nformat = 1\n\n[review]\nmode = "branch"\n'
DAY = "memory/claude-code/2026-12-01"


@pytest.fixture
def reviewed(vault: Path) -> Path:
    """A vault whose owner wants to review what agents write."""
    own = vault / ".mnemos"
    own.mkdir()
    (own / "config.toml").write_text(SETTINGS, encoding="utf-8")
    (own / ".gitignore").write_text("*.lock\ncookie*\n", encoding="utf-8")
    commit(vault, "review")
    return vault


@pytest.fixture
def agent(reviewed, open_vault):
    return open_vault(reviewed, agent="Claude Code")


@pytest.fixture
def person(reviewed, open_vault):
    return open_vault(reviewed)


def commit(vault, message="by hand"):
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", message)


def save(store, title, content="because it is so", **fields):
    supersedes = fields.pop("supersedes", ())
    return store.put(
        an_observation(store, title=title, content=content, **fields), supersedes=supersedes
    )


def renew(agent):
    """What the start of a session does."""
    notices = agent.desk.renew(agent.now())
    agent.refresh()
    return notices


def titles(store):
    store.finish()
    return sorted(entry.record.title for entry in store.index.entries.values() if entry.is_ours)


def open_titles(vault):
    return [one.record.title for one in inbox(vault).proposals]


def read(vault, saved):
    return (vault / saved.path).read_text("utf-8")


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


def test_an_approved_proposal_is_a_commit_of_main_by_its_agent(reviewed, agent, person, clock):
    saved = save(agent, "Use Argon2id", sections=(("rationale", "a pentest"),))
    proposed = saved.receipt.commit

    outcome = person.deciding().approve(Choice((saved.record.id,)), clock())

    assert [one.commit for one in outcome.done] == [git(reviewed, "rev-parse", "main").strip()]
    shown = git(reviewed, "log", "-1", "--format=%an|%cn|%s|%B", "main")
    assert shown.startswith("claude-code|Ines Example|save(decision): Use Argon2id|")
    assert "\na pentest\n" in shown
    assert "Mnemos-Op: save\n" in shown
    assert f"Mnemos-Proposed: {proposed}\n" in shown
    assert "Mnemos-Approved-By: Ines Example <ines@example.org>\n" in shown
    assert read(reviewed, saved) == read(agent.desk.root, saved)
    assert git(reviewed, "status", "--porcelain") == ""
    assert git(agent.desk.root, "status", "--porcelain") == ""
    assert inbox(reviewed).proposals == ()


def test_some_are_taken_and_others_stay(reviewed, agent, person, clock):
    first, second = save(agent, "First", "one"), save(agent, "Second", "two")

    person.deciding().approve(Choice((str(second.path),)), clock())

    assert titles(person) == ["Second"]
    assert open_titles(reviewed) == ["First"]
    assert titles(agent) == ["First", "Second"]
    assert first.record.id


def test_both_ends_of_a_supersession_go_together_in_one_commit(reviewed, agent, person, clock):
    old = save(person, "Use bcrypt", "old")
    renew(agent)
    clock.tick(minutes=1)
    new = save(agent, "Use Argon2id", "new", supersedes=(old.record.id,))
    kinds = {one.record.title: one.change for one in inbox(reviewed).proposals}

    outcome = person.deciding().approve(Choice((old.record.id,)), clock())

    assert kinds == {"Use bcrypt": "superseded", "Use Argon2id": "new"}
    assert {one.proposal.record.title for one in outcome.done} == {"Use bcrypt", "Use Argon2id"}
    changed = git(reviewed, "show", "--format=%s", "--name-only", "main").split("\n")
    assert changed[0] == "save(decision): Use Argon2id"
    assert set(changed[2:-1]) == {str(old.path), str(new.path)}


def test_what_builds_on_an_open_proposal_is_told(reviewed, agent):
    base = save(agent, "Base", "base")
    save(agent, "Derived", "derived", derived_from=(base.record.id,))

    needs = {one.record.title: one.needs for one in inbox(reviewed).proposals}

    assert needs == {"Base": (), "Derived": (base.path,)}


def test_a_rejected_one_leaves_the_branch_and_is_not_proposed_again(
    reviewed, agent, person, clock, open_vault
):
    saved = save(agent, "Tabs are better", "tabs")
    kept = save(agent, "Kept", "kept")

    person.deciding().reject(Choice((saved.record.id,)), "we agreed on blanks", clock())

    assert open_titles(reviewed) == ["Kept"]
    assert not (agent.desk.root / saved.path).exists()
    assert titles(agent) == ["Kept"]
    assert git(reviewed, "log", "-1", "--format=%an %s%n%b", DAY, "--first-parent", "--no-merges")
    with pytest.raises(RefusedError, match="rejected this before: we agreed on blanks"):
        save(agent, "Tabs are better", "tabs", tags=("style",))
    other = open_vault(reviewed, agent="cursor")
    with pytest.raises(RefusedError, match="we agreed on blanks"):
        save(other, "Tabs are better", "tabs", agent="cursor")
    assert kept.is_new


def test_a_rejection_travels_with_main(reviewed, agent, person, open_vault):
    saved = save(agent, "Tabs are better", "tabs")
    person.deciding().reject(Choice((saved.record.id,)), "we agreed on blanks", agent.now())
    clone = reviewed.parent / "clone"
    git(reviewed, "clone", "-q", "-b", "main", str(reviewed), str(clone))

    with pytest.raises(RefusedError, match="we agreed on blanks"):
        save(open_vault(clone, agent="cursor"), "Tabs are better", "tabs")

    files = list((clone / ".mnemos/rejected").iterdir())
    value = json.loads(files[0].read_text("utf-8"))
    assert len(files) == 1
    assert value["reason"] == "we agreed on blanks"
    assert value["by"] == "Ines Example <ines@example.org>"
    assert value["agent"] == "claude-code"
    assert value["title"] == "Tabs are better"


def test_a_person_may_save_what_was_rejected(reviewed, agent, person, clock):
    saved = save(agent, "Tabs are better", "tabs")
    person.deciding().reject(Choice((saved.record.id,)), "we agreed on blanks", clock())

    assert save(person, "Tabs are better", "tabs").is_new


def test_a_rejected_change_gives_the_text_of_main_back(reviewed, agent, person, clock):
    old = save(person, "Use bcrypt", "old")
    renew(agent)
    save(agent, "Use Argon2id", "new", supersedes=(old.record.id,))
    main = read(reviewed, old)

    person.deciding().reject(Choice((old.record.id,)), "bcrypt stays here", clock())

    assert read(agent.desk.root, old) == main
    assert titles(agent) == ["Use bcrypt"]
    assert inbox(reviewed).proposals == ()
    again = save(agent, "Use scrypt", "other", supersedes=(old.record.id,))
    assert again.is_new


def test_a_rejected_deletion_is_not_proposed_again(reviewed, agent, person, clock):
    old = save(person, "Keep me", "old")
    renew(agent)
    agent.remove(old.record.id)
    assert [one.change for one in inbox(reviewed).proposals] == ["deleted"]

    person.deciding().reject(Choice((old.record.id,)), "still in use", clock())

    assert (agent.desk.root / old.path).exists()
    with pytest.raises(RefusedError, match="still in use"):
        agent.remove(old.record.id)


def test_an_approved_deletion_is_one_of_main(reviewed, agent, person, clock):
    old = save(person, "Go", "old")
    renew(agent)
    agent.remove(old.record.id)

    person.deciding().approve(Choice((old.record.id,)), clock())

    assert not (reviewed / old.path).exists()
    assert git(reviewed, "status", "--porcelain") == ""


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


@pytest.mark.parametrize("how", [("--no-ff",), ("--squash",), ("--ff-only",)])
def test_a_merge_elsewhere_counts_as_approval(how, reviewed, agent, clock):
    first = save(agent, "First", "one")
    save(agent, "Second", "two")
    git(reviewed, "merge", "-q", *how, DAY)
    if how == ("--squash",):
        git(reviewed, "commit", "-q", "-m", "all of it")
    (reviewed / first.path).write_text(
        read(reviewed, first).replace("\none\n", "\none, edited since\n"), encoding="utf-8"
    )
    commit(reviewed)
    assert inbox(reviewed).proposals == ()
    clock.tick(days=1)

    renew(agent)

    assert agent.desk.branch == "memory/claude-code/2026-12-02"
    assert "one, edited since" in read(agent.desk.root, first)


def test_a_new_note_that_a_reviewer_edited_while_merging_counts_as_approved(reviewed, agent, clock):
    saved = save(agent, "First", "one")
    git(reviewed, "merge", "-q", "--squash", DAY)
    (reviewed / saved.path).write_text(
        read(reviewed, saved).replace("\none\n", "\nbetter words\n"), encoding="utf-8"
    )
    commit(reviewed, "reviewed")

    assert inbox(reviewed).proposals == ()
    renew(agent)
    assert "better words" in read(agent.desk.root, saved)


def test_what_came_after_a_squashed_merge_stays_open(reviewed, agent, clock):
    first = save(agent, "First", "one")
    git(reviewed, "merge", "-q", "--squash", DAY)
    git(reviewed, "commit", "-q", "-m", "all of it")
    second = save(agent, "Second", "two", supersedes=(first.record.id,))

    renew(agent)

    kinds = {one.record.title: one.change for one in inbox(reviewed).proposals}
    assert kinds == {"First": "superseded", "Second": "new"}
    assert agent.desk.branch == DAY
    assert (agent.desk.root / second.path).exists()


def test_changes_of_different_lines_are_merged(reviewed, agent, person, clock):
    old = save(person, "Use bcrypt", "first line\n\nmiddle\n\nlast line")
    renew(agent)
    save(agent, "Use Argon2id", "new", supersedes=(old.record.id,))
    text = read(reviewed, old)
    (reviewed / old.path).write_text(text.replace("last line", "last words"), encoding="utf-8")
    commit(reviewed)

    outcome = person.deciding().approve(Choice(), clock())

    assert outcome.held == []
    assert "last words" in read(reviewed, old)
    assert "invalidated_by:" in read(reviewed, old)


def contradiction(reviewed, agent, person, clock):
    """A note that a person and an agent have given another text."""
    old = save(person, "Port", "8080")
    renew(agent)
    note = (agent.desk.root / old.path).read_text("utf-8").replace("8080", "9090")
    (agent.desk.root / old.path).write_text(note, encoding="utf-8")
    git(agent.desk.root, "commit", "-qam", "edit(decision): Port\n\nMnemos-Op: edit")
    (reviewed / old.path).write_text(read(reviewed, old).replace("8080", "7070"), encoding="utf-8")
    commit(reviewed)
    return old


def test_a_contradiction_keeps_both_and_is_not_approved(reviewed, agent, person, clock):
    old = contradiction(reviewed, agent, person, clock)

    renew(agent)
    outcome = person.deciding().approve(Choice(), clock())

    assert [one.why for one in outcome.held] == [
        "main has changed it as well, and the two contradict each other"
    ]
    assert "--over-main" in outcome.held[0].remedy
    assert "7070" in read(reviewed, old)
    assert "9090" in read(agent.desk.root, old)
    (proposal,) = inbox(reviewed).proposals
    assert proposal.is_conflicting


def test_a_contradiction_can_be_taken_as_it_is(reviewed, agent, person, clock):
    old = contradiction(reviewed, agent, person, clock)

    outcome = person.deciding().approve(Choice(over_main=True), clock())

    assert len(outcome.done) == 1
    assert "9090" in read(reviewed, old)
    assert inbox(reviewed).proposals == ()


def test_a_contradiction_can_be_rejected(reviewed, agent, person, clock):
    old = contradiction(reviewed, agent, person, clock)

    person.deciding().reject(Choice(), "the person is right", clock())

    assert "7070" in read(agent.desk.root, old)
    assert inbox(reviewed).proposals == ()


def test_a_person_settles_a_contradiction_on_the_branch(reviewed, agent, person, clock):
    old = contradiction(reviewed, agent, person, clock)
    renew(agent)
    path = agent.desk.root / old.path
    path.write_text(path.read_text("utf-8").replace("9090", "7071"), encoding="utf-8")
    git(agent.desk.root, "commit", "-qam", "settled")

    outcome = person.deciding().approve(Choice(), clock())

    assert outcome.held == []
    assert "7071" in read(reviewed, old)


def test_an_edit_in_the_vault_that_is_not_committed_holds_its_note_back(
    reviewed, agent, person, clock
):
    old = save(person, "Use bcrypt", "old")
    renew(agent)
    save(agent, "Use Argon2id", "new", supersedes=(old.record.id,))
    save(agent, "Another", "other")
    (reviewed / old.path).write_text(read(reviewed, old) + "half an edit\n", encoding="utf-8")

    outcome = person.deciding().approve(Choice(), clock())

    assert [one.proposal.record.title for one in outcome.done] == ["Another"]
    assert all("not committed" in one.why for one in outcome.held)
    assert read(reviewed, old).endswith("half an edit\n")


def test_a_note_that_main_has_moved_is_followed(reviewed, agent, person, clock):
    old = save(person, "Use bcrypt", "a longer text\n\nof several lines\n\nthat stay the same")
    renew(agent)
    save(agent, "Use Argon2id", "new", supersedes=(old.record.id,))
    git(reviewed, "mv", str(old.path), "moved.md")
    git(reviewed, "commit", "-q", "-m", "move")

    person.deciding().approve(Choice(), clock())

    assert "invalidated_by:" in (reviewed / "moved.md").read_text("utf-8")
    assert not (reviewed / old.path).exists()
    assert not (agent.desk.root / old.path).exists()


def test_proposals_are_named_by_the_end_of_their_id(reviewed, agent, person, clock):
    saved = save(agent, "Use Argon2id")

    outcome = person.deciding().approve(Choice((saved.record.id[-6:].lower(),)), clock())

    assert len(outcome.done) == 1


def test_an_unknown_name_decides_nothing(reviewed, agent, person, clock):
    save(agent, "Use Argon2id")

    with pytest.raises(NotFoundError):
        person.deciding().approve(Choice(("nothing",)), clock())

    assert len(inbox(reviewed).proposals) == 1


def test_a_record_on_two_branches_is_named_with_its_branch(
    reviewed, agent, person, clock, open_vault
):
    old = save(person, "Use bcrypt", "old")
    renew(agent)
    other = open_vault(reviewed, agent="cursor")
    other.refresh()
    for number, store in enumerate((agent, other)):
        save(store, f"New {number}", f"text {number}", supersedes=(old.record.id,))

    with pytest.raises(AmbiguousNameError):
        person.deciding().approve(Choice((old.record.id,)), clock())
    outcome = person.deciding().approve(
        Choice((old.record.id,), branch="memory/cursor/2026-12-01"), clock()
    )

    assert {one.proposal.record.title for one in outcome.done} == {"Use bcrypt", "New 1"}


def test_two_agents_have_a_branch_each(reviewed, agent, open_vault):
    other = open_vault(reviewed, agent="Cursor")
    save(agent, "Of Claude", "one")
    save(other, "Of Cursor", "two")

    assert {(one.branch, one.record.title) for one in inbox(reviewed).proposals} == {
        (DAY, "Of Claude"),
        ("memory/cursor/2026-12-01", "Of Cursor"),
    }


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


def test_the_settings_name_another_main_branch(reviewed, open_vault, clock):
    git(reviewed, "switch", "-q", "-c", "notes")
    config = reviewed / ".mnemos/config.toml"
    config.write_text(SETTINGS + 'base = "notes"\n', encoding="utf-8")
    commit(reviewed)
    agent, person = open_vault(reviewed, agent="claude-code"), open_vault(reviewed)
    saved = save(agent, "Use Argon2id")

    person.deciding().approve(Choice(), clock())

    assert git(reviewed, "show", "--name-only", "--format=", "notes").split() == [str(saved.path)]


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


def test_a_branch_that_a_person_has_checked_out_is_not_moved(
    reviewed, agent, person, clock, tmp_path
):
    save(agent, "Use Argon2id")
    agent.close()
    shutil.rmtree(tmp_path / "cache")
    git(reviewed, "worktree", "prune")
    git(reviewed, "worktree", "add", "-q", str(tmp_path / "mine"), DAY)

    with pytest.raises(RefusedError, match="is checked out in"):
        person.deciding().reject(Choice(), "not now please", clock())


def test_a_branch_without_work_tree_is_decided_on_as_well(reviewed, agent, person, clock, tmp_path):
    first, second = save(agent, "First", "one"), save(agent, "Second", "two")
    agent.close()
    shutil.rmtree(tmp_path / "cache")
    git(reviewed, "worktree", "prune")

    person.deciding().approve(Choice((first.record.id,)), clock())
    person.deciding().reject(Choice((second.record.id,)), "not true at all", clock())

    assert inbox(reviewed).proposals == ()
    assert titles(person) == ["First"]


def test_events_come_along_with_the_first_decision_and_add_up(reviewed, agent, person, clock):
    old = save(person, "Read often", "text")
    renew(agent)
    session = agent.sessions.start("Fix the login", "", "claude-code").session

    agent.journal.note([Accessed(clock(), (old.record.id,), "claude-code", session.id)])
    saved = save(agent, "Found out", "text 2", session=session.id)
    agent.commit_journal()

    person.deciding().approve(Choice(), clock())

    assert person.journal.tally().uses[old.record.id].accesses == 1
    assert session.id in person.journal.tally().sessions
    assert git(reviewed, "status", "--porcelain") == ""
    assert agent.journal.tally().uses[old.record.id].accesses == 1
    machines = [each.name for each in (reviewed / ".mnemos/journal").iterdir()]
    assert [each.endswith("-claude-code") for each in machines] == [True]
    assert saved.is_new


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
