"""Skill packs: skills in one JSON text, to be taken from vault to vault. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from mnemos_files.errors import InvalidQueryError
from mnemos_files.model.label import is_structural
from mnemos_files.model.skill import DESCRIPTION_MAX

VERSION = 1
SKILLS_MAX = 1_000
"""Skills [1] of one pack."""

NAME_MAX = 200
PART_MAX = 100_000
TAG_MAX = 100
TAGS_MAX = 100
"""Longest name, longest procedure or pitfalls, longest tag [characters], most tags [1]: those of
the tool that saves a skill."""

_REMEDY = "Look at docs/reports.md for what a pack holds; nothing was imported."
_PACK = frozenset({"version", "created_at", "source", "skills"})
_SOURCE = frozenset({"name", "url", "project"})
_SKILL = frozenset({"name", "description", "procedure", "pitfalls", "tags"})


@dataclass(frozen=True, slots=True)
class Packed:
    """A skill without what belongs to one vault: no id, no counts, no version, no sessions."""

    name: str
    description: str
    procedure: str
    pitfalls: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a pack comes from, as its maker says."""

    name: str = ""
    url: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True)
class Pack:
    """Skills and where they come from."""

    skills: tuple[Packed, ...]
    source: Source = Source()


def render(pack: Pack, created: datetime) -> str:
    """The pack as indented JSON, empty fields left out."""
    source = {key: getattr(pack.source, key) for key in ("name", "url", "project")}
    value = {
        "version": VERSION,
        "created_at": created.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "source": {key: text for key, text in source.items() if text},
        "skills": [_row(skill) for skill in pack.skills],
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def about(tags: Iterable[str]) -> tuple[str, ...]:
    """The tags, each once, that say what a skill is about, not where it came from."""
    return tuple(dict.fromkeys(tag for tag in tags if not is_structural(tag.strip().lower())))


def parse(text: str) -> Pack:
    """The pack that a JSON text is.

    Raises:
        InvalidQueryError: it is no pack of version 1, has an unknown or a repeated field, no
            skill, two of one name, or one without name or procedure.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique)
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # no half of a character in it
    except _RepeatedError as error:
        raise _bad(f"the field {error} stands twice") from error
    except (ValueError, RecursionError) as error:
        raise _bad("is not JSON") from error
    pack = _object(value, "", _PACK)
    version = pack.get("version")
    if type(version) is not int or version != VERSION:
        raise _bad(f"version must be {VERSION}")
    _check_time(pack.get("created_at"))
    rows = pack.get("skills")
    if not isinstance(rows, list) or not rows:
        raise _bad("holds no skills")
    if len(rows) > SKILLS_MAX:
        raise _bad(f"holds more than {SKILLS_MAX} skills")
    skills = tuple(_skill(row, f"skills[{number}]") for number, row in enumerate(rows))
    _check_names(skills)
    return Pack(skills, _source(pack.get("source")))


class _RepeatedError(Exception):
    """A field stands twice in an object."""


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _RepeatedError(repr(key))
        found[key] = value
    return found


def _row(skill: Packed) -> dict[str, object]:
    row: dict[str, object] = {
        "name": skill.name,
        "description": skill.description,
        "procedure": skill.procedure,
    }
    if skill.pitfalls:
        row["pitfalls"] = skill.pitfalls
    if skill.tags:
        row["tags"] = list(skill.tags)
    return row


def _skill(row: object, where: str) -> Packed:
    fields = _object(row, where, _SKILL)
    texts = {key: _text(fields, key, where) for key in _SKILL - {"tags"}}
    for key in ("name", "procedure"):
        if not texts[key].strip():
            raise _bad(f"{where}.{key} is empty")
    name = texts["name"].strip()
    if not name.isprintable():
        raise _bad(f"{where}.name must be one line of text")
    # A skill must say what it is for; its name is better than nothing.
    description = texts["description"].strip() or name
    skill = Packed(name, description, texts["procedure"], texts["pitfalls"], _tags(fields, where))
    _check_lengths(skill, where)
    return skill


def _tags(fields: Mapping[str, Any], where: str) -> tuple[str, ...]:
    """Tags as every save keeps them: without blanks around and `#` before them, each once.

    Those that say where a skill came from in its own vault would lie in another one.
    """
    tags = fields.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise _bad(f"{where}.tags must be a list of texts")
    clean = (tag.strip().lstrip("#") for tag in tags)
    return about(tag for tag in clean if tag)


def _check_lengths(skill: Packed, where: str) -> None:
    limits = (
        ("name", len(skill.name), NAME_MAX),
        ("description", len(skill.description), DESCRIPTION_MAX),
        ("procedure", len(skill.procedure), PART_MAX),
        ("pitfalls", len(skill.pitfalls), PART_MAX),
        ("tags", len(skill.tags), TAGS_MAX),
        ("tags", max(map(len, skill.tags), default=0), TAG_MAX),
    )
    for key, length, limit in limits:
        if length > limit:
            raise _bad(f"{where}.{key} is longer than {limit}")


def _source(value: object) -> Source:
    if value is None:
        return Source()
    fields = _object(value, "source", _SOURCE)
    return Source(**{key: _text(fields, key, "source") for key in _SOURCE})


def _object(value: object, where: str, known: frozenset[str]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _bad(f"{where or 'the pack'} must be an object")
    unknown = sorted(value.keys() - known)
    if unknown:
        place = f"{where}." if where else ""
        raise _bad(f"unknown field {place}{unknown[0][:60]!r}")
    return value


def _text(fields: Mapping[str, Any], key: str, where: str) -> str:
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise _bad(f"{where}.{key} must be text")
    return value or ""


def _check_time(value: object) -> None:
    try:
        if value is not None:
            datetime.fromisoformat(value)  # type: ignore[arg-type]  # another type is an error too
    except (ValueError, TypeError) as error:
        raise _bad("created_at is not a time") from error


def _check_names(skills: Sequence[Packed]) -> None:
    names = [skill.name for skill in skills]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise _bad(f"skills[{number}].name: {name[:60]!r} stands twice")


def _bad(problem: str) -> InvalidQueryError:
    return InvalidQueryError("pack", problem, remedy=_REMEDY)
