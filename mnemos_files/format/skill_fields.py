"""Fields of a skill as texts below `metadata:`, and back. Pure.

The Agent Skills specification allows texts only there, so a list is one text.
"""

import json
from collections.abc import Mapping

from mnemos_files.format.fields import Fields, read_fields, write_fields
from mnemos_files.format.flat import Value
from mnemos_files.format.keys import KEYS, LIST_KEYS
from mnemos_files.format.spelling import Written
from mnemos_files.model.record import IMPORTANCE_DEFAULT, Record
from mnemos_files.model.skill import SESSIONS_KEY

METADATA = "metadata"
TOP_KEYS = ("license", "compatibility", "allowed-tools")
"""Keys beside name, description and metadata (Agent Skills specification)."""

_PREFIX = "mnemos-"
FOREIGN = "\0"
"""Before the name of a key that fills no field, where both kinds are in one mapping."""

_DEFAULTS = {"importance": IMPORTANCE_DEFAULT, "source_kind": "user", "trust_tier": "curated"}


def file_key(field: str) -> str:
    """Name of a field as it stands in the file."""
    return f"{_PREFIX}{field.replace('_', '-')}"


_FIELDS = {file_key(field): field for field in KEYS if field != "type"}
_LISTS = frozenset((*(key for key, field in _FIELDS.items() if field in LIST_KEYS), SESSIONS_KEY))


def is_field(key: str) -> bool:
    """True for a key below `metadata:` that fills a field of a record."""
    return key in _FIELDS


def is_list(key: str) -> bool:
    """True for a key of ours that holds several texts in one."""
    return key in _LISTS


def field_values(values: Mapping[str, Value]) -> dict[str, Value]:
    """What the keys below `metadata:` say of the fields of a record, by field."""
    return {_FIELDS[key]: _listed(key, value) for key, value in values.items() if key in _FIELDS}


def as_fields(values: Mapping[str, Value]) -> dict[str, Value]:
    """The keys below `metadata:`, those that fill a field of a record under its name."""
    return {_FIELDS.get(key, f"{FOREIGN}{key}"): value for key, value in values.items()}


def as_keys(values: Mapping[str, Value]) -> dict[str, Value]:
    """Back from `as_fields`."""
    return {
        key.removeprefix(FOREIGN) if key[:1] == FOREIGN else file_key(key): value
        for key, value in values.items()
    }


def read_metadata(values: Mapping[str, Value]) -> Fields:
    """Fields from the keys below `metadata:`; all others, and bad ones of ours, as properties."""
    fields = read_fields(field_values(values))
    bad = {file_key(field) for field in fields.bad}
    kept = {key: value for key, value in values.items() if key not in _FIELDS or key in bad}
    properties = [(key, _listed(key, kept[key])) for key in kept]
    return Fields(fields.known, properties, fields.bad)


def written_fields(record: Record, name: str) -> dict[str, Written]:
    """What stands below `metadata:` for the record of a skill with this name; lists are lists."""
    fields = write_fields(record)
    if record.title == name:
        fields.pop("title", None)
    return {
        file_key(field): str(value) if isinstance(value, int) else value
        for field, value in fields.items()
        if field != "type" and value != _DEFAULTS.get(field)
    }


def as_text(key: str, value: Written) -> Written:
    """The value as it is written: a list of ours as one text."""
    return join_words(value) if key in _LISTS and isinstance(value, tuple) else value


def join_words(items: tuple[str, ...]) -> str:
    """One text for several: parted by commas, or a JSON list where that would not come back."""
    plain = ", ".join(items)
    return plain if split_words(plain) == items else json.dumps(items, ensure_ascii=False)


def split_words(text: str) -> tuple[str, ...]:
    """The texts in one: a JSON list of texts, else what stands between commas."""
    if text[:2] in ('["', "[]"):
        try:
            items = json.loads(text)
        except ValueError:
            items = None
        if isinstance(items, list) and all(isinstance(item, str) for item in items):
            return tuple(items)
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _listed(key: str, value: Value) -> Value:
    return split_words(value) if key in _LISTS and isinstance(value, str) else value
