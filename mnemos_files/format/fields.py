"""Values of front matter as fields of a record, and back. Pure."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from mnemos_files.format.flat import Value
from mnemos_files.format.front_matter import as_list
from mnemos_files.format.keys import (
    KEYS,
    LINK_KEYS,
    LINK_LIST_KEYS,
    TAG_KEYS,
    TEXT_KEYS,
    TIME_KEYS,
    WORD_LIST_KEYS,
)
from mnemos_files.format.links import link_target, write_link
from mnemos_files.format.spelling import Written
from mnemos_files.model.kind import KINDS
from mnemos_files.model.record import IMPORTANCE_DEFAULT, SOURCE_KINDS, TRUST_TIERS, Record

_PLAIN = {"importance": IMPORTANCE_DEFAULT, "source_kind": "user", "trust_tier": "curated"}
_SCALE = {str(number): number for number in range(1, 11)}


class Fields(NamedTuple):
    """Arguments for `Record`; the keys that are not ours; ours that could not be read."""

    known: dict[str, object]
    properties: list[tuple[str, Value]]
    bad: list[str]


def read_fields(values: Mapping[str, Value]) -> Fields:
    """Fields from the keys of a file; a value that cannot be read stays as a property.

    An empty value counts as absent, but for an empty title.
    """
    known: dict[str, object] = {}
    properties: list[tuple[str, Value]] = []
    bad: list[str] = []
    for name, value in values.items():
        reader = _READERS.get(name)
        if reader is None:
            if name != "tag":
                properties.append((name, value))
        elif value or name == "title":
            field = reader(value)
            if field is None:
                properties.append((name, value))
                bad.append(name)
            else:
                known[name] = field
    if "tag" in values:
        known["tags"] = _both_tags(values)
    return Fields(known, properties, bad)


def write_fields(record: Record) -> dict[str, Written]:
    """What the keys of ours say for this record, in their order; empty ones are left out."""
    written: dict[str, Written] = {}
    for name in KEYS:
        value = _WRITERS[name](getattr(record, name)) if name in _WRITERS else getattr(record, name)
        if (value and value != _PLAIN.get(name)) or name in record.kind.always:
            written[name] = value
    return written


def clean_tag(text: str) -> str:
    """A tag without the `#` that people type before it."""
    return text.removeprefix("#")


def read_time(text: Value) -> datetime | None:
    """A time in UTC from RFC 3339, an ISO 8601 date or a time without zone; None for others."""
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is UTC:
            return moment
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return read_time(text.upper()) if not text.isupper() and "z" in text else None


def write_time(moment: datetime | None) -> str:
    """A time as files have it, to the second: `2026-12-01T10:04:11Z`; "" for none."""
    if moment is None:
        return ""
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _read_text(value: Value) -> str | None:
    return value if isinstance(value, str) else None


def _read_tags(value: Value) -> tuple[str, ...]:
    return tuple(tag for tag in map(clean_tag, as_list("tags", value)) if tag)


def _both_tags(values: Mapping[str, Value]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for key in TAG_KEYS for tag in _read_tags(values.get(key, ""))))


def _read_link(value: Value) -> str | None:
    links = as_list("", value)
    return link_target(links[0]) if len(links) == 1 else None


def _read_links(value: Value) -> tuple[str, ...]:
    return tuple(target for target in map(link_target, as_list("", value)) if target)


def _one_of(names: tuple[str, ...]) -> Callable[[Value], str | None]:
    return lambda value: value if isinstance(value, str) and value in names else None


_READERS: dict[str, Callable[[Value], object]] = {
    "id": _read_text,
    "type": _one_of(tuple(KINDS)),
    "title": _read_text,
    "tags": _read_tags,
    "importance": lambda value: _SCALE.get(value) if isinstance(value, str) else None,
    "source_kind": _one_of(SOURCE_KINDS),
    "trust_tier": _one_of(TRUST_TIERS),
    **dict.fromkeys(TEXT_KEYS, _read_text),
    **dict.fromkeys(TIME_KEYS, read_time),
    **dict.fromkeys(LINK_KEYS, _read_link),
    **dict.fromkeys(LINK_LIST_KEYS, _read_links),
    **dict.fromkeys(WORD_LIST_KEYS, lambda value: tuple(as_list("", value))),
}


def _write_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Tags as written: one that begins with `#` gets another, as reading takes one away."""
    return tuple(f"#{tag}" if tag.startswith("#") else tag for tag in tags)


def _write_links(targets: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(write_link, targets))


_WRITERS: dict[str, Callable[..., Written]] = {
    "tags": _write_tags,
    **dict.fromkeys(TIME_KEYS, write_time),
    **dict.fromkeys(LINK_KEYS, lambda target: write_link(target) if target else ""),
    **dict.fromkeys(LINK_LIST_KEYS, _write_links),
}
