"""Front matter keys that an edit sets or takes out, and those that it must leave alone."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mnemos_files.errors import InvalidRecordError, RefusedError
from mnemos_files.format.fields import read_fields
from mnemos_files.format.flat import Value
from mnemos_files.model.kind import SAVED_TYPES
from mnemos_files.model.record import Record
from mnemos_files.model.skill import SESSIONS_KEY, TEXT_KEY, VERSION_KEY

KEY_MAX = 100
"""Longest key [characters]."""

_OURS = "It is written by mnemos-files alone."
_PROMOTE = "Use mnemos_promote, which keeps the reason."
_INVALIDATE = "Use mnemos_invalidate, or mnemos_restore to take it back."
_TAGS = "Use add_tags and remove_tags."
_JUDGED = "Use mnemos_ruminate_resolve or mnemos_ruminate_dismiss."
_SESSION = "Use mnemos_session_end."
_SKILL = (
    "The folder and the version of a skill are kept by mnemos-files; content is its description."
)

KEPT: Mapping[str, str] = {
    **dict.fromkeys(("id", "created", "updated", "agent", "session"), _OURS),
    **dict.fromkeys(("source_kind", "derived_from", "flags", "personal"), _OURS),
    **dict.fromkeys(("trust_tier", "promoted_reason"), _PROMOTE),
    **dict.fromkeys(("invalidated", "invalidated_by", "invalidated_reason"), _INVALIDATE),
    **dict.fromkeys(("tags", "tag"), _TAGS),
}
"""Keys that no edit sets, with what to do instead."""

_KEPT_OF: Mapping[str, Mapping[str, str]] = {
    "session": dict.fromkeys(("status", "ended", "outcome_tags"), _SESSION),
    "rumination": dict.fromkeys(
        (
            *("monitor", "target", "target_id", "target_kind", "severity", "reason", "evidence"),
            *("status", "evidence_digest", "resolved_by", "judged", "judged_evidence", "raised"),
        ),
        _JUDGED,
    ),
    "skill": dict.fromkeys(
        ("name", "description", "metadata", VERSION_KEY, TEXT_KEY, SESSIONS_KEY), _SKILL
    ),
}
_STAYS: Mapping[str, str] = {
    "title": "Set another title instead.",
    "type": "Set another type instead.",
}
_LINKED = "Use mnemos_link, which also ends what is superseded."
_KEY = re.compile(r"[^\s:#\[\]{},'\"&*!|>%@`?-][^\n\r:]*")
_EXPECTED: Mapping[str, str] = {
    "type": f"is none of {', '.join(SAVED_TYPES)}",
    "importance": "must be a whole number 1..10",
}


def check_keys(record: Record, assigned: Iterable[str], unset: Sequence[str]) -> None:
    """Let pass keys that an edit of this record may touch.

    Raises:
        RefusedError: rule `kept-key`; the error names the key.
        InvalidRecordError: a name can be no key, or is there twice.
    """
    names = (*assigned, *unset)
    kept = {**KEPT, **_KEPT_OF.get(record.type, {})}
    for name in names:
        if names.count(name) > 1:
            raise InvalidRecordError(name, "is there twice", remedy="Give each key once.")
        if len(name) > KEY_MAX or not _KEY.fullmatch(name):
            raise InvalidRecordError("set", f"{name[:KEY_MAX]!r} cannot be the name of a property")
        if name in kept:
            raise _refused(name, kept[name])
        if name in unset and name in _STAYS:
            raise _refused(name, _STAYS[name])
        if name == "supersedes" and name not in unset:
            raise _refused(name, _LINKED)


def assign(record: Record, pairs: Sequence[tuple[str, Value]]) -> Record:
    """The record with other values of keys; `type` is left to the caller.

    A text for a property that holds a list becomes a list of one, so that its type stays.

    Raises:
        InvalidRecordError: a value is not of the type of its key.
    """
    fields = read_fields({name: value for name, value in pairs if name != "type"})
    if fields.bad:
        name = fields.bad[0]
        raise InvalidRecordError(name, _EXPECTED.get(name, "must be a time like 2026-12-01"))
    properties = dict(record.properties)
    for name, value in fields.properties:
        is_list = isinstance(properties.get(name), tuple)
        properties[name] = (value,) if is_list and isinstance(value, str) else value
    after = replace(record, **fields.known, properties=tuple(properties.items()))  # type: ignore[arg-type]  # read_fields knows the types
    begin, end = after.valid_from, after.valid_until
    if begin and end and end <= begin and (begin, end) != (record.valid_from, record.valid_until):
        raise InvalidRecordError("valid_until", "is not after valid_from")
    return after


def type_of(pairs: Sequence[tuple[str, Value]]) -> str:
    """The type that is set, "" when none is.

    Raises:
        InvalidRecordError: it is none that a save takes.
    """
    kind = dict(pairs).get("type", "")
    if kind and kind not in SAVED_TYPES:
        raise InvalidRecordError("type", _EXPECTED["type"])
    return str(kind)


def _refused(name: str, remedy: str) -> RefusedError:
    return RefusedError("kept-key", f"{name} is not changed by an edit", remedy=remedy)
