"""Results of operations: their JSON schema and their JSON form."""

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from types import NoneType
from typing import Any

_PLAIN: Mapping[object, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    datetime: "string",
}


@cache
def output_schema(result_type: type) -> dict[str, Any]:
    """Plain JSON schema of a result: its fields, and of nested results that they are objects.

    Nothing is required, because `to_json` leaves fields out that are None. What lies deeper is
    told by the answer itself: every client loads this schema with the list of tools.
    """
    hints = typing.get_type_hints(result_type)
    properties = {field.name: _schema(hints[field.name]) for field in fields(result_type)}
    return {"type": "object", "properties": properties}


def result_type(run: Callable[..., Any]) -> type:
    """Declared type of what an operation returns."""
    declared: type = inspect.signature(run).return_annotation
    return declared


def _schema(hint: object) -> dict[str, Any]:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if isinstance(hint, type) and is_dataclass(hint):
        return {"type": "object"}
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (list, tuple):
        return {"type": "array", "items": _schema(parts[0])}
    if origin in (dict, Mapping):
        return {"type": "object"}
    choices = [part for part in parts if part is not NoneType]
    return _schema(choices[0]) if len(choices) == 1 else {}


def to_json(value: object) -> object:
    """The value in JSON types: fields that are None left out, times as RFC 3339 in UTC."""
    if is_dataclass(value):
        named = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: to_json(part) for name, part in named.items() if part is not None}
    if isinstance(value, Mapping):
        return {str(key): to_json(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(part) for part in value]
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return value
