"""A skill as a new file, and as changes of one that is there. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from mnemos_files.errors import CorruptError, InvalidRecordError
from mnemos_files.format.block import Block, read_block
from mnemos_files.format.body import join_body, render_body
from mnemos_files.format.flat import Value
from mnemos_files.format.front_matter import (
    check_editable,
    check_single,
    decode,
    with_block,
    with_body,
)
from mnemos_files.format.nested import take_out, without_rule
from mnemos_files.format.paths import skill_name
from mnemos_files.format.rewrite import rewrite_block
from mnemos_files.format.scalar import check_text
from mnemos_files.format.skill import SkillText, read_skill, split_skill
from mnemos_files.format.skill_fields import (
    METADATA,
    TOP_KEYS,
    as_text,
    is_list,
    split_words,
    written_fields,
)
from mnemos_files.format.spelling import ITEM_INDENT, Written, key_rows
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record

Changes = Mapping[str, Written | None]
_ENDING = "\n"


def render_skill(record: Record, path: PurePosixPath | None) -> bytes:
    """The file of a new skill; one at this path is called like its folder.

    Raises:
        InvalidRecordError: a text that no file can hold, a part that a skill has not, or a
            property named like a key of ours.
    """
    name = skill_name(record.title) if path is None else path.parent.name
    fields = written_fields(record, name)
    _check_properties(record, fields)
    top: dict[str, Written] = {"name": name, "description": record.content}
    for key, value in record.properties:
        (top if key in TOP_KEYS else fields)[key] = value
    rows = _new_rows(top)
    if fields:
        indented = (ITEM_INDENT + row for row in _new_rows(fields))
        rows += [f"{METADATA}:{_ENDING}", *indented]
    return f"---\n{''.join(rows)}---\n{_body('', record)}".encode()


def _check_properties(record: Record, fields: Mapping[str, Written]) -> None:
    names = [name for name, _ in record.properties]
    for name in names:
        if names.count(name) > 1 or name in fields:
            raise InvalidRecordError("properties", f"{name} is a key of ours or there twice")


def _new_rows(values: Mapping[str, Written]) -> list[str]:
    rows = []
    for key, value in values.items():
        _check_value(key, value)
        rows += key_rows(key, as_text(key, value), _ENDING)
    return [without_rule(row) for row in rows]


def _check_value(key: str, value: Written | None) -> None:
    for text in (key, *(value if isinstance(value, tuple) else (str(value),))):
        check_text(key, text)


def _body(above: str, record: Record) -> str:
    """As `_body_of`, for a record whose parts are checked."""
    render_body(replace(record, content=above))
    return _body_of(above, record)


def _body_of(above: str, record: Record) -> str:
    """The parts below what a person wrote above them."""
    text = join_body(replace(record, content=above))
    return text if above else text.removeprefix("\n\n")


def update_skill(data: bytes, before: Note, after: Record) -> bytes:
    """The file with what differs between the two: lines of single keys, and the parts if they do.

    A person's own skill gets the keys of ours.

    Raises:
        CorruptError: the file cannot be changed safely.
        InvalidRecordError: the new record holds what no file can.
    """
    path = str(before.path)
    text = decode(data, path)
    shape = read_skill(text, path)
    check_editable(shape.front, text, path)
    outer, nested = _changes(shape, before, after)
    changed = _edited(shape, outer, nested, path) if outer or nested else text
    above, _ = split_skill(shape.front.lf_body)
    old, new = _body_of(above, before.record), _body(above, after)
    return changed.encode() if old == new else with_body(changed.encode(), new)


def edit_levels(data: bytes, outer: Changes, nested: Changes, path: str) -> bytes:
    """The file with these keys changed at the top and below `metadata:`, None taking one out.

    Raises:
        CorruptError: the file cannot be changed safely.
        InvalidRecordError: a value that no file can hold.
    """
    if not outer and not nested:
        return data
    text = decode(data, path)
    shape = read_skill(text, path)
    check_editable(shape.front, text, path)
    present = shape.nested.values
    texts = {key: _as_present(key, value, present.get(key)) for key, value in nested.items()}
    return _edited(shape, outer, texts, path).encode()


def _changes(
    shape: SkillText, before: Note, after: Record
) -> tuple[dict[str, Written | None], dict[str, Written | None]]:
    """Keys to change at the top, and below `metadata:`."""
    present = shape.nested.values
    outer: dict[str, Written | None] = {}
    if before.record.content != after.content:
        outer["description"] = after.content
    name = str(shape.front.values.get("name") or before.path.parent.name)
    old, new = written_fields(before.record, name), written_fields(after, name)
    if not before.is_ours:
        old = {key: value for key, value in old.items() if key in present}
    nested: dict[str, Written | None] = {}
    for key in {**old, **new}:
        if old.get(key) != new.get(key):
            nested[key] = new.get(key)
    mine, theirs = dict(before.record.properties), dict(after.properties)
    for key in {**mine, **theirs}:
        if mine.get(key) != theirs.get(key):
            is_top = key in shape.front.values or (key in TOP_KEYS and key not in present)
            (outer if is_top else nested)[key] = theirs.get(key)
    return outer, {key: _as_present(key, nested[key], present.get(key)) for key in nested}


def _as_present(key: str, value: Written | None, present: Value | None) -> Written | None:
    """A list of ours as a list where a person has made it one, else as one text."""
    if value is None or isinstance(present, tuple):
        return value
    return as_text(key, value)


def _edited(shape: SkillText, outer: Changes, nested: Changes, path: str) -> str:
    """The text with other keys; the body stays."""
    check_single(shape.front.block, outer, path)
    check_single(shape.nested, nested, path)
    for key, value in (*outer.items(), *nested.items()):
        _check_value(key, value)
    parts = with_block(shape.front.split)
    block = _rewritten(parts.block, shape.front.block, outer, parts.newline)
    if nested:
        block = _with_metadata(block, nested, parts.newline, path)
    changed = f"{parts.head}{block}{parts.fence}{parts.body}"
    if not _is_as_wanted(shape, read_skill(changed, path), outer, nested):
        remedy = "Write the keys in the simple form `key: value`, then try again."
        raise CorruptError(path, 1, "a key cannot be changed in place", remedy=remedy)
    return changed


def _rewritten(text: str, keys: Block, changes: Changes, newline: str) -> str:
    if not changes:
        return text
    known = set(text.split("\n"))
    rows = rewrite_block(text, keys, changes, newline).split("\n")
    return "\n".join(row if row in known else without_rule(row) for row in rows)


def _with_metadata(block: str, changes: Changes, newline: str, path: str) -> str:
    parts = take_out(block, METADATA)
    if parts is None and read_skill(f"---\n{block}---\n", path).front.values.get(METADATA) is None:
        parts = take_out(f"{block}{METADATA}:{newline}", METADATA)
    inner = None if parts is None else read_block(parts.inner.replace("\r\n", "\n")[:-1], path)
    if parts is None or inner is None:
        problem = "metadata is written in a form that cannot be changed in place"
        remedy = "Write each key of it on a line of its own, indented by two blanks."
        raise CorruptError(path, 1, problem, remedy=remedy)
    return replace(parts, inner=_rewritten(parts.inner, inner, changes, newline)).joined()


def _is_as_wanted(before: SkillText, after: SkillText, outer: Changes, nested: Changes) -> bool:
    """True when a reader finds the wanted values, and every other key and the body as before."""
    return (
        not after.front.block.is_broken
        and after.front.body == before.front.body
        and _kept(before.front.block, outer) == _kept(after.front.block, outer)
        and _kept(before.nested, nested) == _kept(after.nested, nested)
        and all(_says(after.front.block, key, value) for key, value in outer.items())
        and all(_says(after.nested, key, value) for key, value in nested.items())
    )


def _kept(block: Block, changes: Changes) -> dict[str, Value]:
    left = {*changes, METADATA}
    return {key: value for key, value in block.values.items() if key not in left}


def _says(block: Block, key: str, value: Written | None) -> bool:
    present = block.values.get(key)
    if present is None or value is None:
        return present is value
    if isinstance(value, tuple) and isinstance(present, str):
        return is_list(key) and split_words(present) == value
    return present == value
