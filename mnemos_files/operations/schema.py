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
    """Plain JSON schema of a result; nested results are written out where they stand.

    A field that may be None is not required, because `to_json` leaves it out then. A type that
    has no plain schema (a union) accepts everything.
    """
    return _schema(result_type)


def result_type(run: Callable[..., Any]) -> type:
    """Declared type of what an operation returns."""
    declared: type = inspect.signature(run).return_annotation
    return declared


def _schema(hint: object) -> dict[str, Any]:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if isinstance(hint, type) and is_dataclass(hint):
        return _object_schema(hint)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (list, tuple):
        return {"type": "array", "items": _schema(parts[0])}
    if origin in (dict, Mapping):
        values = _schema(parts[1])
        return {"type": "object"} | ({"additionalProperties": values} if values else {})
    return {}


def _object_schema(result: type) -> dict[str, Any]:
    hints = typing.get_type_hints(result)
    properties, required = {}, []
    for field in fields(result):
        choices = [part for part in typing.get_args(hints[field.name]) if part is not NoneType]
        optional = NoneType in typing.get_args(hints[field.name])
        if not optional:
            required.append(field.name)
        one = choices[0] if optional and len(choices) == 1 else hints[field.name]
        properties[field.name] = _schema(one)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return schema | {"required": required} if required else schema


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
