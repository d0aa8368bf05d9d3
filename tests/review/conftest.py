"""A vault with a history, and a change in it that is read."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mnemos_files.review.run import review
from mnemos_files.review.values import Review
from mnemos_files.store.changeset import change_set
from tests.conftest import OpenStore, git

Texts = Mapping[str, str | bytes | None]


class Bench:
    """A vault in git: write files, commit them, read what changed."""

    def __init__(self, root: Path, open_store: OpenStore) -> None:
        self.root = root
        self._open = open_store

    def write(self, texts: Texts) -> None:
        """Write files, None deletes."""
        for path, text in texts.items():
            file = self.root / path
            if text is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def commit(self, texts: Texts, message: str = "change", *, agent: bool = False) -> str:
        """Write and commit files; the id of the commit."""
        self.write(texts)
        git(self.root, "add", "-A")
        who = ["--author=claude-code <claude-code@mnemos.invalid>"] if agent else []
        git(self.root, "commit", "-q", "--allow-empty", "-m", message, *who)
        return git(self.root, "rev-parse", "HEAD").strip()

    def review(self, named: str = "", **options: object) -> Review:
        """Read a change."""
        store = self._open(self.root)
        store.finish()
        return review(change_set(store, named, **options), store.now())


@pytest.fixture
def bench(vault: Path, open_vault: OpenStore) -> Bench:
    return Bench(vault, open_vault)


Rules = Callable[[Review], set[str]]


def rules(found: Review) -> set[str]:
    """Names of the rules that fired."""
    return {finding.rule for finding in found.findings()}
