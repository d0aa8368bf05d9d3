"""Vaults whose owner reviews what agents write, for tests."""

from mnemos_files.store.proposals import inbox
from tests.conftest import an_observation, git

SETTINGS = '[vault]\nid = "v"\nformat = 1\n\n[review]\nmode = "branch"\n'
DAY = "memory/claude-code/2026-12-01"


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
