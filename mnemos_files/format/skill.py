"""The file `SKILL.md` of an Agent Skill as a note. Pure.

Clients of agents load such folders as they are, so nothing of ours stands at the top level: the
title is `name`, the content `description`, all else is text below `metadata:`.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple
from unicodedata import normalize

from mnemos_files.format.block import Block, read_block
from mnemos_files.format.body import Sections, split_body
from mnemos_files.format.contradiction import SKILL_PREFIX
from mnemos_files.format.faults import faults
from mnemos_files.format.flat import Value
from mnemos_files.format.front_matter import FrontMatter, as_list, read, split
from mnemos_files.format.keys import LINK_KEYS, LINK_LIST_KEYS
from mnemos_files.format.links import find_links, is_link, link_target
from mnemos_files.format.nested import read_levels
from mnemos_files.format.paths import SKILL, SKILL_NAME_MAX, is_skill_name
from mnemos_files.format.skill_fields import METADATA, field_values, file_key, read_metadata
from mnemos_files.model.kind import KINDS
from mnemos_files.model.note import Note
from mnemos_files.model.problem import Problem
from mnemos_files.model.record import Record
from mnemos_files.model.skill import DESCRIPTION_MAX, SESSIONS_KEY
from mnemos_files.model.ulid import is_ulid

RULE = "skill-invalid"
KIND = KINDS[SKILL]
_PROCEDURE = "procedure"
_NO_BLOCK = Block({}, {})
_AGENT_PLACE = 1
_DEPTH = 4  # skills / agent / name / SKILL.md


class SkillText(NamedTuple):
    """A file in its parts: `front` has the keys at the top, `nested` those below `metadata:`."""

    front: FrontMatter
    nested: Block

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Faults of the block, with lines of the file."""
        return (*self.front.problems, *self.nested.problems)


def read_skill(text: str, path: str) -> SkillText:
    """Keys of both levels; what cannot be read becomes a problem, never an error."""
    parts = split(text)
    if parts is not None:
        levels = read_levels(parts.block.replace("\r\n", "\n"), METADATA, path)
        if levels is not None:
            outer = FrontMatter(parts, levels.outer, levels.outer.problems)
            return SkillText(outer, levels.nested)
    front = read(text, path)
    return SkillText(front, _below(front, path))


def _below(front: FrontMatter, path: str) -> Block:
    """Keys below `metadata:` in a block that is not simple, or broken."""
    value = front.values.get(METADATA, "")
    block = read_block(value, path) if isinstance(value, str) and value[:1] != "{" else None
    if block is None or block.is_broken:
        return _NO_BLOCK
    line = front.block.lines.get(METADATA, 0)
    return Block(block.values, dict.fromkeys(block.values, line), doubled=block.doubled)


def split_skill(body: str) -> tuple[str, Sections]:
    """What stands above the first part, and the parts; a text without parts is the procedure."""
    above, sections = split_body(body, KIND)
    if sections or not above.strip():
        return above, sections
    return "", ((_PROCEDURE, above.strip("\n")),)


def skill_note(path: PurePosixPath, text: str) -> Note:
    """The note in the file of a skill; without an id of ours it is a person's own."""
    shape = read_skill(text, str(path))
    outer = shape.front.values
    fields = read_metadata(shape.nested.values)
    known = fields.known
    is_ours = is_ulid(str(known.get("id", "")))
    if not is_ours:
        known["id"] = str(path)
        known.setdefault("agent", _agent_of(path))
    known.setdefault("title", _text(outer.get("name", "")) or path.parent.name)
    body = shape.front.lf_body
    content = _text(outer.get("description", ""))
    properties = _properties(outer, fields.properties)
    record = Record(
        **known,  # type: ignore[arg-type]  # read_fields knows the types
        type=SKILL,
        content=content,
        sections=split_skill(body)[1],
        properties=properties,
    )
    problems = _problems(shape, text, path, fields.bad)
    outgoing = _outgoing(record, body, str(path.parent))
    return Note(path, record, shape.front.body, outgoing, problems, is_ours)


def _agent_of(path: PurePosixPath) -> str:
    return path.parts[_AGENT_PLACE] if len(path.parts) >= _DEPTH else ""


def _text(value: Value) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _properties(
    outer: Mapping[str, Value], below: list[tuple[str, Value]]
) -> tuple[tuple[str, Value], ...]:
    """Keys that fill no field, those at the top first; one of the same name below is left out."""
    ours = ("name", "description", METADATA)
    found = {key: value for key, value in outer.items() if key not in ours}
    return (*found.items(), *((key, value) for key, value in below if key not in found))


def _outgoing(record: Record, body: str, folder: str) -> tuple[str, ...]:
    found = [target for key in LINK_KEYS if (target := getattr(record, key))]
    found += [target for key in LINK_LIST_KEYS for target in record.links(key)]
    for key, value in record.properties:
        texts = as_list("", value)
        found += [link_target(text) for text in texts if key == SESSIONS_KEY or is_link(text)]
    found += [*find_links(record.content, folder), *find_links(body, folder)]
    return tuple(dict.fromkeys(target for target in found if target))


def _problems(
    shape: SkillText, text: str, path: PurePosixPath, bad: list[str]
) -> tuple[Problem, ...]:
    lines = {field: shape.nested.lines[file_key(field)] for field in bad}
    lines |= {key: line for key, line in shape.nested.lines.items() if key.startswith(SKILL_PREFIX)}
    fields = Block(field_values(shape.nested.values), lines)
    found = faults(FrontMatter(shape.front.split, fields, shape.problems), text, str(path), bad)
    if shape.front.block.is_broken:
        return found
    return tuple(sorted((*found, *_unloadable(shape, path)), key=lambda problem: problem.line))


def _unloadable(shape: SkillText, path: PurePosixPath) -> Iterator[Problem]:
    """Why a client would not load the skill (Agent Skills specification)."""
    values = shape.front.values
    name = _text(values.get("name", ""))
    description = _text(values.get("description", ""))
    if not name.strip():
        yield _fault(shape, path, "name", "has no name", f"Write name: {path.parent.name}")
    elif not is_skill_name(name):
        remedy = f"Use lower-case letters, digits and single -, at most {SKILL_NAME_MAX}."
        yield _fault(shape, path, "name", f"cannot be called {name[:SKILL_NAME_MAX]!r}", remedy)
    elif normalize("NFKC", name) != normalize("NFKC", path.parent.name):
        message = f"is called {name} and lies in the folder {path.parent.name}"
        yield _fault(shape, path, "name", message, "Give both the same name.")
    if not description.strip():
        remedy = "Write in description: what it does and when to use it."
        yield _fault(shape, path, "description", "has no description", remedy)
    elif len(description) > DESCRIPTION_MAX:
        message = f"has a description of {len(description)} characters"
        yield _fault(shape, path, "description", message, f"Cut it to {DESCRIPTION_MAX}.")
    if values.get(METADATA) and not shape.nested.values:
        remedy = "Write each key of metadata on a line of its own, indented."
        yield _fault(shape, path, METADATA, "has metadata that cannot be read", remedy)


def _fault(shape: SkillText, path: PurePosixPath, key: str, message: str, remedy: str) -> Problem:
    line = shape.front.block.lines.get(key, 1)
    return Problem(str(path), line, RULE, f"the skill {message}", remedy)
