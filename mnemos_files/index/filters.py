"""Which notes a question may be answered from, decided on columns before anything is ranked."""

from collections.abc import Callable

import numpy as np

from mnemos_files.index.part import Mask
from mnemos_files.index.row import UNKNOWN, Column, microseconds, name_key, tag_bits, with_groups
from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query
from mnemos_files.model.record import TRUST_TIERS

RAW = TRUST_TIERS.index("raw")
"""The number of the quarantined tier in the column `tier`."""


def allowed(column: Column, query: Query) -> Mask:
    """True for the notes in scope: readable, of the type, agent, project, tier and time asked for.

    A project means its own notes and the global ones. Kinds that have tools of their own are in
    scope only when the query names them.
    """
    kept: Mask = column("hidden") == 0
    if query.type:
        kept &= column("type") == np.uint64(name_key(query.type))
    else:
        kept &= column("apart") == 0
    if query.min_importance > 0:
        kept &= column("importance") >= query.min_importance
    if query.agent:
        kept &= column("agent") == np.uint64(name_key(query.agent))
    if query.project:
        kept &= (column("project") == 0) | (column("project") == np.uint64(name_key(query.project)))
    if not query.include_raw:
        kept &= column("tier") != RAW
    if not query.include_stale:
        kept &= held(column, query)
    return kept


def held(column: Column, query: Query) -> Mask:
    """True for the notes that hold at the time asked for, as the vault that is asked knows it.

    `as_of` is what a question without times would have got then: it looks at ends only. `valid_at`
    looks at beginnings, too, and leaves out what was found to have held at no time.
    """
    moment = microseconds(query.valid_at or query.as_of or query.now)
    kept: Mask = column("ends") > moment
    if query.valid_at is not None:
        created, stated = column("created"), column("from")
        made = np.where(created == 0, UNKNOWN, created)
        kept &= np.where(stated == UNKNOWN, made, stated) <= moment
        kept &= column("wrong") > microseconds(query.past or query.now)
    return kept


def may_have_tags(column: Column, query: Query) -> Mask:
    """False for notes that surely lack a tag of the query; `tag_rule` decides on the others."""
    wanted = np.uint64(tag_bits(query.tags))
    found: Mask = (column("tags") & wanted) == wanted
    return found


def tag_rule(query: Query) -> Callable[[Entry], bool] | None:
    """The test for all tags of the query, whatever their case; None when it asks for none.

    `a/` asks for the tag `a` or one below it.
    """
    wanted = {tag.casefold() for tag in query.tags}
    if not wanted:
        return None
    return lambda entry: wanted <= {tag.casefold() for tag in with_groups(entry.record.tags)}
