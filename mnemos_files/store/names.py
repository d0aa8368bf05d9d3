"""From what a caller or a link says to the file that is meant."""

import unicodedata
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Protocol

from mnemos_files.errors import AmbiguousNameError, NotFoundError, RefusedError
from mnemos_files.format.links import link_target
from mnemos_files.format.paths import check_relative, is_skill_path
from mnemos_files.format.targets import fold, read_target
from mnemos_files.model.note import Entry

_SUGGESTIONS = 5


class Catalogue(Protocol):
    """What is known of the files: entries by path, and by the other names that a note has."""

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Every known note by path."""

    def by_id(self, record_id: str) -> tuple[str, ...]:
        """Paths of the notes with this id."""

    def by_stem(self, stem: str) -> tuple[str, ...]:
        """Paths of the notes whose file stem is this, whatever its case and Unicode form."""

    def by_alias(self, alias: str) -> tuple[str, ...]:
        """Paths of the notes with this alias, whatever its case and Unicode form."""

    def by_id_tail(self, tail: str) -> tuple[str, ...]:
        """Paths of the notes whose id ends in these six lower-case letters."""


def find_path(name: str, catalogue: Catalogue, exists: Callable[[PurePosixPath], bool]) -> str:
    """Path of the note that is called so: by id, by path, by stem, by the id tail of a stem.

    Raises:
        NotFoundError: nothing is called so; `candidates` may hold names that are near.
        AmbiguousNameError: more than one note is called so.
        RefusedError: the name is a path that leaves the vault or is hidden.
    """
    try:
        found = _by_id(name, catalogue) or _by_path(name, catalogue, exists)
    except RefusedError:
        if not resolve(name, catalogue):  # an alias may have any sign
            raise
        found = ""
    return found or _one(name, resolve(name, catalogue), catalogue)


def find_exact(name: str, catalogue: Catalogue, exists: Callable[[PurePosixPath], bool]) -> str:
    """Path of the note with exactly this id or path: the rule for every write.

    Raises:
        NotFoundError: nothing has this id or path; `candidates` holds the notes with that stem.
        AmbiguousNameError: several files carry this id.
        RefusedError: the name is a path that leaves the vault or is hidden.
    """
    found = _by_id(name, catalogue) or _by_path(name, catalogue, exists)
    if found:
        return found
    near = resolve(name, catalogue)
    if len(near) > 1:
        raise AmbiguousNameError(name, near)
    raise _not_found(name, near or _similar(name, catalogue))


def resolve(target: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Paths that a link target may mean: exact path, then stem, alias, id tail, id.

    More than one path is an ambiguous link; none is a dangling one. `index.succession` does the
    same for many links at once.
    """
    wanted = read_target(target)
    if wanted.path in catalogue.entries:
        return (wanted.path,)
    by_stem = catalogue.by_stem(wanted.stem)
    if wanted.end:
        by_stem = tuple(path for path in by_stem if fold(f"/{path}").endswith(wanted.end))
    return (
        by_stem
        or catalogue.by_alias(wanted.alias)
        or (catalogue.by_id_tail(wanted.tail) if wanted.tail else ())
        or catalogue.by_id(wanted.name)
    )


def means(link: str, path: str, record_id: str) -> bool:
    """True when a link names this file by stem, path or end of its path, or its record by id."""
    name = _plain(link_target(link))
    return name == _plain(record_id) or f"/{_plain(path)}".endswith(f"/{name}")


def link_name(path: str, catalogue: Catalogue) -> str:
    """How to write a link to this file: its stem, or its path when another file has that stem.

    Files of skills are all called alike, so they always have their path.
    """
    plain = path[: -len(".md")] if path.lower().endswith(".md") else path
    stem = PurePosixPath(path).stem
    if is_skill_path(PurePosixPath(path)):
        return plain
    return stem if len(catalogue.by_stem(stem)) <= 1 else plain


def _plain(name: str) -> str:
    return fold(name[: -len(".md")] if name.lower().endswith(".md") else name)


def _by_id(name: str, catalogue: Catalogue) -> str:
    paths = catalogue.by_id(name)
    if len(paths) > 1:
        raise AmbiguousNameError(name, paths)
    return paths[0] if paths else ""


def _by_path(name: str, catalogue: Catalogue, exists: Callable[[PurePosixPath], bool]) -> str:
    path = check_relative(name)
    forms = [path] if path.suffix.lower() == ".md" else [path.with_name(f"{path.name}.md")]
    for form in forms:
        if str(form) in catalogue.entries or exists(form):
            return str(form)
    wanted = unicodedata.normalize("NFC", str(forms[0]))
    same = [
        p for p in catalogue.by_stem(forms[0].stem) if unicodedata.normalize("NFC", p) == wanted
    ]
    return same[0] if len(same) == 1 else ""


def _one(name: str, paths: tuple[str, ...], catalogue: Catalogue) -> str:
    if len(paths) > 1:
        raise AmbiguousNameError(name, paths)
    if not paths:
        raise _not_found(name, _similar(name, catalogue))
    return paths[0]


def _not_found(name: str, candidates: tuple[str, ...]) -> NotFoundError:
    remedy = "Use the id or path that search gives."
    if candidates:
        remedy = f"Did you mean {' or '.join(candidates[:_SUGGESTIONS])}? Use its id or path."
    return NotFoundError(name, remedy=remedy, candidates=candidates)


def _similar(name: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Paths whose stem is near the name, for a hint only."""
    import difflib  # noqa: PLC0415 - only when something was not found

    stems = {PurePosixPath(path).stem.casefold(): path for path in catalogue.entries}
    near = difflib.get_close_matches(PurePosixPath(name).name.casefold(), stems, n=3, cutoff=0.75)
    return tuple(stems[stem] for stem in near)
