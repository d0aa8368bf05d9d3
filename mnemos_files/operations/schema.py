"""Results of operations: their JSON schema and their JSON form."""

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
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
    """Plain JSON schema of a result: the fields that it always has, nested ones as objects.

    Fields with a default are told by the answer itself: every client loads this schema with the
    list of tools, where each word counts. `to_json` leaves out what is None.
    """
    hints = typing.get_type_hints(result_type)
    always = [f.name for f in fields(result_type) if f.default is f.default_factory is MISSING]
    return {"type": "object", "properties": {name: _schema(hints[name]) for name in always}}


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
