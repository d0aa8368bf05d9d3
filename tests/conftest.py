"""Fixtures that every part shares: a hermetic git, a clock, a vault and its store."""

import os
import subprocess
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pygit2
import pytest

from mnemos_files.model.record import Record
from mnemos_files.store.open import open_store
from mnemos_files.store.store import Store

NOON = datetime(2026, 12, 1, 12, 0, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def hermetic_git(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No configuration of this machine: an empty home, for git and for libgit2."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("MNEMOS_VAULT", raising=False)
    monkeypatch.setenv("MNEMOS_CACHE_DIR", str(home / "mnemos-cache"))
    for level in ("GLOBAL", "XDG", "SYSTEM"):
        pygit2.settings.search_path[getattr(pygit2.enums.ConfigLevel, level)] = str(home)
    return home


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def tick(self, **step: float) -> datetime:
        self.now += timedelta(**step)
        return self.now


class WordEmbedder:
    """Every word is a direction of its own: texts with equal words have equal vectors."""

    identity = "words-1024"
    dims = 1024

    def encode(self, texts: list[str]) -> np.ndarray:
        rows = self.sum_pieces(texts)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    def sum_pieces(self, texts: list[str]) -> np.ndarray:
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.encode()) % self.dims] += 1
        return rows

    def warm(self) -> None:
        """Nothing to load."""


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    """Output of a real git command in a folder."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], check=check, capture_output=True, text=True
    )
    return done.stdout


@pytest.fixture
def clock() -> Clock:
    return Clock(NOON)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A git repository with one commit of the person's, and an identity."""
    root = tmp_path / "vault"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "Ines Example")
    git(root, "config", "user.email", "ines@example.org")
    (root / "Home.md").write_text("# Home\n", encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "start")
    return root


OpenStore = Callable[..., Store]


@pytest.fixture
def open_vault(tmp_path: Path, clock: Clock) -> Iterator[OpenStore]:
    """Opens stores that are closed at the end of the test."""
    opened: list[Store] = []

    def opener(root: Path, **options: object) -> Store:
        settings = {"cache_folder": tmp_path / "cache", "clock": clock, "embedder": WordEmbedder()}
        store = open_store(root, **(settings | options))
        opened.append(store)
        return store

    yield opener
    for store in opened:
        store.close()


@pytest.fixture
def store(vault: Path, open_vault: OpenStore) -> Store:
    return open_vault(vault)


def an_observation(store: Store, **fields: object) -> Record:
    """A record as the save operation builds it, with a fresh id."""
    given = {
        "id": store.new_id(store.now()),
        "type": "decision",
        "title": "Use Argon2id for password hashing",
        "content": "bcrypt caps its input at 72 bytes.",
        "agent": "claude-code",
        "created": store.now().replace(microsecond=0),
    }
    return Record(**(given | fields))
