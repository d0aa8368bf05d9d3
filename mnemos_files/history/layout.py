"""Where the repository of a vault is, and where the vault lies in it."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pygit2

from mnemos_files.errors import RefusedError

OWN_FOLDER = "mnemos"
"""Folder in the git folder for what this package keeps there: never tracked, never packed."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths of one repository. `prefix` leads from the work tree to the vault, "" = the same.

    `git_dir` holds HEAD and the git index of this work tree, `common_dir` branches and objects
    (they differ in a linked work tree only). `own_dir` is our own folder in `git_dir`.
    """

    git_dir: Path
    common_dir: Path
    workdir: Path
    prefix: str
    own_dir: Path

    def in_repository(self, path: PurePosixPath) -> str:
        """The vault's path as seen from the work tree.

        Raises:
            RefusedError: the path is absolute, empty, or leads out of the vault or into `.git`.
        """
        parts = path.parts
        if path.is_absolute() or not parts or any(map(_is_forbidden, parts)):
            raise RefusedError("path", f"{str(path)!r} is not a path inside the vault")
        return f"{self.prefix}/{path}" if self.prefix else str(path)

    def in_vault(self, path: str) -> str | None:
        """The work tree's path as seen from the vault, None when it lies outside."""
        if not self.prefix:
            return path
        return path[len(self.prefix) + 1 :] if path.startswith(self.prefix + "/") else None

    def way_block(self, path: str) -> str:
        """Why git does not see what lies at this path: a link or a repository on the way, or ""."""
        folder = str(self.workdir)
        for part in path.split("/")[:-1]:
            folder = f"{folder}/{part}"
            try:
                if stat.S_ISLNK(os.lstat(folder).st_mode):
                    return f"{path} lies behind a symbolic link"
            except OSError:
                return ""  # not there: a deleted folder, or one that comes with the next write
            if os.path.lexists(f"{folder}/.git"):
                return f"{path} lies in another git repository"
        return ""


def layout_of(repo: pygit2.Repository, root: Path) -> Layout | None:
    """Paths of a repository around a vault, None when it has no work tree around the vault."""
    if repo.is_bare:
        return None
    git_dir, workdir = Path(repo.path).resolve(), Path(repo.workdir).resolve()
    try:
        prefix = root.resolve().relative_to(workdir).as_posix()
    except ValueError:
        return None
    if ".git" in prefix.split("/"):
        return None
    prefix = "" if prefix == "." else prefix
    return Layout(git_dir, _common_dir(git_dir), workdir, prefix, git_dir / OWN_FOLDER)


def _common_dir(git_dir: Path) -> Path:
    try:
        return (git_dir / (git_dir / "commondir").read_text("utf-8").strip()).resolve()
    except FileNotFoundError:
        return git_dir


def _is_forbidden(part: str) -> bool:
    return part in ("..", ".") or part.lower() == ".git" or "\0" in part
