"""Finding, opening and making the repository of a vault."""

from pathlib import Path

import pygit2

from mnemos_files.errors import UnavailableError
from mnemos_files.history.values import NoHistory

DEFAULT_BRANCH = "main"

_EXTENSIONS = {
    "extensions.partialclone": "a partial clone (extensions.partialClone)",
    "extensions.refstorage": "the reftable format (extensions.refStorage)",
    "extensions.objectformat": "SHA-256 object names (extensions.objectFormat)",
}


def find(root: Path) -> str:
    """Path of the git folder of the repository that a folder lies in, "" when there is none."""
    try:
        return pygit2.discover_repository(str(root)) or ""
    except (pygit2.GitError, KeyError, ValueError):
        return ""


def open_repository(git_dir: str, root: Path) -> pygit2.Repository | NoHistory:
    """The repository, or why libgit2 cannot open it and what to do."""
    try:
        repo = pygit2.Repository(git_dir)
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        return NoHistory(_reason(git_dir, root, str(error)), exists=True)
    if repo.is_bare:
        return NoHistory(f"{git_dir} is a bare repository, without files", exists=True)
    return repo


def create_repository(root: Path) -> pygit2.Repository:
    """A new repository in the folder, on the person's default branch, else `main`.

    Raises:
        UnavailableError: the folder cannot be written to.
    """
    try:
        repo = pygit2.init_repository(str(root), initial_head=DEFAULT_BRANCH)
    except (pygit2.GitError, ValueError, OSError) as error:
        raise UnavailableError(
            f"no git repository can be made in {root}: {error}",
            remedy="Check that the folder can be written to, or run `git init` there.",
        ) from error
    wanted = _default_branch(repo)
    if wanted != DEFAULT_BRANCH:
        repo.set_head(f"refs/heads/{wanted}")
    return repo


def _default_branch(repo: pygit2.Repository) -> str:
    name = "init.defaultBranch"
    wanted = str(repo.config[name]) if name in repo.config else DEFAULT_BRANCH
    return wanted if pygit2.reference_is_valid_name(f"refs/heads/{wanted}") else DEFAULT_BRANCH


def _reason(git_dir: str, root: Path, error: str) -> str:
    if "not owned" in error:
        folder = _top(git_dir, root)
        return (
            f"the repository {folder} belongs to another user; if you trust it, run:"
            f" git config --global --add safe.directory {_quoted(folder)}"
        )
    for key in _extensions(git_dir):
        if key in _EXTENSIONS:
            return (
                f"the repository {_top(git_dir, root)} uses {_EXTENSIONS[key]}, which this"
                f" program's git library cannot open ({Path(git_dir, 'config')})"
            )
    return f"the repository {_top(git_dir, root)} cannot be opened: {error}"


def _extensions(git_dir: str) -> list[str]:
    try:
        config = pygit2.Config(str(Path(git_dir, "config")))
        return [entry.name.lower() for entry in config if entry.value != "sha1"]
    except (pygit2.GitError, KeyError, ValueError, OSError):
        return []


def _top(git_dir: str, root: Path) -> str:
    path = Path(git_dir)
    if path.name == ".git":
        return str(path.parent)
    linked = (folder for folder in (root, *root.parents) if (folder / ".git").is_file())
    return str(next(linked, path))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'" if set(text) & set(" '\"$`\\()&;") else text
