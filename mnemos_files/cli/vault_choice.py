"""Which folder is the vault, and where its derived data lies."""

import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from mnemos_files.config import CONFIG_PATH
from mnemos_files.errors import InvalidQueryError, RefusedError, UnavailableError

VAULT_VARIABLE = "MNEMOS_VAULT"
CACHE_VARIABLE = "MNEMOS_CACHE_DIR"
AGENT_VARIABLE = "MNEMOS_AGENT"
_UNEXPANDED = re.compile(r"\$\{[^}]*\}|\$[A-Za-z_]\w*|%[A-Za-z_]\w*%")


def find_vault(explicit: str | None, environ: Mapping[str, str], cwd: Path) -> Path:
    """Absolute path of the vault: as named, from MNEMOS_VAULT, or the nearest one around `cwd`.

    A folder that is named need not be a vault yet.

    Raises:
        UnavailableError: there is no such folder, or none was named and none is around.
        InvalidQueryError: the name cannot be a folder.
        RefusedError: the folder is a home folder or the root of a file system.
    """
    if explicit is not None:
        return _existing(named_folder(explicit, "--vault", cwd))
    if VAULT_VARIABLE in environ:
        return _existing(named_folder(environ[VAULT_VARIABLE], VAULT_VARIABLE, cwd))
    for folder in (cwd, *cwd.parents):
        if (folder / CONFIG_PATH).is_file():
            return allowed(folder)
    raise UnavailableError(
        f"no vault was named, and neither {cwd} nor a folder above it is one",
        remedy=f"Give --vault DIR, set {VAULT_VARIABLE}, or work inside a vault; "
        "`mnemos-files init DIR` makes one.",
    )


def named_folder(text: str, source: str, cwd: Path) -> Path:
    """Absolute path that a text means; the folder need not exist.

    Raises:
        InvalidQueryError: the text is empty or holds a variable that nobody expanded.
        RefusedError: the folder is a home folder or the root of a file system.
    """
    if not text.strip():
        raise InvalidQueryError(source, "is empty", remedy="Name the folder of the vault.")
    path = Path(os.path.normpath(cwd / _at_home(text)))
    unexpanded = _UNEXPANDED.search(text)
    if unexpanded and not path.exists():
        problem = f"{text!r} holds {unexpanded[0]}, which was not expanded"
        remedy = "Write the whole path; clients start servers without a shell."
        raise InvalidQueryError(source, problem, remedy=remedy)
    if path.exists() and not path.is_dir():
        raise InvalidQueryError(source, f"{path} is a file", remedy="Name a folder.")
    return allowed(path)


def allowed(folder: Path) -> Path:
    """The same folder.

    Raises:
        RefusedError: it is a home folder or the root of a file system, where everything else lies.
    """
    real = folder.resolve()
    if real == real.parent or real == _home():
        kind = "your home folder" if real != real.parent else "the root of the file system"
        raise RefusedError(
            "vault-root",
            f"{real} is {kind}, not a place for a vault",
            remedy=f"Use a folder inside it, for example {real / 'memory'}.",
        )
    return folder


def cache_folder(environ: Mapping[str, str]) -> Path:
    """Where indexes lie: MNEMOS_CACHE_DIR, else the user's cache folder of this system."""
    named = environ.get(CACHE_VARIABLE, "").strip()
    if named:
        return Path(named).expanduser().absolute()
    folder = platformdirs.user_cache_path("mnemos-files", appauthor=False)
    # Without a home the text still begins with "~", which would become a folder of that name.
    return folder if folder.is_absolute() else Path(tempfile.gettempdir()) / "mnemos-files"


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        raise UnavailableError(
            f"there is no folder {folder}",
            remedy=f"Make it with `mnemos-files init {folder}`, or name another one.",
        )
    return folder


def _at_home(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        problem = f"{text!r}: this system tells no home folder for it"
        raise InvalidQueryError("vault", problem, remedy="Write the whole path.") from error


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except RuntimeError:
        return None
