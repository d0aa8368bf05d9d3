"""Which records a question may be answered from."""

from collections.abc import Callable
from datetime import datetime

from mnemos_files.model.note import Entry
from mnemos_files.model.query import Query

UNREADABLE = frozenset({"conflict-markers", "not-utf8", "binary"})
"""Problems of a file whose text must not be handed out as a memory."""


def keeper(query: Query) -> Callable[[Entry], bool]:
    """Rule for one query: scope, type, tags (all of them), importance, tier and liveness."""
    rules = [rule for wanted, rule in _rules(query) if wanted]
    at = query.as_of or query.now

    def keep(entry: Entry) -> bool:
        return _is_sound(entry) and _is_due(entry, query, at) and all(rule(entry) for rule in rules)

    return keep


def _rules(query: Query) -> list[tuple[bool, Callable[[Entry], bool]]]:
    tags = {tag.casefold() for tag in query.tags}
    return [
        (bool(query.type), lambda entry: entry.record.type == query.type),
        (bool(tags), lambda entry: tags <= {tag.casefold() for tag in entry.record.tags}),
        (query.min_importance > 0, lambda entry: entry.record.importance >= query.min_importance),
        (bool(query.agent), lambda entry: entry.record.agent == query.agent),
        (bool(query.project), lambda entry: entry.record.project in ("", query.project)),
        (not query.include_raw, lambda entry: entry.record.trust_tier != "raw"),
    ]


def _is_due(entry: Entry, query: Query, at: datetime) -> bool:
    return query.include_stale or entry.record.is_live(at)


def _is_sound(entry: Entry) -> bool:
    return not entry.problems or all(p.rule not in UNREADABLE for p in entry.problems)
