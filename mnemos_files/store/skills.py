"""Skills: found by agent and name, each save a new version of the same file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.errors import AmbiguousNameError, NotFoundError, RefusedError
from mnemos_files.format.paths import agent_folder, is_skill_path, skill_path
from mnemos_files.format.record import parse, render, update
from mnemos_files.format.skill import split_skill
from mnemos_files.index.index import Index
from mnemos_files.model.digest import content_digest
from mnemos_files.model.note import Entry, Note
from mnemos_files.model.record import Record
from mnemos_files.model.skill import SESSIONS_KEY, TEXT_DIGITS, TEXT_KEY, VERSION_KEY, version
from mnemos_files.store.guard import marked
from mnemos_files.store.message import message
from mnemos_files.store.plans import AGENT_DEFAULT
from mnemos_files.store.writer import Draft, Plan, Planned, Receipt
from mnemos_files.vault.files import Vault

_PARTS = ("procedure", "pitfalls")
"""Parts that a save replaces; the others are those of a skill that was made from corrections."""

_WHOLE = ("dream", "import")
"""Sources whose skills come with all their parts."""


@dataclass(frozen=True, slots=True)
class SkillParts:
    """What skills are made of: `refresh` looks at the disk, `run` carries out plans."""

    vault: Vault
    index: Index
    refresh: Callable[[], int]
    run: Callable[[Plan], Receipt]
    clock: Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class SavedSkill:
    """A version of a skill that is in the vault; `was_own`: the file was a person's own before."""

    record: Record
    path: PurePosixPath
    version: int
    was_own: bool
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a skill as it shall be written; `was_own` as for a `SavedSkill`."""

    record: Record
    path: PurePosixPath
    data: bytes
    number: int
    was_own: bool


@dataclass(frozen=True, slots=True)
class OpenedSkill:
    """A skill read from its file; `above` is what a person wrote above its parts."""

    note: Note
    above: str
    version: int


class Skills:
    """The skills of one vault, as one agent uses them. Thread-safe."""

    def __init__(self, parts: SkillParts, agent: str = AGENT_DEFAULT) -> None:
        self._parts = parts
        self._agent = agent

    def acting_for(self, agent: str) -> "Skills":
        """The same skills, whose commits name this agent where a save names none."""
        return Skills(self._parts, agent)

    def save(self, record: Record, *, body: str = "") -> SavedSkill:
        """Write the skill in one commit: a new one, or the next version of the same name.

        A skill of the same agent and name gets the description, procedure, pitfalls, tags and
        source sessions of this record; its id and all else in its file stay. It holds again if it
        was invalidated. `body` says why.

        Raises:
            InvalidRecordError: a text cannot be stored.
            AmbiguousNameError: several files hold the skill, none of them in its usual place.
            CorruptError: the skill's file cannot be changed safely.
            RefusedError, ConflictError, UnavailableError: writing is not possible now, or the text
                holds a secret.
        """
        done: list[Version] = []

        def plan(draft: Draft) -> Planned:
            made = self.next_version(record, draft)
            done.append(made)
            who = self._agent if made.record.agent == AGENT_DEFAULT else made.record.agent
            text = f"{body.strip()}\n\nversion {made.number}".strip()
            commit = message("save", [made.record], agent=who or AGENT_DEFAULT, body=text)
            return Planned({made.path: made.data}, commit)

        self._parts.refresh()
        receipt = self._parts.run(plan)
        made = done[-1]
        return SavedSkill(made.record, made.path, made.number, made.was_own, receipt)

    def next_version(self, record: Record, draft: Draft) -> Version:
        """What `save` would write on top of the draft.

        A skill that a dream made (`source_kind`) gets all its parts, its sources and its properties
        from the record; one that is imported its parts, its source and its tier.

        Raises:
            AmbiguousNameError, CorruptError, RefusedError, InvalidRecordError: as for `save`.
        """
        note = self._existing(record, draft)
        number = 1 if note is None else version(note.record, content_digest(note.record)) + 1
        after = self._after(record, note, number)
        if note is None:
            path = self._free_path(record, draft)
            return Version(after, path, render(after, path), number, was_own=False)
        data = update(draft.read(note.path), note, after)
        return Version(after, note.path, data, number, was_own=not note.is_ours)

    def all(self) -> list[Entry]:
        """Every skill, also a person's own, by path, after a look at what moved on disk."""
        self._parts.refresh()
        entries = self._parts.index.entries
        return [entries[path] for path in sorted(self._paths())]

    def read(self, path: PurePosixPath) -> OpenedSkill:
        """One skill from its file.

        Raises:
            NotFoundError: there is no such file.
        """
        data, _ = self._parts.vault.read(path)
        note = parse(path, data)
        above, _ = split_skill(note.body.replace("\r\n", "\n"))
        return OpenedSkill(note, above, version(note.record, content_digest(note.record)))

    def find(self, name: str, agent: str = "") -> Entry:
        """The one skill with this id, path or exact name; `agent` chooses among equal names.

        Where none is called so, the name of the folder counts: clients that load the folder know
        the skill by it.

        Raises:
            NotFoundError: no skill is called so.
            AmbiguousNameError: several agents have a skill of this name.
        """
        known = self.all()
        named = [
            entry
            for entry in known
            if name in (entry.record.id, entry.record.title, str(entry.path))
        ] or [entry for entry in known if entry.path.parent.name == name]
        named = [entry for entry in named if agent and entry.record.agent == agent] or named
        if len(named) > 1:
            raise AmbiguousNameError(name, [entry.record.id for entry in named])
        if not named:
            error = NotFoundError(name, remedy="Use the id or name that mnemos_skill_match gives.")
            error.message = f"no skill is called {name!r}"
            error.args = (error.message,)
            raise error
        return named[0]

    def _paths(self) -> list[str]:
        ours = [path for path in self._parts.index.entries if path.endswith("/SKILL.md")]
        return [path for path in ours if is_skill_path(PurePosixPath(path))]

    def _existing(self, record: Record, draft: Draft) -> Note | None:
        """The skill of the same agent and name, as the draft has it."""
        usual = [skill_path(record), skill_path(record, distinct=True)]
        entries = self._parts.index.entries
        known = [path for path in self._paths() if _is_same(entries[path].record, record)]
        looked = [
            _read(path, draft) for path in dict.fromkeys([*usual, *map(PurePosixPath, known)])
        ]
        found = [note for note in looked if note is not None and _has_key(note, record)]
        if len(found) > 1 and found[0].path not in usual:
            raise AmbiguousNameError(record.title, [str(note.path) for note in found])
        return found[0] if found else None

    def _free_path(self, record: Record, draft: Draft) -> PurePosixPath:
        for path in (skill_path(record), skill_path(record, distinct=True)):
            if self._parts.vault.is_note(path) and draft.look(path) is None:
                return path
        raise RefusedError(
            "path",
            f"{skill_path(record).parent} cannot hold the skill: it is taken, or ignored",
            remedy="Give the skill another name, or look at ignore in the settings.",
        )

    def _after(self, record: Record, note: Note | None, number: int) -> Record:
        """The record as it shall be: the new text in what is there already."""
        if note is None:
            after = record
        else:
            old = note.record
            is_dream = record.source_kind == "dream"
            is_whole = record.source_kind in _WHOLE
            after = replace(
                old,
                id=old.id if note.is_ours else record.id,
                agent=record.agent,
                content=record.content,
                sections=record.sections if is_whole else _merged(old, record),
                tags=record.tags,
                derived_from=record.derived_from if is_dream else old.derived_from,
                properties=record.properties if is_dream else old.properties,
                created=old.created or record.created,
                updated=record.updated or self._parts.clock().replace(microsecond=0),
                valid_until=None,
                invalidated=None,
                invalidated_by="",
                invalidated_reason="",
            )
            if record.source_kind == "import":
                # What was believed of the older text does not hold for a stranger's.
                after = replace(
                    after,
                    source_kind="import",
                    trust_tier=record.trust_tier,
                    promoted_reason="",
                )
        sessions = dict(record.properties).get(SESSIONS_KEY, ())
        changes = {
            VERSION_KEY: str(number),
            SESSIONS_KEY: sessions,
            TEXT_KEY: content_digest(after)[:TEXT_DIGITS],
        }
        return marked(replace(after, properties=_with(after.properties, changes)))


def numbered(record: Record, number: int) -> Record:
    """The record as this version of a skill, with the digest of its text."""
    changes = {VERSION_KEY: str(number), TEXT_KEY: content_digest(record)[:TEXT_DIGITS]}
    return replace(record, properties=_with(record.properties, changes))


def _read(path: PurePosixPath, draft: Draft) -> Note | None:
    data = draft.look(path)
    return None if data is None else parse(path, data)


def _is_same(one: Record, other: Record) -> bool:
    return one.title == other.title and one.agent == other.agent


def _has_key(note: Note, record: Record) -> bool:
    """True for the skill of this agent and name; a person's own has the name of a folder for it."""
    if note.is_ours:
        return _is_same(note.record, record)
    return note.record.title == record.title and note.record.agent in (
        record.agent,
        agent_folder(record.agent),
    )


def _merged(old: Record, new: Record) -> tuple[tuple[str, str], ...]:
    parts = {**dict(old.sections), **{key: new.section(key) for key in _PARTS}}
    keys = [section.key for section in old.kind.sections]
    return tuple((key, parts[key]) for key in keys if parts.get(key))


def _with(
    properties: tuple[tuple[str, str | tuple[str, ...]], ...],
    changes: Mapping[str, str | tuple[str, ...]],
) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    """Properties with other values; an empty one is left out."""
    merged = {**dict(properties), **changes}
    return tuple((key, value) for key, value in merged.items() if value or key not in changes)
