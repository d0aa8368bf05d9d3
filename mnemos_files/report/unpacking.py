"""The skills of a pack into a vault."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mnemos_files.errors import InvalidRecordError, MnemosError
from mnemos_files.model.note import Entry
from mnemos_files.model.record import Record
from mnemos_files.report.markdown import inline
from mnemos_files.report.pack import Pack, Packed
from mnemos_files.report.packing import packed_skill
from mnemos_files.store.edits import SaveSkill, Work
from mnemos_files.store.store import Store

QUARANTINED = "imported skills are raw: no search and no context shows them until you promote them"

AGENT_MAX = 100
"""Longest name of an agent [characters], as the tools take it."""


@dataclass(frozen=True)
class ImportedSkill:
    """What became of one skill of a pack: `status` is created, updated or unchanged.

    `flags` are the rules of the scan that its text met.
    """

    name: str
    status: str
    id: str
    version: int
    path: str
    trust_tier: str
    flags: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Imported:
    """What became of a pack; `commit` is "" when nothing was new."""

    skills: list[ImportedSkill]
    commit: str
    message: str
    notices: list[str] = field(default_factory=list)


def imported(store: Store, pack: Pack, agent: str) -> Imported:
    """The pack's skills as those of an agent, all in one commit: new, or a version by their name.

    They are quarantined, also where an older version was trusted. A skill that says the same
    already stays as it is.

    Raises:
        InvalidRecordError: a text cannot be stored, or the agent is no name of one.
        RefusedError: a text holds a secret; nothing is written.
        ConflictError, UnavailableError, CorruptError: writing is not possible now.
    """
    _check_agent(agent)
    olds = _by_name(store, agent)
    new = [skill for skill in pack.skills if not _is_there(store, olds.get(skill.name), skill)]
    commit, notices = "", []
    if new:
        work = Work(
            op="import",
            subject=_subject(new),
            edits=[SaveSkill(_record(store, skill, agent)) for skill in new],
            body=_body(pack),
            agent=agent,
        )
        receipt = store.edits.commit(work)
        told = [_of_trust(olds[skill.name]) for skill in new if skill.name in olds]
        commit, notices = receipt.commit, [*receipt.notices, *filter(None, told), QUARANTINED]
    names = {skill.name for skill in new}
    statuses = {
        skill.name: ("updated" if skill.name in olds else "created")
        if skill.name in names
        else "unchanged"
        for skill in pack.skills
    }
    news = _by_name(store, agent)
    rows = [_row(store, news[name], status) for name, status in statuses.items() if name in news]
    counts = Counter(statuses.values())
    message = ", ".join(f"{count} {status}" for status, count in counts.items())
    return Imported(rows, commit, message, notices)


def _check_agent(agent: str) -> None:
    if not agent.isprintable() or len(agent) > AGENT_MAX:
        problem = f"must be one line of at most {AGENT_MAX} characters"
        raise InvalidRecordError("agent", problem, remedy="Give a name like claude-code.")


def _by_name(store: Store, agent: str) -> Mapping[str, Entry]:
    """The skills of one agent."""
    mine = [entry for entry in store.skills.all() if entry.record.agent == agent]
    return {entry.record.title: entry for entry in reversed(mine)}


def _is_there(store: Store, old: Entry | None, skill: Packed) -> bool:
    """True when the vault's skill, as it holds now, would be packed just so."""
    if old is None or not old.record.is_live(store.now()):
        return False
    try:
        there = packed_skill(store.skills.read(old.path))
    except MnemosError:
        return False
    return there == replace(
        skill, procedure=skill.procedure.strip(), pitfalls=skill.pitfalls.strip()
    )


def _record(store: Store, skill: Packed, agent: str) -> Record:
    parts = (("procedure", skill.procedure), ("pitfalls", skill.pitfalls))
    return store.fresh(
        Record(
            id="",
            type="skill",
            title=skill.name,
            content=skill.description,
            sections=tuple((key, text) for key, text in parts if text.strip()),
            tags=skill.tags,
            agent=agent,
            source_kind="import",
            trust_tier="raw",
        )
    )


def _subject(skills: Sequence[Packed]) -> str:
    said = inline(skills[0].name, "import") if len(skills) == 1 else f"{len(skills)} skills"
    return f"import(skill): {said}"


def _body(pack: Pack) -> str:
    """Where the pack says that it comes from."""
    source = pack.source
    named = (("source", source.name), ("url", source.url), ("project", source.project))
    return "\n".join(f"{key}: {inline(text, 'import')}" for key, text in named if text.strip())


def _of_trust(old: Entry) -> str:
    """A fact about a skill that was the vault's own, and trusted, before; "" for any other."""
    if old.record.trust_tier == "raw":
        return ""
    name = inline(old.record.title, "import")
    return f"{name} was trusted before; its new text is not (git has the old one)"


def _row(store: Store, entry: Entry, status: str) -> ImportedSkill:
    opened = store.skills.read(entry.path)
    record = opened.note.record
    return ImportedSkill(
        name=inline(record.title, "import"),
        status=status,
        id=inline(record.id, "import"),
        version=opened.version,
        path=str(entry.path),
        trust_tier=record.trust_tier,
        flags=list(record.flags),
    )
