"""Facts about a repository that a person should know; for `status`."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pygit2

from mnemos_files.errors import MnemosError
from mnemos_files.history.drivers import is_set_up
from mnemos_files.history.identity import FALLBACK_EMAIL, FALLBACK_NAME, is_fallback, person
from mnemos_files.history.layout import Layout
from mnemos_files.history.locks import age_seconds, describe_age, how_to_clear, lock_of
from mnemos_files.history.process import Git
from mnemos_files.history.refs import current_branch
from mnemos_files.history.signing import is_signing
from mnemos_files.history.staging import Staging
from mnemos_files.history.state import blocked

LOOSE_OBJECTS = 6700
"""git's own default of gc.auto: from here `git gc` has work to do."""

PACKS = 50
"""git's own default of gc.autoPackLimit."""

_COMMIT_HOOKS = (
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "reference-transaction",
)
_FOLDERS = 256
_SAMPLE = 16
"""Folders of loose objects to count; names are evenly spread, so a sample gives the whole."""


def notices(repo: pygit2.Repository, layout: Layout, staging: Staging) -> list[str]:
    """Everything worth telling, one sentence each; empty when all is well."""
    found = [blocked(repo)]
    found += _locks(repo, layout)
    found += [_identity(repo), _signing(repo), _hooks(repo, layout), _housekeeping(layout)]
    found += [*_index(layout, staging), _merge_driver(repo)]
    return [text for text in found if text]


def _locks(repo: pygit2.Repository, layout: Layout) -> Iterator[str]:
    files = [layout.git_dir / "index", layout.git_dir / "HEAD"]
    with contextlib.suppress(MnemosError):  # a detached HEAD has no branch to lock
        files.append(layout.common_dir / current_branch(repo).name)
    for lock in map(lock_of, files):
        if age_seconds(lock) is not None:
            yield f"git is locked by {lock} ({describe_age(lock)}). {how_to_clear(lock)}"


def _identity(repo: pygit2.Repository) -> str:
    if not is_fallback(person(repo)):
        return ""
    return (
        f"git knows no user.name and user.email here; commits carry {FALLBACK_NAME}"
        f" <{FALLBACK_EMAIL}>. Set them with `git config --global user.name` and `user.email`."
    )


def _signing(repo: pygit2.Repository) -> str:
    if not is_signing(repo):
        return ""
    kind = str(repo.config["gpg.format"]) if "gpg.format" in repo.config else "openpgp"
    return f"every commit is signed ({kind}), as commit.gpgsign says"


def _hooks(repo: pygit2.Repository, layout: Layout) -> str:
    folder = layout.common_dir / "hooks"
    if "core.hooksPath" in repo.config:
        folder = layout.workdir / Path(str(repo.config["core.hooksPath"])).expanduser()
    found = [name for name in _COMMIT_HOOKS if os.access(folder / name, os.X_OK)]
    return f"git hooks are not run on commits made here: {', '.join(found)}" if found else ""


def _housekeeping(layout: Layout) -> str:
    sampled = range(0, _FOLDERS, _FOLDERS // _SAMPLE)
    counts = (_count(layout.common_dir / "objects" / f"{number:02x}") for number in sampled)
    estimate = sum(counts) * _FOLDERS // _SAMPLE
    packs = sum(1 for _ in (layout.common_dir / "objects/pack").glob("*.pack"))
    if estimate <= LOOSE_OBJECTS and packs <= PACKS:
        return ""
    return (
        f"about {estimate} loose objects and {packs} packs:"
        f" run `git -C '{layout.workdir}' gc` to put them together"
    )


def _merge_driver(repo: pygit2.Repository) -> str:
    """Only a clone that exchanges with others merges."""
    if is_set_up(repo) or not len(repo.remotes):
        return ""
    return (
        "git merges memories line by line in this clone: `mnemos-files sync` or"
        " `mnemos-files init` sets up the merge driver"
    )


def _count(folder: Path) -> int:
    try:
        return len(os.listdir(folder))  # noqa: PTH208 - names are enough, 6,700 Path objects cost
    except FileNotFoundError:
        return 0


def _index(layout: Layout, staging: Staging) -> Iterator[str]:
    if not staging.stale.is_empty():
        count = len(staging.stale.load())
        if count:
            yield f"the git index is behind for {count} paths; the next write brings it up to date"
    kind = staging.kind()
    if not kind:
        return
    if Git(layout.git_dir, layout.workdir).is_installed:
        yield f"{kind} is kept up to date through the git program, which is slower"
    else:
        yield f"{kind} needs the git program to be kept up to date, and git is not installed"
