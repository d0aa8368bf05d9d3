"""Memories whose time is over are deleted; the history keeps them."""

from datetime import datetime

from mnemos_files.dream.proposal import Deed, Proposal, Scene
from mnemos_files.model.note import Entry
from mnemos_files.report.moments import expired_at
from mnemos_files.store.edits import Drop


def expiry(scene: Scene) -> Proposal:
    """The end of every record of ours whose `expires` has come."""
    ended = scene.store.index.ended(scene.now)
    deeds = [
        _deed(entry, end) for entry in ended if (end := expired_at(entry, scene.now)) is not None
    ]
    fresh, undone = scene.new(deeds)
    noun = "memory" if len(fresh) == 1 else "memories"
    return Proposal(f"expire(memory): {len(fresh)} {noun} past the end", fresh, undone=undone)


def _deed(entry: Entry, end: datetime) -> Deed:
    record = entry.record
    line = f"{record.title or entry.path} ({entry.path}) expired {end:%Y-%m-%d}"
    return Deed(f"expire:{record.id}:{end:%Y-%m-%dT%H:%M:%SZ}", line, (Drop(str(entry.path)),))
