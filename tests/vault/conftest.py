"""A folder of notes, and a vault on it."""

from pathlib import Path

import pytest

from mnemos_files.config import DEFAULT_IGNORED
from mnemos_files.vault.files import Vault


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
def files(root: Path) -> Vault:
    return Vault(root, DEFAULT_IGNORED)
