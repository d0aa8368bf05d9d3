"""Corrections that came again become skills, and skills that were made from them grow."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from mnemos_files.dream.corrections import (
    MEMBERS_KEY,
    ORIGIN_KEY,
    Found,
    Skills,
    corrections,
    lesson,
    skills,
)
from mnemos_files.dream.lesson import Draft, draft, merged, sections
from mnemos_files.dream.promotion import Cluster, clusters, not_yet, too_few
from mnemos_files.dream.proposal import Deed, Proposal, Scene
from mnemos_files.model.digest import content_digest
from mnemos_files.model.label import ORIGIN, PROJECT, PROMOTED
from mnemos_files.model.note import Entry, Note
from mnemos_files.model.record import Record
from mnemos_files.model.skill import SESSIONS_KEY, TEXT_KEY
from mnemos_files.model.ulid import make_ulid
from mnemos_files.safety.mask import mask
from mnemos_files.store.edits import SaveSkill
from mnemos_files.store.store import Store

AGENT = "dream"
REPORTED_MIN = 2
"""Corrections [1] of a group from which it is worth a line why it is no skill yet."""


def promotion(scene: Scene) -> Proposal:
    """New skills from groups of corrections, and new versions where a group has changed."""
    found = corrections(scene.store, scene.now)
    known = skills(scene.store, scene.now)
    deeds, held = [], list(found.left_out)
    for cluster in clusters(found.corrections, known.by_origin.keys()):
        skill = known.by_origin.get(cluster.origin)
        if skill is not None and _members(skill.record) == cluster.digest:
            continue
        if why := _why_not(cluster, skill, known, scene):
            held += [f"{cluster.name}: {why}"] if len(cluster.members) >= REPORTED_MIN else []
        elif record := _record(cluster, skill, found, scene):
            key = f"promote:{cluster.origin}:{cluster.digest}"
            deeds.append(Deed(key, _line(cluster, skill), (SaveSkill(record),)))
    fresh, undone = scene.new(deeds)
    noun = "skill" if len(fresh) == 1 else "skills"
    subject = f"promote(skill): {len(fresh)} {noun} from corrections"
    return Proposal(subject, fresh, tuple(held), undone)


def _why_not(cluster: Cluster, skill: Entry | None, known: Skills, scene: Scene) -> str:
    """Why nothing becomes of a group now, "" when a skill does."""
    if skill is None:
        is_taken = (cluster.agent, _title(cluster)) in known.names
        return not_yet(cluster) or (f"another skill is called {_title(cluster)}" * is_taken)
    if not skill.record.is_live(scene.now):
        return f"the skill {skill.record.title} does not hold any more"
    return too_few(cluster)


def _line(cluster: Cluster, skill: Entry | None) -> str:
    count = f"{len(cluster.members)} corrections"
    if skill is None:
        return f"{_title(cluster)}: a new skill from {count}"
    return f"{skill.record.title}: a new version from {count}"


def _record(cluster: Cluster, skill: Entry | None, found: Found, scene: Scene) -> Record | None:
    """The skill as it shall be, None when it says all that already."""
    made = _draft(cluster, [one.id for one in cluster.members], found, scene.store)
    if skill is None:
        return _with_source(_new(cluster, made, scene), cluster, scene)
    note = scene.store.skills.read(skill.path).note
    before = _draft(cluster, note.record.derived_from, found, scene.store)
    after = _with_source(_grown(note, before, made), cluster, scene)
    return None if _says(note.record) == _says(after) else after


def _says(record: Record) -> tuple[object, ...]:
    """What makes a version: its text and where it comes from."""
    sessions = dict(record.properties).get(SESSIONS_KEY, ())
    return record.content, record.sections, record.derived_from, sessions


def _draft(cluster: Cluster, ids: Sequence[str], found: Found, store: Store) -> Draft:
    entries = [found.entries[each] for each in ids if each in found.entries]
    return draft(mask(cluster.about), cluster.project, [lesson(store, entry) for entry in entries])


def _new(cluster: Cluster, made: Draft, scene: Scene) -> Record:
    chance = sha256(f"{cluster.origin} {cluster.digest}".encode()).digest()
    project = (f"{PROJECT}{cluster.project}",) if cluster.project else ()
    return Record(
        id=make_ulid(scene.now, chance),
        type="skill",
        title=_title(cluster),
        content=made.description,
        sections=sections(made),
        tags=(PROMOTED, f"{ORIGIN}{cluster.origin}", *project),
        agent=cluster.agent,
        created=scene.now.replace(microsecond=0),
        source_kind="dream",
    )


def _grown(note: Note, before: Draft, made: Draft) -> Record:
    """The skill with what is new; what a person has changed in it stays."""
    record = note.record
    if not _is_edited(record):
        return replace(record, content=made.description, sections=sections(made))
    order = [section.key for section in record.kind.sections]
    present = (record.content, dict(record.sections))
    content, parts = merged(present, before, made, order)
    return replace(record, content=content, sections=parts)


def _with_source(record: Record, cluster: Cluster, scene: Scene) -> Record:
    """The record with where it comes from."""
    sessions = tuple(dict.fromkeys(one.session for one in cluster.members if one.session))
    properties = dict(record.properties)
    properties |= {ORIGIN_KEY: cluster.origin, MEMBERS_KEY: cluster.digest}
    properties[SESSIONS_KEY] = sessions
    return replace(
        record,
        source_kind="dream",
        derived_from=tuple(one.id for one in cluster.members),
        updated=scene.now.replace(microsecond=0),
        properties=tuple((key, value) for key, value in properties.items() if value),
    )


def _title(cluster: Cluster) -> str:
    return f"auto: {cluster.name}"


def _members(record: Record) -> str:
    value = dict(record.properties).get(MEMBERS_KEY, "")
    return value if isinstance(value, str) else ""


def _is_edited(record: Record) -> bool:
    """True when the text is not the one that was saved last."""
    saved = dict(record.properties).get(TEXT_KEY)
    return not (isinstance(saved, str) and saved and content_digest(record).startswith(saved))
