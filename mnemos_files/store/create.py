"""Making a vault out of a new or an existing folder."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.resources.abc import Traversable
from pathlib import Path

from mnemos_files.history.repo import History
from mnemos_files.history.values import NoHistory
from mnemos_files.store.open import new_id
from mnemos_files.store.settings import read_settings
from mnemos_files.store.setup import add_files, own_files
from mnemos_files.vault.failures import file_failure
from mnemos_files.vault.files import Vault
from mnemos_files.vault.lock import VaultLock

_LOCK_SECONDS = 10.0
GUIDE = "Home.md"
TEMPLATES = "templates"
TEMPLATE_SETTINGS = ".obsidian/templates.json"
MERGED = (".gitattributes", ".gitignore")
"""Files of ours that do their work in a file of the person, too, as lines."""


@dataclass(frozen=True, slots=True)
class Created:
    """What was added: paths in the vault, and whether a git repository was made."""

    added: tuple[str, ...]
    made_repository: bool
    notices: tuple[str, ...] = ()


def create_vault(root: Path, template: Traversable, now: datetime) -> Created:
    """Turn a folder into a vault: add what the template has and it lacks, in one commit.

    Nothing that is there is changed. A repository is made only when none is found upwards.

    Raises:
        UnavailableError: the folder cannot be written.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_failure(error, str(root)) from error
    settings = read_settings(root)
    vault = Vault(root, settings.ignored)
    with VaultLock(vault.root / ".mnemos").hold(_LOCK_SECONDS):
        opened = History.open(vault.root)
        made = isinstance(opened, NoHistory) and not opened.exists
        history = History.create(vault.root) if made else opened
        usable = history if isinstance(history, History) else None
        # The guide is for people; agents who search for "supersede" look for memories.
        files = _files(template)
        guide = [f"/{GUIDE}"] if _is_ours(vault.root / GUIDE, files) else []
        files = _as_spelled(vault.root, files)
        files |= own_files(settings.vault_id or new_id(now), guide)
        added = add_files(vault, usable, files, now)
    notices = [f"history is off: {history.reason}"] if isinstance(history, NoHistory) else []
    notices += _refusals(added.refused)
    notices += [told for name in MERGED if (told := _lacking(vault.root / name, files.get(name)))]
    return Created(added.paths, made, tuple(notices))


def _as_spelled(root: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files with the folder of templates as the person spells it, where there is one."""
    names = [each.name for each in root.iterdir() if each.name.casefold() == TEMPLATES]
    if len(names) != 1 or names[0] == TEMPLATES:
        return dict(files)
    inside = f"{TEMPLATES}/"
    found = {
        path.replace(inside, f"{names[0]}/", 1) if path.startswith(inside) else path: data
        for path, data in files.items()
    }
    if TEMPLATE_SETTINGS in found:
        ours, theirs = (f'"{name}"'.encode() for name in (TEMPLATES, names[0]))
        found[TEMPLATE_SETTINGS] = found[TEMPLATE_SETTINGS].replace(ours, theirs)
    return found


def _refusals(refused: Mapping[str, str]) -> list[str]:
    """What was not added, a line for each reason."""
    by_reason: dict[str, list[str]] = {}
    for path, reason in refused.items():
        by_reason.setdefault(reason, []).append(path)
    return [f"not added: {', '.join(paths)}: {reason}" for reason, paths in by_reason.items()]


def _lacking(file: Path, ours: bytes | None) -> str:
    """Which lines of ours a file of the person lacks, "" when it lacks none."""
    theirs = file.read_bytes().decode("utf-8", "replace").splitlines() if file.is_file() else []
    known = {" ".join(line.split()) for line in theirs}
    lines = [] if ours is None else ours.decode().splitlines()
    wanted = [" ".join(line.split()) for line in lines if line.strip() and line[:1] != "#"]
    missing = [line for line in wanted if line not in known]
    return (
        f"{file.name} is yours and stays as it is; it lacks: {'; '.join(missing)}"
        if missing
        else ""
    )


def _is_ours(guide: Path, files: Mapping[str, bytes]) -> bool:
    return not guide.exists() or guide.read_bytes() == files.get(guide.name)


def _files(template: Traversable) -> dict[str, bytes]:
    return dict(_walk(template, ""))


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for item in sorted(folder.iterdir(), key=lambda each: each.name):
        if item.is_dir():
            yield from _walk(item, f"{prefix}{item.name}/")
        elif not item.name.endswith((".pyc", ".pyo")):
            yield f"{prefix}{item.name}", item.read_bytes()
