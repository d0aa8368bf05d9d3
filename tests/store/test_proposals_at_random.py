"""Whatever agents and a person do in whatever order: each memory is on main, open or rejected."""

import random

import pytest

from mnemos_files.store.deciding import Choice
from mnemos_files.store.desk import Desk
from mnemos_files.store.proposals import inbox
from tests.conftest import git
from tests.store.reviewing import commit, renew, save, titles

STEPS = 22


class Play:
    """A person and two agents at one vault."""

    def __init__(self, vault, stores, seed):
        self.vault, self.person, self.agents = vault, stores[0], stores[1:]
        self.random = random.Random(seed)  # noqa: S311 - play, not a secret
        self.saved: dict[str, str] = {}
        self.rejected: set[str] = set()

    def save(self):
        title = f"Finding {len(self.saved)}"
        old = self.random.choice([*self.saved.values(), ""])
        store = self.random.choice(self.agents)
        known = [e for e in store.index.entries.values() if e.record.id == old]
        ends = (old,) if known and known[0].record.invalidated is None else ()
        made = save(store, title, f"text of {title}\n\nsecond paragraph", supersedes=ends)
        self.saved[title] = made.record.id

    def news(self):
        renew(self.random.choice(self.agents))

    def write_by_hand(self):
        (self.vault / f"Note {self.random.randrange(3)}.md").write_text(
            f"{self.random.random()}\n", encoding="utf-8"
        )
        commit(self.vault)

    def edit_on_main(self):
        entries = [e for e in self.person.index.entries.values() if e.record.id in self.known]
        if entries:
            file = self.vault / self.random.choice(entries).path
            text = file.read_text("utf-8")
            file.write_text(text.replace("second", "other"), encoding="utf-8")
            if git(self.vault, "status", "--porcelain"):
                commit(self.vault)

    def approve(self):
        open_ones = inbox(self.vault).proposals
        if open_ones:
            one = self.random.choice(open_ones)
            choice = Choice((str(one.path),), one.branch)
            self.person.deciding().approve(choice, self.person.now())

    def reject(self):
        open_ones = [one for one in inbox(self.vault).proposals if one.change == "new"]
        if open_ones:
            one = self.random.choice(open_ones)
            choice = Choice((str(one.path),), one.branch)
            done = self.person.deciding().reject(choice, "not so good", self.person.now()).done
            self.rejected |= {d.proposal.id for d in done if d.proposal.change == "new"}

    def merge(self):
        branches = git(
            self.vault, "branch", "--list", "memory/*", "--format=%(refname:short)"
        ).split()
        how = self.random.choice(["--squash", "--no-ff"])
        done = git(self.vault, "merge", "-q", how, self.random.choice(branches), check=False)
        if git(self.vault, "ls-files", "--unmerged"):
            git(self.vault, "reset", "-q", "--hard")
        elif git(self.vault, "status", "--porcelain"):
            git(self.vault, "commit", "-q", "-m", f"merged {done}")

    @property
    def known(self):
        return set(self.saved.values())

    def check(self):
        for store in (self.person, *self.agents):
            store.finish()
            assert git(store.place.vault.root, "status", "--porcelain") == ""
        on_main = {e.record.id for e in self.person.index.entries.values()}
        open_ones = {one.id for one in inbox(self.vault).proposals}
        assert self.known - on_main - open_ones <= self.rejected


@pytest.mark.parametrize("seed", range(4))
def test_no_memory_is_lost(seed, reviewed, agent, person, open_vault):
    play = Play(reviewed, (person, agent, open_vault(reviewed, agent="cursor")), seed)
    moves = [play.save, play.save, play.save, play.news, play.write_by_hand, play.edit_on_main]
    moves += [play.approve, play.approve, play.reject, play.merge]

    for _ in range(STEPS):
        play.random.choice(moves)()
        play.check()
    for branch in dict.fromkeys(one.branch for one in inbox(reviewed).proposals):
        outcome = person.deciding().approve(Choice(branch=branch, over_main=True), person.now())
        assert outcome.held == []

    assert inbox(reviewed).proposals == ()
    play.check()
    assert isinstance(agent.desk, Desk)
    assert git(reviewed, "fsck", "--no-dangling") == ""
    assert len(titles(person)) >= len(play.known - play.rejected)
