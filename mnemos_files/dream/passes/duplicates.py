"""Links between memories that say nearly the same: nothing is replaced or deleted."""

from collections import Counter

from mnemos_files.dream.proposal import Deed, Proposal, Scene
from mnemos_files.model.likeness import relation
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.rumination.facts import Alike
from mnemos_files.rumination.pairs import alike
from mnemos_files.store.edits import Change
from mnemos_files.store.names import link_name
from mnemos_files.store.store import Store

LINKS_PER_RECORD = 3
"""Links [1] that a record gets: to those that are the most like it."""

LINKS_PER_RUN = 100
"""Links [1] of one dream: a commit that a person can still read. The next one goes on."""


def duplicates(scene: Scene) -> Proposal:
    """A link from the newer to the older of each near pair that has none in any direction."""
    made = Counter[str]()
    deeds = []
    for pair in alike(scene.store, scene.now):
        newer = pair.newer.record
        given = max(made[newer.id], len(newer.related) + len(newer.refines))
        if pair.links or given >= LINKS_PER_RECORD:
            continue
        made[newer.id] = given + 1
        deeds.append(_deed(pair, scene.store))
    fresh, undone = scene.new(deeds)
    chosen, left = fresh[:LINKS_PER_RUN], len(fresh) - LINKS_PER_RUN
    held = (f"{left} more links, at most {LINKS_PER_RUN} at a time",) if left > 0 else ()
    noun = "link to an older one" if len(chosen) == 1 else "links to older ones"
    return Proposal(f"link(memory): {len(chosen)} {noun}", chosen, held, undone)


def _deed(pair: Alike, store: Store) -> Deed:
    older, newer, kind = pair.older, pair.newer, relation(pair.likeness)
    link = link_name(str(older.path), store.index)

    def linked(note: Note) -> Record:
        return note.record if link in note.record.links(kind) else note.record.linked(kind, link)

    line = f"{newer.record.title or newer.path}: {kind} {older.record.title or older.path}"
    key = f"link:{newer.record.id}:{older.record.id}:{pair.digest}"
    return Deed(key, line, (Change(str(newer.path), linked),))
