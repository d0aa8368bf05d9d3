"""A vault whose owner reviews what agents write."""

from pathlib import Path

import pytest

from mnemos_files.store.store import Store
from tests.conftest import OpenStore
from tests.store.reviewing import SETTINGS, commit


@pytest.fixture
def reviewed(vault: Path) -> Path:
    own = vault / ".mnemos"
    own.mkdir()
    (own / "config.toml").write_text(SETTINGS, encoding="utf-8")
    (own / ".gitignore").write_text("*.lock\ncookie*\n", encoding="utf-8")
    commit(vault, "review")
    return vault


@pytest.fixture
def agent(reviewed: Path, open_vault: OpenStore) -> Store:
    """The store of an agent whose writes are proposals."""
    return open_vault(reviewed, agent="Claude Code")


@pytest.fixture
def person(reviewed: Path, open_vault: OpenStore) -> Store:
    """The store of the person, on the same vault."""
    return open_vault(reviewed)
