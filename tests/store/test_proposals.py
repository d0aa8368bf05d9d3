"""What counts as an open proposal, and how it meets what main did meanwhile."""

import pytest

from mnemos_files.store.deciding import Choice
from mnemos_files.store.proposals import inbox
from tests.conftest import git
from tests.store.reviewing import DAY, SETTINGS, commit, read, renew, save


def test_what_builds_on_an_open_proposal_is_told(reviewed, agent):
    base = save(agent, "Base", "base")
    save(agent, "Derived", "derived", derived_from=(base.record.id,))

    needs = {one.record.title: one.needs for one in inbox(reviewed).proposals}

    assert needs == {"Base": (), "Derived": (base.path,)}


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


def test_the_settings_name_another_main_branch(reviewed, open_vault, clock):
    git(reviewed, "switch", "-q", "-c", "notes")
    config = reviewed / ".mnemos/config.toml"
    config.write_text(SETTINGS + 'base = "notes"\n', encoding="utf-8")
    commit(reviewed)
    agent, person = open_vault(reviewed, agent="claude-code"), open_vault(reviewed)
    saved = save(agent, "Use Argon2id")

    person.deciding().approve(Choice(), clock())

    assert git(reviewed, "show", "--name-only", "--format=", "notes").split() == [str(saved.path)]
