"""A change, read like an editor."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from mnemos_files.format.links import link_target
from mnemos_files.review import rules
from mnemos_files.review.alike import similar
from mnemos_files.review.kinds import kinds_of
from mnemos_files.review.pairs import Pair, pairs
from mnemos_files.review.scene import Scene
from mnemos_files.review.shown import body, differences, one_line
from mnemos_files.review.values import Author, MemoryChange, Named, Review
from mnemos_files.store.changeset import ChangeSet

SHORT = 10
"""Hex digits [1] of a commit's id that are shown."""


def review(change: ChangeSet, now: datetime) -> Review:
    """What a change does to the memories of the vault, and what is wrong with it.

    Raises:
        UnavailableError: the history cannot be read.
    """
    bare = Scene(change, pairs(change.files), now)
    scene = replace(bare, similar=similar(bare))
    others = [file for file in change.files if not file.is_note]
    found = [finding for file in others for finding in rules.of_file(scene, file)]
    return Review(
        label=one_line(change.span.label),
        folder=change.prefix,
        base=change.span.base[:SHORT],
        head=change.span.head[:SHORT] if change.span.end == "commit" else "",
        memories=tuple(_memory(scene, pair) for pair in scene.pairs),
        other_findings=tuple(found),
        other_files=len(others),
    )


def _memory(scene: Scene, pair: Pair) -> MemoryChange:
    record = pair.side.record
    source = dict(record.properties).get("source", "")
    return MemoryChange(
        id=one_line(record.id),
        path=pair.path,
        before_path=pair.before_path,
        type=record.type,
        title=one_line(record.title) or pair.side.note.path.stem,
        project=one_line(record.project),
        kinds=kinds_of(pair),
        authors=tuple(map(_author, pair.authors)),
        commits=tuple(revision.commit[:SHORT] for revision in pair.revisions),
        agent=one_line(record.agent),
        session=one_line(link_target(record.session)),
        source_kind=record.source_kind,
        source=one_line(source if isinstance(source, str) else ", ".join(source)),
        trust_tier_before=pair.before.record.trust_tier if pair.before else "",
        trust_tier=pair.after.record.trust_tier if pair.after else "",
        supersedes=_named(scene, record.supersedes),
        superseded_by=_named(scene, filter(None, [record.invalidated_by])),
        contradicts=_named(scene, record.contradicts),
        derived_from=_named(scene, record.derived_from),
        text=body(pair.side),
        differences=differences(pair),
        similar=scene.similar.get(pair.path, ()),
        findings=rules.of_memory(scene, pair),
    )


def _author(author: Author) -> Author:
    name, session = one_line(author.name), one_line(link_target(author.session))
    return Author(name, author.is_agent, session)


def _named(scene: Scene, links: Iterable[str]) -> tuple[Named, ...]:
    found = []
    for link in links:
        entries = scene.targets(link)
        if len(entries) == 1:
            found.append(Named(one_line(entries[0].record.title), str(entries[0].path)))
        else:
            found.append(Named(one_line(link), ""))
    return tuple(found)
