"""Everything in a vault that a person should look at."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import PurePosixPath

from mnemos_files.config import CONFIG_PATH, Settings
from mnemos_files.errors import MnemosError, NotFoundError
from mnemos_files.index.index import Index
from mnemos_files.model.problem import Problem
from mnemos_files.model.ulid import is_ulid
from mnemos_files.store.link_check import link_problems
from mnemos_files.store.text_check import text_problems
from mnemos_files.vault.files import Vault

NEARLY_SAME = 0.9
"""Share of equal text [0, 1] from which a numbered twin is reported as a possible copy."""

_COPY_NAME = re.compile(r"^(?P<stem>.+?)(?: \d{1,2}|-[A-Z][A-Z0-9-]{3,})$")


def all_problems(
    index: Index,
    vault: Vault,
    settings: Settings,
    *,
    only: frozenset[str] | None = None,
    foreign: bool = False,
) -> list[Problem]:
    """Problems of single files, of names, of links, of ids and of the settings, by path.

    `only` leaves those of other notes out; `foreign` adds the links of notes that are no memories.
    """
    links = link_problems(index, foreign=foreign)
    problems = [*vault.listing().problems, *_settings(settings), *links, *_same_ids(index)]
    problems += [p for entry in index.entries.values() for p in entry.problems]
    problems += [*_copies(index, vault), *_unread(index, vault)]
    paths = [path for path in index.entries if only is None or path in only]
    problems += text_problems(index, vault, paths, frozenset(settings.allowed_secrets))
    if only is not None:
        problems = [problem for problem in problems if problem.path in {*only, CONFIG_PATH}]
    return sorted(problems, key=lambda problem: (problem.path, problem.line, problem.rule))


def _settings(settings: Settings) -> Iterator[Problem]:
    for name in settings.unknown:
        message = f"unknown setting {name}"
        yield Problem(CONFIG_PATH, 0, "unknown-setting", message, "Remove it or mend its name.")


def _same_ids(index: Index) -> Iterator[Problem]:
    by_id: dict[str, list[str]] = defaultdict(list)
    for path, entry in index.entries.items():
        if is_ulid(entry.record.id):
            by_id[entry.record.id].append(path)
    for record_id, paths in by_id.items():
        for path in paths[1:] if len(paths) > 1 else ():
            message = f"the id {record_id} is also that of {paths[0]}"
            yield Problem(path, 0, "duplicate-id", message, "Remove the id line from the copy.")


def _unread(index: Index, vault: Vault) -> Iterator[Problem]:
    """Files that no search finds, because the system does not let us read them."""
    for path in vault.listing().notes:
        if index.entry(path) is None:
            try:
                vault.read(PurePosixPath(path))
            except NotFoundError:
                continue  # it went away
            except MnemosError as error:
                message = error.message.removeprefix(f"{path}: ")
                yield Problem(path, 0, "unreadable", message, error.remedy)


def _copies(index: Index, vault: Vault) -> Iterable[Problem]:
    """Files whose name and text look like a copy that a sync program made."""
    for path in index.entries:
        match = _COPY_NAME.match(PurePosixPath(path).stem)
        original = str(PurePosixPath(path).with_name(f"{match['stem']}.md")) if match else ""
        if original in index.entries and _is_nearly_same(vault, path, original):
            message = f"looks like a copy of {original}"
            yield Problem(
                path, 0, "possible-copy", message, "Delete it, or rename it if you mean it."
            )


def _is_nearly_same(vault: Vault, path: str, original: str) -> bool:
    try:
        one, other = (vault.read(PurePosixPath(p))[0].decode("utf-8") for p in (path, original))
    except (MnemosError, UnicodeDecodeError):
        return False
    return SequenceMatcher(None, one, other, autojunk=False).quick_ratio() >= NEARLY_SAME
