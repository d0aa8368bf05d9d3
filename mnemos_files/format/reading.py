"""A file of the vault as a note, whatever its bytes are. Pure."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from mnemos_files.format.body import split_body
from mnemos_files.format.faults import faults
from mnemos_files.format.fences import closed_fences, may_have_fences
from mnemos_files.format.fields import Fields, read_fields
from mnemos_files.format.flat import Value
from mnemos_files.format.front_matter import NOT_UTF8_REMEDY, as_list, read, split
from mnemos_files.format.inline_tags import find_tags
from mnemos_files.format.keys import LINK_KEYS, LINK_LIST_KEYS, TAG_KEYS, TEXT_KEYS, TIME_KEYS
from mnemos_files.format.links import is_link, link_target, links_in, without_code
from mnemos_files.format.paths import is_skill_path, stem
from mnemos_files.format.skill import skill_note
from mnemos_files.model.kind import KINDS
from mnemos_files.model.note import Note
from mnemos_files.model.problem import Problem
from mnemos_files.model.record import Record
from mnemos_files.model.ulid import is_ulid

_HEADING = re.compile(r"^#[ \t]+(\S.*)$", re.MULTILINE)
_SIGNS = re.compile(r"\[\[|\]\(|#[^\s#]")
"""Signs of a link or a tag; most texts have none."""

_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_LINK_VALUES = frozenset((*LINK_KEYS, *LINK_LIST_KEYS))
_PLAIN_KEYS = frozenset(("id", "type", "title", *TAG_KEYS, *TEXT_KEYS, *TIME_KEYS))


def parse(path: PurePosixPath, data: bytes) -> Note:
    """The note in this file; never raises, faults become problems.

    A file that is not UTF-8 has no content, but the keys that can be read.
    """
    try:
        return _note(path, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8 (byte {error.start}), so the text cannot be read"
        problem = Problem(str(path), line, "not-utf8", message, NOT_UTF8_REMEDY)
    text = data.decode("utf-8", "replace")
    parts = split(text)
    note = _note(path, text[: len(text) - len(parts.body)] if parts else "")
    return replace(note, problems=(problem,))


def _note(path: PurePosixPath, text: str) -> Note:
    if is_skill_path(path):
        return skill_note(path, text)
    name = str(path)
    front = read(text, name)
    values = front.values
    is_ours = is_record(name, values)
    fields = read_fields(values)
    body = front.lf_body
    known = fields.known
    if is_ours:
        kind = KINDS[str(known.get("type", "context"))]
        known["content"], known["sections"] = split_body(body, kind)
    else:
        known["content"] = body
        _keep_foreign_id(fields)
    known.setdefault("id", name)
    known.setdefault("type", "context")
    known["title"] = _title(known, path, body)
    prose = without_code(body) if _SIGNS.search(body) else ""
    bad = fields.bad if is_ours else [key for key in fields.bad if key in TIME_KEYS]
    return Note(
        path,
        Record(**known, properties=tuple(fields.properties)),  # type: ignore[arg-type]  # read_fields knows the types
        front.body,
        _outgoing(values, links_in(prose, name.rpartition("/")[0])),
        faults(front, text, name, bad),
        is_ours,
        find_tags(prose),
    )


def is_record(name: str, values: Mapping[str, Value]) -> bool:
    """True for a ULID, or for a type of ours in the folder of that type: a record of ours."""
    note_id, kind = values.get("id"), values.get("type")
    if isinstance(note_id, str) and is_ulid(note_id):
        return True
    return isinstance(kind, str) and kind in KINDS and name.startswith(f"{KINDS[kind].folder}/")


def _keep_foreign_id(fields: Fields) -> None:
    """Make the `id` of a person's own note a property: it need not be the only one of its kind."""
    note_id = fields.known.pop("id", None)
    if note_id is not None:
        fields.properties.insert(0, ("id", str(note_id)))


def _title(known: dict[str, object], path: PurePosixPath, body: str) -> str:
    """The title: from the key, else the first heading, else the name of the file.

    A record with an id of ours may have the empty title that its writer gave it.
    """
    title = known.get("title")
    if title or (title == "" and is_ulid(str(known["id"]))):
        return str(title)
    return _heading(body) or stem(path)


def _heading(body: str) -> str:
    """Text of the first `# ` heading outside of fenced code, or ""."""
    match = _HEADING.search(body)
    if match is None or not may_have_fences(body[: match.start()]):
        return _heading_text(match)
    lines = body.split("\n")
    fences = closed_fences(lines)
    index = 0
    while index < len(lines):
        heading = None if index in fences else _HEADING.fullmatch(lines[index])
        if heading is not None:
            return _heading_text(heading)
        index = fences.get(index, index) + 1
    return ""


def _heading_text(match: re.Match[str] | None) -> str:
    return _CLOSING.sub("", match[1].rstrip()).rstrip() if match else ""


def _outgoing(values: Mapping[str, Value], links: tuple[str, ...]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name, value in values.items():
        if name not in _PLAIN_KEYS:
            is_ours = name in _LINK_VALUES
            for text in as_list(name, value):
                if is_ours or ("[[" in text and is_link(text)):
                    found[link_target(text)] = None
    found.update(dict.fromkeys(links))
    found.pop("", None)
    return tuple(found)
