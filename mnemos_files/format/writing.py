"""A record as a new file, and as changes of one that is there. Pure."""

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from mnemos_files.errors import InvalidRecordError
from mnemos_files.format.body import join_body, render_body
from mnemos_files.format.fields import clean_tag, write_fields
from mnemos_files.format.flat import Value
from mnemos_files.format.front_matter import as_list, decode, edit, read, with_body
from mnemos_files.format.keys import KEYS, LINK_LIST_KEYS, TAG_KEYS
from mnemos_files.format.links import link_target, write_link
from mnemos_files.format.paths import SKILL, is_skill_path
from mnemos_files.format.scalar import check_text
from mnemos_files.format.skill_writing import render_skill, update_skill
from mnemos_files.format.spelling import Written, key_rows
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record

_DEFAULT = Record(id="", type="context", title="", content="")
_ENDING = "\n"


def render(record: Record, path: PurePosixPath | None = None) -> bytes:
    """The file of a new record, UTF-8 with LF line ends; the same record gives the same bytes.

    `path` is where it will lie, when that is not `path_for(record)`: a skill is called like its
    folder.

    Raises:
        InvalidRecordError: a text that no file can hold, a part that the kind has not, or a
            property named like a key of ours.
    """
    if record.type == SKILL:
        return render_skill(record, path)
    rows = []
    for name, value in {**_known(record), **dict(record.properties)}.items():
        for text in (name, *(value if isinstance(value, tuple) else (str(value),))):
            check_text(name, text)
        rows += key_rows(name, value, _ENDING)
    return f"---\n{''.join(rows)}---\n{render_body(record)}".encode()


def _known(record: Record) -> dict[str, Written]:
    """Keys of ours for a new file.

    A property may have the name of one whose field is at its default: the text of a bad value.
    """
    written = write_fields(record)
    names = [name for name, _ in record.properties]
    for name in names:
        is_free = name in KEYS and getattr(record, name) == getattr(_DEFAULT, name)
        if names.count(name) > 1 or (name in (*KEYS, *TAG_KEYS) and not is_free):
            raise InvalidRecordError("properties", f"{name} is a key of ours or there twice")
        written.pop(name, None)
    return written


def update(data: bytes, before: Note, after: Record) -> bytes:
    """The file with what differs between the two: lines of single keys, and the text if it does.

    Links and tags that stay keep their spelling in the file.

    Raises:
        CorruptError: the file cannot be changed safely; see `front_matter.edit`.
        InvalidRecordError: the new record holds what no file can, or a skill would become another
            type.
    """
    if before.record.type != after.type and SKILL in (before.record.type, after.type):
        raise InvalidRecordError("type", "a skill stays a skill, and nothing else becomes one")
    if is_skill_path(before.path):
        return update_skill(data, before, after)
    path = str(before.path)
    changes = _changes(data, before, after)
    changed = edit(data, changes, path)
    if before.is_ours:
        old, new = join_body(before.record), render_body(after)
    else:
        old, new = before.record.content, after.content
        check_text("content", new)
    return changed if old == new else with_body(changed, new)


def add_links(data: bytes, path: PurePosixPath, link_type: str, targets: Iterable[str]) -> bytes:
    """The file with these links added to one list of links; those that are there are not repeated.

    Raises:
        CorruptError: the file cannot be changed safely; see `front_matter.edit`.
    """
    present = as_list(link_type, read(decode(data, str(path))).values.get(link_type, ""))
    known = {link_target(text) for text in present}
    added = [write_link(target) for target in dict.fromkeys(targets) if target not in known]
    return edit(data, {link_type: (*present, *added)}, str(path)) if added else data


def _changes(data: bytes, before: Note, after: Record) -> dict[str, Written | None]:
    old, new = write_fields(before.record), write_fields(after)
    changes: dict[str, Written | None] = {
        name: new.get(name) for name in KEYS if old.get(name) != new.get(name)
    }
    mine, theirs = dict(before.record.properties), dict(after.properties)
    for name in {**mine, **theirs}:
        if name not in changes and mine.get(name) != theirs.get(name):
            changes[name] = theirs.get(name)
    values = read(decode(data, str(before.path))).values
    for name, normal in _NORMAL.items():
        wanted = changes.get(name)
        if isinstance(wanted, tuple):
            changes[name] = _spelled(as_list(name, values.get(name, "")), wanted, normal)
    if "tags" in changes and "tag" in values:
        changes["tag"] = None
    return changes


def _spelled(
    present: tuple[str, ...], wanted: tuple[str, ...], normal: Callable[[str], str]
) -> tuple[str, ...]:
    """Wanted items, each as it is spelled in the file already if it is there."""
    known: dict[str, Value] = {normal(text): text for text in reversed(present)}
    return tuple(str(known.get(normal(text), text)) for text in wanted)


_NORMAL: dict[str, Callable[[str], str]] = {
    "tags": clean_tag,
    **dict.fromkeys(LINK_LIST_KEYS, link_target),
}
