"""Memories that deserve a second thought are raised as files, and answered ones are closed."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import PurePosixPath

from mnemos_files.dream.proposal import Deed, Proposal, Scene
from mnemos_files.format.record import parse
from mnemos_files.model.candidate import Candidate, from_record
from mnemos_files.model.record import Record
from mnemos_files.rumination.closing import auto_resolved
from mnemos_files.rumination.detect import detect
from mnemos_files.store.edits import Add, Change

DIGEST_DIGITS = 12


def detection(scene: Scene) -> Proposal:
    """New candidates, those raised again, and those whose reason is gone."""
    if not scene.store.settings.rumination:
        return Proposal()
    found = detect(scene.store, was_undone=lambda each: _key(each) in scene.deeds)
    added = [_added(add) for add in found.adds]
    fresh, undone = scene.new(added)
    changed, changes_undone = _changes(found.changes, scene)
    faults = tuple(f"{one.monitor}: {one.message}" for one in found.failed)
    subject = f"ruminate(rumination): {len(fresh)} new, {len(changed)} changed"
    return Proposal(subject, (*fresh, *changed), (), (*undone, *changes_undone), faults)


def resolution(scene: Scene) -> Proposal:
    """The end of candidates that a memory answers by its tag."""
    if not scene.store.settings.rumination:
        return Proposal()
    done, undone = _changes(auto_resolved(scene.store), scene)
    return Proposal(f"resolve(rumination): {len(done)} answered", done, undone=undone)


def _added(add: Add) -> Deed:
    return Deed(_key(from_record(add.record)), f"{add.record.title}: new", (add,))


def _key(candidate: Candidate) -> str:
    return f"raise:{candidate.id}:{candidate.count}"


def _changes(changes: Iterable[Change], scene: Scene) -> tuple[tuple[Deed, ...], tuple[str, ...]]:
    """Changes of files as deeds, and lines for those that a person has undone.

    A change may come, be followed by another, and rightly come again: it was undone only if it is
    the last one of its file.
    """
    last: dict[str, tuple[datetime, str]] = {}
    for key, at in scene.deeds.items():
        subject, _, digest = key.rpartition(":")
        last[subject] = max((at, digest), last.get(subject, (at, "")))
    fresh, undone = [], []
    for deed in _deeds(changes, scene):
        subject, _, digest = deed.key.rpartition(":")
        if subject in last and last[subject][1] == digest:
            undone.append(deed.line)
        else:
            fresh.append(deed)
    return tuple(fresh), tuple(undone)


def _deeds(changes: Iterable[Change], scene: Scene) -> Iterator[Deed]:
    for change in changes:
        path = PurePosixPath(change.name)
        note = parse(path, scene.store.place.vault.read(path)[0])
        after = change.to(note)
        if after != note.record:
            name = note.record.title or str(path)
            key = f"change:{note.record.id}:{_digest(note.record, after)}"
            yield Deed(key, f"{name}: {_verb(note.record, after)}", (change,))


def _digest(before: Record, after: Record) -> str:
    """Digest of a change without its times: the same change another day is the same."""
    said = [(one.status, one.facts, one.resolved_by) for one in map(from_record, (before, after))]
    return sha256(repr(said).encode("utf-8", "replace")).hexdigest()[:DIGEST_DIGITS]


def _verb(before: Record, after: Record) -> str:
    old, new = from_record(before).status, from_record(after).status
    if old == new:
        return "other evidence"
    return "raised again" if new == "pending" else new
