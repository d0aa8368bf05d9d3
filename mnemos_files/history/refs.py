"""The branch: what HEAD names, and moving it by compare-and-swap.

Done with git's own protocol for loose references (hold `<ref>.lock`, append to the reflog, replace
the file), because libgit2 leaves a lock behind when it is killed that nobody can tell from another
program's.
"""

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pygit2

from mnemos_files.errors import RefusedError
from mnemos_files.history.identity import Identity
from mnemos_files.history.layout import Layout
from mnemos_files.history.locks import Locks, Patience

_NO_COMMIT = "0" * 40
_LOGGED = ("refs/heads/", "refs/remotes/", "refs/notes/")
_SYMBOLIC_DEPTH = 5
"""git follows a chain of symbolic references this far."""


@dataclass(frozen=True, slots=True)
class Branch:
    """Full name of a branch and the commit that it names, "" when unborn."""

    name: str
    tip: str


@dataclass(frozen=True, slots=True)
class Move:
    """A branch's way to a new commit, and what the reflog says about it."""

    branch: Branch
    new: str
    identity: Identity
    when: datetime
    message: str


def current_branch(repo: pygit2.Repository) -> Branch:
    """The branch that HEAD names now, whoever moved it.

    Raises:
        RefusedError: HEAD names no branch.
    """
    name = "HEAD"
    for _ in range(_SYMBOLIC_DEPTH):
        try:
            target = repo.lookup_reference(name).raw_target
        except KeyError:
            return Branch(name, "")
        if not isinstance(target, bytes):
            return _direct(name, str(target))
        name = os.fsdecode(target)
    raise RefusedError("git-state", f"HEAD leads to itself ({name})", remedy="Mend .git/HEAD.")


def _direct(name: str, commit: str) -> Branch:
    if name == "HEAD":
        message = "HEAD is detached: switch to a branch (`git switch <branch>`), then write again"
        raise RefusedError("git-state", message)
    return Branch(name, commit)


def head_commit(repo: pygit2.Repository) -> str:
    """Id of the commit that HEAD names, "" when there is none."""
    try:
        return str(repo.head.target)
    except (pygit2.GitError, KeyError):
        return ""


def swap(
    repo: pygit2.Repository, layout: Layout, locks: Locks, move: Move, patience: Patience
) -> bool:
    """Move the branch if HEAD still names it and it still names the old commit.

    HEAD is locked as well, as `git commit` does: a `git switch` cannot come in between.

    Returns:
        False when another program was quicker; nothing was changed then.

    Raises:
        UnavailableError: another program holds a lock for too long.
    """
    file = layout.common_dir / move.branch.name
    with locks.hold(patience, layout.git_dir / "HEAD", file):
        if current_branch(repo) != move.branch:
            return False
        _append_to_logs(repo, layout, move)
        _write(layout.own_dir / "new-ref", file, move.new)
    return True


def _write(draft: Path, file: Path, commit: str) -> None:
    with draft.open("wb") as stream:
        stream.write(f"{commit}\n".encode("ascii"))
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(file)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _append_to_logs(repo: pygit2.Repository, layout: Layout, move: Move) -> None:
    name, email = move.identity
    old = move.branch.tip or _NO_COMMIT
    stamp = f"{int(move.when.timestamp())} +0000"
    line = f"{old} {move.new} {name} <{email}> {stamp}\t{move.message}\n".encode()
    is_logged = _is_logged(repo, move.branch.name)
    for log in (layout.git_dir / "logs/HEAD", layout.common_dir / "logs" / move.branch.name):
        if log.exists():
            _append(log, line)
        elif is_logged:
            log.parent.mkdir(parents=True, exist_ok=True)
            _append(log, line)


def _append(log: Path, line: bytes) -> None:
    with log.open("ab") as stream:
        stream.write(line)


def _is_logged(repo: pygit2.Repository, branch: str) -> bool:
    """Whether git would make a reflog that is not there (core.logAllRefUpdates, default true)."""
    config = repo.config
    name = "core.logAllRefUpdates"
    wanted = str(config[name]).lower() if name in config else "true"
    return wanted == "always" or (
        wanted in ("true", "yes", "on", "1") and branch.startswith(_LOGGED)
    )
