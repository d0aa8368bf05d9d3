"""The bytes of a note after an edit. Pure, but for the ids and times that are given."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.errors import InvalidRecordError, RefusedError
from mnemos_files.format import sections
from mnemos_files.format.append import tidy
from mnemos_files.format.fields import write_fields
from mnemos_files.format.front_matter import decode, edit, read
from mnemos_files.format.outline import PART, outline
from mnemos_files.format.paths import SKILL, is_skill_path
from mnemos_files.format.record import parse, update
from mnemos_files.model.digest import content_digest
from mnemos_files.model.edit import NoteEdit
from mnemos_files.model.kind import KINDS, PLAIN, Kind
from mnemos_files.model.needs import lack
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.model.skill import version
from mnemos_files.model.ulid import is_ulid
from mnemos_files.store.assigning import assign, check_keys, type_of
from mnemos_files.store.guard import marked
from mnemos_files.store.skills import numbered

_TRUSTED = ("user", "dream")
"""Sources whose notes are curated; what else becomes a memory is raw."""


@dataclass(frozen=True, slots=True)
class Amender:
    """Carries out edits on bytes, at one moment."""

    now: datetime
    make_id: Callable[[datetime], str]

    def amended(self, data: bytes, path: PurePosixPath, change: NoteEdit) -> bytes:
        """The file after the edit; the same bytes when it says so already.

        Raises:
            InvalidRecordError: a value cannot be, or the memory would lack what its kind needs.
            RefusedError: a key is not for edits, or the type cannot change.
            CorruptError: the file cannot be changed safely.
        """
        note = parse(path, data)
        check_keys(note.record, (name for name, _ in change.assign), change.unset)
        changed = _with_text(data, note, change)
        changed = _with_keys(changed, path, change)
        changed = _without_keys(changed, path, change.unset)
        changed = self._typed(changed, path, type_of(change.assign))
        if changed == data:
            return data
        fault = lack(parse(path, changed).record) if parse(path, changed).is_ours else ""
        if fault and not (note.is_ours and fault == lack(note.record)):
            raise InvalidRecordError("content", fault, remedy="Give it, or leave what is there.")
        return self._finished(changed, note)

    def _typed(self, data: bytes, path: PurePosixPath, kind: str) -> bytes:
        """The file with another type; a note of the person's own becomes a memory by it."""
        note = parse(path, data)
        if not kind or (note.is_ours and note.record.type == kind):
            return data
        _check_type(note, kind)
        if note.is_ours:
            return edit(data, {"type": kind}, str(path))
        record = note.record
        is_trusted = record.source_kind in _TRUSTED
        after = replace(
            record,
            id=self.make_id(self.now),
            type=kind,
            created=record.created or self.now.replace(microsecond=0),
            trust_tier=record.trust_tier if is_trusted else "raw",
        )
        written = write_fields(after)
        present = read(decode(data, str(path)), str(path)).values
        needed = {"created", *KINDS[kind].always} - present.keys() | {"id", "type", "trust_tier"}
        return edit(data, {key: written[key] for key in written if key in needed}, str(path))

    def _finished(self, data: bytes, before: Note) -> bytes:
        """A memory of ours with what we keep of an edit: its time, flags and version."""
        note = parse(before.path, data)
        if not note.is_ours:
            return data
        after = note.record
        if before.is_ours:
            after = replace(after, updated=self.now.replace(microsecond=0))
        if after.type == SKILL:
            number = version(before.record, content_digest(before.record)) + 1
            after = numbered(after, number)
        return update(data, note, marked(after))


def kind_of(note: Note) -> Kind:
    """The kind whose parts a file has; one without parts for a person's own."""
    return note.record.kind if note.is_ours or is_skill_path(note.path) else PLAIN


def _check_type(note: Note, kind: str) -> None:
    """Let pass a type that the note can get.

    Raises:
        RefusedError: rule `type`.
    """
    record = note.record
    foreign = dict(record.properties).get("id")
    problem = ""
    if is_skill_path(note.path) or (note.is_ours and not record.kind.is_saved):
        problem = f"a {record.type} stays a {record.type}"
    elif note.is_ours and not is_ulid(record.id) and KINDS[kind].folder != record.kind.folder:
        problem = f"{note.path} has no id and is a memory by its folder, so its type stays"
    elif not note.is_ours and foreign is not None:
        problem = f"{note.path} has an id of its own, {foreign!r}, where a memory has ours"
    if problem:
        raise RefusedError("type", problem, remedy="Save a memory of that type instead.")


def _with_text(data: bytes, note: Note, change: NoteEdit) -> bytes:
    if change.content:
        data = _with_content(data, note, change)
    if change.append:
        body = sections.open_body(data, kind_of(note), str(note.path))
        if change.section:
            name = change.section
            return sections.add_to_section(body, name, change.append, create=change.create)
        if not body.kind.is_saved:
            keys = ", ".join(section.key for section in body.kind.sections)
            problem = f"is needed: text is added to one part of a {body.kind.name}"
            raise InvalidRecordError("section", problem, remedy=f"Use one of {keys}.")
        return sections.add_text(body, change.append)
    return data


def _with_content(data: bytes, note: Note, change: NoteEdit) -> bytes:
    path, kind = str(note.path), kind_of(note)
    body = sections.open_body(data, kind, path)
    if change.section:
        return sections.set_section(body, change.section, change.content, create=change.create)
    if kind is PLAIN or (kind.name != SKILL and not note.record.content.strip()):
        return sections.set_body(body, change.content)
    text = tidy(change.content)
    parts = [
        place for place in outline(text, _told_apart(kind, note.record)) if place.level == PART
    ]
    for place in parts:
        body = sections.open_body(data, kind, path)
        (section,) = (each for each in kind.sections if each.heading == place.heading)
        data = sections.set_part(body, section, text[place.text : place.end])
    content = tidy(text[: parts[0].start] if parts else text)
    if not content.strip():
        return data
    if kind.name == SKILL:
        fresh = parse(note.path, data)
        return update(data, fresh, replace(fresh.record, content=content))
    return sections.set_content(sections.open_body(data, kind, path), content)


def _told_apart(kind: Kind, record: Record) -> Kind:
    """The kind without the parts whose headings are text in the content.

    A reader was given the content without the backslash that the file has before such a line.
    """
    rows = record.content.split("\n")
    kept = [section for section in kind.sections if f"## {section.heading}" not in rows]
    return replace(kind, sections=tuple(kept))


def _with_keys(data: bytes, path: PurePosixPath, change: NoteEdit) -> bytes:
    note = parse(path, data)
    after = replace(
        note.record,
        title=change.title or note.record.title,
        tags=_tags(note.record.tags, change.add_tags, change.remove_tags),
    )
    after = assign(after, change.assign)
    return data if after == note.record else update(data, note, after)


def _without_keys(data: bytes, path: PurePosixPath, names: tuple[str, ...]) -> bytes:
    if not names:
        return data
    if not is_skill_path(path):
        return edit(data, dict.fromkeys(names), str(path))
    note = parse(path, data)
    kept = tuple((key, value) for key, value in note.record.properties if key not in names)
    plain = Record(id="", type=SKILL, title="", content="")
    fields = {name: getattr(plain, name) for name in names if name in write_fields(note.record)}
    after = replace(note.record, properties=kept, **fields)
    return data if after == note.record else update(data, note, after)


def _tags(
    present: tuple[str, ...], add: tuple[str, ...], remove: tuple[str, ...]
) -> tuple[str, ...]:
    """Tags after the change; upper and lower case are one, as in Obsidian."""
    gone = {tag.casefold() for tag in remove}
    kept = [tag for tag in present if tag.casefold() not in gone]
    known = {tag.casefold() for tag in kept}
    return (*kept, *(tag for tag in add if tag.casefold() not in known))
