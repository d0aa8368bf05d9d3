"""Skills of a vault into a pack."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mnemos_files.errors import AmbiguousNameError, InvalidQueryError
from mnemos_files.model.note import Entry
from mnemos_files.report.markdown import inline
from mnemos_files.report.pack import Pack, Packed, Source, about
from mnemos_files.safety.mask import mask
from mnemos_files.store.skills import OpenedSkill
from mnemos_files.store.store import Store

_OTHER_PARTS = ("trigger_context", "avoid", "do")
"""Parts that a pack has no field for: they become headings of the procedure."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A pack, and what a person should know of it."""

    pack: Pack
    notices: tuple[str, ...] = ()


def exported(
    store: Store, names: Sequence[str] = (), agent: str = "", source: Source | None = None
) -> Exported:
    """The skills with these names, ids or paths as a pack; without names all that are trusted.

    What looks like a secret is masked.

    Raises:
        InvalidQueryError: there is no skill to export.
        NotFoundError: no skill is called so.
        AmbiguousNameError: skills of several agents have one name.
    """
    entries = [store.skills.find(name, agent) for name in names] or _trusted(store, agent)
    opened = [store.skills.read(entry.path) for entry in dict.fromkeys(entries)]
    packed = [packed_skill(one) for one in opened]
    usable = [skill for skill in packed if skill.procedure.strip()]
    notices = [
        f"{inline(skill.name, 'import')} is left out: it has no procedure"
        for skill in packed
        if skill not in usable
    ]
    if not usable:
        remedy = "Save one first; quarantined ones are exported only by name."
        raise InvalidQueryError("names", "there is no skill to export", remedy=remedy)
    _check_distinct(usable, entries)
    masked = [_masked(skill) for skill in usable]
    if masked != usable:
        notices.append("what looked like a secret is masked")
    return Exported(Pack(tuple(masked), source or Source()), tuple(notices))


def packed_skill(opened: OpenedSkill) -> Packed:
    """The skill as a pack holds it; what stands above its parts and further parts go into one."""
    record = opened.note.record
    headings = {section.key: section.heading for section in record.kind.sections}
    others = [
        f"### {headings[key]}\n\n{text}" for key in _OTHER_PARTS if (text := record.section(key))
    ]
    parts = [opened.above, record.section("procedure"), *others]
    return Packed(
        name=record.title,
        description=record.content.strip(),
        procedure="\n\n".join(part.strip() for part in parts if part.strip()),
        pitfalls=record.section("pitfalls").strip(),
        tags=about(record.tags),
    )


def _trusted(store: Store, agent: str) -> list[Entry]:
    now = store.now()
    return [
        entry
        for entry in store.skills.all()
        if agent in ("", entry.record.agent)
        and entry.record.trust_tier != "raw"
        and entry.record.is_live(now)
    ]


def _check_distinct(skills: Sequence[Packed], entries: Sequence[Entry]) -> None:
    names = [skill.name for skill in skills]
    for name in names:
        if names.count(name) > 1:
            same = [str(entry.path) for entry in entries if entry.record.title == name]
            error = AmbiguousNameError(name, same)
            error.remedy = "Choose the skills of one agent with --agent."
            raise error


def _masked(skill: Packed) -> Packed:
    return replace(
        skill,
        name=mask(skill.name),
        description=mask(skill.description),
        procedure=mask(skill.procedure),
        pitfalls=mask(skill.pitfalls),
        tags=tuple(map(mask, skill.tags)),
    )
