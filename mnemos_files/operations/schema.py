"""Results of operations: their JSON schema and their JSON form."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any


@cache
def output_schema(result_type: type) -> dict[str, Any]:
    """JSON schema of a result: the names of the fields that it always has.

    Every client loads this with the list of tools, where each word counts; the answer tells the
    rest by itself. `to_json` leaves out what is None.
    """
    always = [f.name for f in fields(result_type) if f.default is f.default_factory is MISSING]
    return {"type": "object", "properties": {name: {} for name in always}}


def result_type(run: Callable[..., Any]) -> type:
    """Declared type of what an operation returns."""
    declared: type = inspect.signature(run).return_annotation
    return declared


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
