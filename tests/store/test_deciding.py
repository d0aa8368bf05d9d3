"""A person takes proposals over or back, one by one."""

import json
import shutil

import pytest

from mnemos_files.errors import (
    AmbiguousNameError,
    NotFoundError,
    RefusedError,
    UnavailableError,
)
from mnemos_files.model.event import Accessed
from mnemos_files.operations.sessions import session_start
from mnemos_files.store.deciding import Choice
from mnemos_files.store.proposals import inbox
from tests.conftest import git
from tests.store.reviewing import DAY, open_titles, read, renew, save, titles


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


def test_a_session_begins_although_the_news_of_main_cannot_be_had(agent, monkeypatch):
    def fail(_now):
        raise UnavailableError("the disk is full")

    monkeypatch.setattr(agent.desk, "renew", fail)

    started = session_start(agent, goal="find out")

    assert started.session_id
    assert started.notices[0].startswith(f"what you save are proposals on the branch {DAY}")
    assert started.notices[1] == "main's news could not be brought in: the disk is full"
