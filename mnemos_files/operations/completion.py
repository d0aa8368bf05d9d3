"""Completing what a person types: names and ids that the vault knows."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from mnemos_files.operations.shown import shown_name

if TYPE_CHECKING:  # not at run time: prompts are listed before the store is loaded
    from mnemos_files.model.note import Entry
    from mnemos_files.store.store import Store

SHOWN_MAX = 100
"""Values of one answer (the protocol's bound)."""

SESSIONS_MAX = 500
"""So many of the newest sessions are known."""


def projects(store: "Store") -> list[str]:
    """Projects that notes name, the most used first."""
    named = Counter(entry.record.project for entry in store.index.entries.values())
    named.pop("", None)
    return [name for name, _ in sorted(named.items(), key=lambda pair: (-pair[1], pair[0]))]


def session_ids(store: "Store") -> list[str]:
    """Ids of sessions, the newest first."""
    return [session.id for session in store.sessions.recent(limit=SESSIONS_MAX)]


def skill_names(store: "Store") -> list[str]:
    """Names of skills, the newest first, then their ids."""
    skills = [one for one in _newest(store) if one.record.type == "skill"]
    return [one.record.title for one in skills] + [one.record.id for one in skills]


def memory_ids(store: "Store") -> list[str]:
    """Ids of memories, the newest first, then the paths of all notes."""
    notes = _newest(store)
    ours = [one.record.id for one in notes if one.is_ours]
    return ours + [str(one.path) for one in notes]


ARGUMENTS: "Mapping[str, Callable[[Store], list[str]]]" = {
    "project": projects,
    "session": session_ids,
    "skill": skill_names,
    "id": memory_ids,
}
"""What is known for each argument that can be completed."""


def complete(store: "Store", argument: str, typed: str) -> list[str]:
    """Every known value of an argument that begins as typed, in any case; none for free text."""
    known = ARGUMENTS.get(argument)
    if known is None:
        return []
    store.refresh()
    return list(dict.fromkeys(_matching(known(store), typed.casefold())))


def offered(values: list[str]) -> list[str]:
    """The first values, as many as an answer holds, without those that are not fit to be shown."""
    return [value for value in values[:SHOWN_MAX] if shown_name(value) == value]


def _matching(values: Iterable[str], start: str) -> list[str]:
    return [value for value in values if value.casefold().startswith(start)]


def _newest(store: "Store") -> "list[Entry]":
    return sorted(store.index.entries.values(), key=_moment, reverse=True)


def _moment(entry: "Entry") -> tuple[str, str]:
    moment = entry.record.updated or entry.record.created
    return ("" if moment is None else moment.isoformat(), str(entry.path))
