"""Real repositories in tmp_path, cut off from the configuration of the machine."""

import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest

from mnemos_files.history.repo import Change, CommitResult, History

NOW = datetime(2026, 12, 1, 10, 4, 11, tzinfo=UTC)
DATE = "2026-05-04T09:00:00+00:00"


@pytest.fixture(autouse=True)
def dates(hermetic_git: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person's commits lie before ours; git is not led elsewhere by the test's own caller."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_AUTHOR_DATE", DATE)
    monkeypatch.setenv("GIT_COMMITTER_DATE", DATE)


@dataclass
class Vault:
    """A folder in a repository, and what a person does in it."""

    root: Path
    top: Path = field(default=Path())

    def git(self, *arguments: str) -> str:
        """Output of a git command; it must succeed."""
        done = self.try_git(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def try_git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["git", *arguments]
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)

    def write(self, path: str, data: str | bytes) -> bytes:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        content = data.encode() if isinstance(data, str) else data
        file.write_bytes(content)
        return content

    def add(self, path: str, data: str | bytes = "text\n") -> None:
        """A person's file, added and committed."""
        self.write(path, data)
        self.git("add", "-f", "--", path)
        self.git("commit", "-q", "-m", f"Add {path}", "--", path)

    def open(self) -> History:
        history = History.open(self.root)
        assert isinstance(history, History), history
        return history

    def save(self, path: str, data: str | bytes = "saved\n", **more: object) -> CommitResult:
        """Write a file and commit it as an agent does."""
        content = self.write(path, data)
        return self.open().commit([change(path, content, **more)], NOW)

    def status(self) -> list[str]:
        return self.git("-c", "core.quotePath=false", "status", "--porcelain").splitlines()

    def subjects(self) -> list[str]:
        return self.git("log", "--format=%s").splitlines()

    def fsck(self) -> str:
        done = self.try_git("fsck", "--strict", "--full")
        return f"{done.returncode} {done.stdout}{done.stderr}".replace("notice: HEAD", "HEAD")


def change(path: str, data: bytes | None, **more: object) -> Change:
    defaults: dict[str, object] = {"subject": f"save(decision): {path}", "agent": "claude-code"}
    return Change({PurePosixPath(path): data}, **{**defaults, **more})  # type: ignore[arg-type]


def new_vault(root: Path, *init: str, identity: bool = True) -> Vault:
    root.mkdir(parents=True, exist_ok=True)
    vault = Vault(root, root)
    vault.git("init", "-q", "-b", "main", *init)
    if identity:
        vault.git("config", "user.name", "Ines Example")
        vault.git("config", "user.email", "ines@example.org")
    return vault


@pytest.fixture
def empty(tmp_path: Path) -> Vault:
    """A repository without a commit."""
    return new_vault(tmp_path / "vault")


@pytest.fixture
def vault(empty: Vault) -> Vault:
    """A repository with one note, `first.md`."""
    empty.add("first.md", "first\n")
    return empty


@pytest.fixture
def make_vault():
    """A function that makes a repository: `make_vault(root, *arguments of git init)`."""
    return new_vault


@pytest.fixture
def make_change():
    """A function that makes a change of one file: `make_change(path, bytes or None)`."""
    return change


@pytest.fixture
def now() -> datetime:
    return NOW
