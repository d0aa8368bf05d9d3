"""Pairs of memories that say nearly the same, with how their texts relate."""

import json
from dataclasses import astuple
from datetime import datetime
from hashlib import sha256

from mnemos_files.model.likeness import Difference, Likeness, likeness, relation
from mnemos_files.model.note import Entry
from mnemos_files.model.record import LINK_TYPES, Record
from mnemos_files.rumination.facts import TEXT, Alike, Memory
from mnemos_files.store.near import NearPair, near_pairs
from mnemos_files.store.store import Store

JUDGE = "likeness-1"
"""Raised whenever two texts would relate otherwise."""

QUOTED_MAX = 240
"""Characters of a sentence that are kept."""

DIGEST_DIGITS = 12


def alike(store: Store, now: datetime) -> list[Alike]:
    """Live pairs of one project that can be linked or that differ in a value, the likest first."""
    return [_alike(store, pair) for pair in near_pairs(store, now, JUDGE, _verdict)]


def _verdict(older: Record, newer: Record) -> str:
    found = likeness(older, newer)
    if not relation(found):
        return ""
    other = found.difference
    quoted = other and [other.kind, other.older[:QUOTED_MAX], other.newer[:QUOTED_MAX]]
    return json.dumps([*astuple(found)[:3], quoted])


def _alike(store: Store, pair: NearPair) -> Alike:
    known, new, shared, quoted = json.loads(pair.verdict)
    difference = Difference(*quoted) if quoted else None
    texts = f"{pair.older.digest} {pair.newer.digest}"
    return Alike(
        older=Memory(pair.older.record, pair.older.path),
        newer=Memory(pair.newer.record, pair.newer.path),
        likeness=Likeness(known, new, shared, difference),
        links=_links(store, pair.older, pair.newer) | _links(store, pair.newer, pair.older),
        digest=sha256(texts.encode("ascii")).hexdigest()[:DIGEST_DIGITS],
    )


def _links(store: Store, source: Entry, target: Entry) -> frozenset[str]:
    """Types of the links that lead from one to the other, also those that may mean another note."""
    path = str(target.path)
    named = {
        link: kind for kind in (*LINK_TYPES, "derived_from") for link in source.record.links(kind)
    }
    links = {*source.outgoing, *named}
    return frozenset(named.get(link, TEXT) for link in links if path in store.resolve(link))
