"""A second repository that goes on from the commit of another one, and leaves that alone."""

import shutil
from pathlib import Path

import pygit2

from mnemos_files.errors import UnavailableError
from mnemos_files.history.layout import OWN_FOLDER, Layout
from mnemos_files.history.refs import head_commit

_SECTIONS = ("user", "author", "committer", "filter")
_KEYS = ("core.autocrlf", "core.eol", "core.safecrlf", "core.attributesfile", "core.excludesfile")
"""Settings that decide what a commit holds and who made it. Never all of them: `core.worktree`
would make the copy write into the other's files."""

_OWN = ("attributes", "exclude")
_SHALLOW = "shallow"
_INDEX = "index"
_FILES = (".gitattributes", ".gitignore")


def copy_repository(repo: pygit2.Repository, layout: Layout, folder: Path) -> Path:
    """Make the repository in an empty folder; the place of the vault in it.

    It has branch, git index, rules and identity of the other and reads its objects; it signs
    nothing. Of the files only git's rules around the vault are there.

    Raises:
        UnavailableError: the folder cannot be written to.
    """
    try:
        branch = str(repo.lookup_reference("HEAD").target)
        made = pygit2.init_repository(str(folder), initial_head=branch.removeprefix("refs/heads/"))
        git_dir = Path(made.path)
        _lend_objects(layout, git_dir)
        _copy_settings(layout, made)
        _copy_rules(layout, git_dir, folder)
        head = head_commit(repo)
        if head:
            pygit2.Repository(str(git_dir)).create_reference(branch, head)
        vault = folder / layout.prefix
        vault.mkdir(parents=True, exist_ok=True)
    except (pygit2.GitError, ValueError, KeyError, OSError) as error:
        problem = f"no copy of the repository can be made in {folder}: {error}"
        raise UnavailableError(problem, remedy="Check the folder for temporary files.") from error
    return vault


def _lend_objects(layout: Layout, git_dir: Path) -> None:
    objects = layout.common_dir / "objects"
    places = [str(objects)]
    known = objects / "info/alternates"
    if known.is_file():  # relative ones are understood in the repository itself only
        lines = known.read_text("utf-8").splitlines()
        places += [str((objects / line).resolve()) for line in lines if line and line[0] != "#"]
    alternates = git_dir / "objects/info/alternates"
    alternates.parent.mkdir(parents=True, exist_ok=True)
    alternates.write_text("".join(f"{place}\n" for place in places), "utf-8")


def _copy_settings(layout: Layout, made: pygit2.Repository) -> None:
    for entry in pygit2.Config(str(layout.common_dir / "config")):
        name = entry.name
        if name in _KEYS or name.partition(".")[0] in _SECTIONS:
            made.config[name] = entry.value or ""
    made.config["commit.gpgsign"] = False


def _copy_rules(layout: Layout, git_dir: Path, folder: Path) -> None:
    for name in _OWN:
        _copy(layout.common_dir / "info" / name, git_dir / "info" / name)
    _copy(layout.common_dir / _SHALLOW, git_dir / _SHALLOW)
    _copy(layout.git_dir / _INDEX, git_dir / _INDEX)
    if layout.own_dir.is_dir():
        shutil.copytree(layout.own_dir, git_dir / OWN_FOLDER, symlinks=True)
    inside = Path()
    for part in ("", *Path(layout.prefix).parts):
        inside /= part
        for name in _FILES:
            _copy(layout.workdir / inside / name, folder / inside / name)


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
