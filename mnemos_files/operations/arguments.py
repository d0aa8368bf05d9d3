"""Arguments of an operation: what its signature asks for, as a schema and as a check.

An operation is a function ``run(store, *, name: Annotated[type, Param(...)] = default)``. Types are
str, int, float, bool and tuple[str, ...]; a parameter without a default is required.
"""

import inspect
import json
import typing
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from types import NoneType
from typing import Any

from mnemos_files.errors import InvalidQueryError
from mnemos_files.operations.values import Param, Parameter, Shape, read_value

__all__ = ["Param", "Parameter", "input_schema", "parameters", "read_arguments"]

_SHAPES: Mapping[object, Shape] = {
    str: Shape.TEXT,
    int: Shape.INTEGER,
    float: Shape.NUMBER,
    bool: Shape.BOOLEAN,
    tuple[str, ...]: Shape.TEXTS,
}
_JSON_TYPES: Mapping[Shape, str] = {
    Shape.TEXT: "string",
    Shape.INTEGER: "integer",
    Shape.NUMBER: "number",
    Shape.BOOLEAN: "boolean",
    Shape.TEXTS: "array",
}


@cache
def parameters(run: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Keyword parameters of an operation in the order of its signature, `store` left out.

    Raises:
        TypeError: a parameter has no `Param` or a type that the doors cannot offer.
    """
    # Not get_type_hints: the annotation of `store` is a name that is not imported at run time,
    # so that a list of tools can be answered before git, index and model are loaded.
    signature = inspect.signature(run)
    return tuple(
        _parameter(parameter, parameter.annotation)
        for parameter in signature.parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    )


def _parameter(parameter: inspect.Parameter, hint: object) -> Parameter:
    plain, *notes = typing.get_args(hint) or (hint,)
    rules = next((note for note in notes if isinstance(note, Param)), None)
    shape = _SHAPES.get(_without_none(plain))
    if rules is None or shape is None:
        raise TypeError(f"parameter {parameter.name} of an operation has type {hint}")
    required = parameter.default is inspect.Parameter.empty
    return Parameter(
        parameter.name, shape, rules, required, None if required else parameter.default
    )


def _without_none(hint: object) -> object:
    choices = [choice for choice in typing.get_args(hint) if choice is not NoneType]
    return choices[0] if NoneType in typing.get_args(hint) else hint


def input_schema(run: Callable[..., Any]) -> dict[str, Any]:
    """Plain JSON schema of the arguments, without unions, references or lists of types."""
    fields = parameters(run)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {field.name: _field_schema(field) for field in fields},
        "additionalProperties": False,
    }
    required = [field.name for field in fields if field.required]
    return schema | {"required": required} if required else schema


def _field_schema(field: Parameter) -> dict[str, Any]:
    rules = field.rules
    bounds = {
        "enum": list(rules.choices) or None,
        "minimum": rules.low,
        "maximum": rules.high,
        "maxLength": rules.max_length,
    }
    limits = {key: value for key, value in bounds.items() if value is not None}
    schema: dict[str, Any] = {"type": _JSON_TYPES[field.shape]}
    schema |= {"items": {"type": "string"} | limits} if field.shape is Shape.TEXTS else limits
    if rules.max_items is not None:
        schema["maxItems"] = rules.max_items
    # An empty text or list as default says nothing that "not required" does not say.
    if not field.required and field.default not in (None, "", ()):
        schema["default"] = field.default
    return schema | {"description": rules.description}


def read_arguments(run: Callable[..., Any], raw: Mapping[str, object]) -> dict[str, Any]:
    """Arguments to call the operation with, from what a client sent.

    Taken as well: numbers and booleans as text, lists as JSON text, one text for a list, and null
    for the default of what is not required. What was not sent is left to the default.

    Raises:
        InvalidQueryError: an argument is unknown, missing, or has an impossible value.
    """
    fields = {field.name: field for field in parameters(run)}
    _refuse_unknown(raw, fields)
    given = {name: value for name, value in raw.items() if value is not None}
    _refuse_missing(given, fields)
    return {name: read_value(fields[name], value) for name, value in given.items()}


def _refuse_unknown(raw: Mapping[str, object], fields: Mapping[str, Parameter]) -> None:
    unknown = [name for name in raw if name not in fields]
    if not unknown:
        return
    nearest = get_close_matches(unknown[0], fields, n=1, cutoff=0.5)
    hint = f"Did you mean {nearest[0]}? " if nearest else ""
    known = f"It takes {', '.join(fields)}." if fields else "It takes no arguments."
    raise InvalidQueryError(", ".join(unknown), "no such argument", remedy=hint + known)


def _refuse_missing(given: Mapping[str, object], fields: Mapping[str, Parameter]) -> None:
    missing = [field for field in fields.values() if field.required and field.name not in given]
    if not missing:
        return
    example = {field.name: _example(field) for field in missing}
    names = ", ".join(field.name for field in missing)
    remedy = f"Add {json.dumps(example, ensure_ascii=False)} with your own value."
    raise InvalidQueryError(names, "required, but missing", remedy=remedy)


def _example(field: Parameter) -> object:
    if field.rules.choices:
        return field.rules.choices[0]
    if field.shape in (Shape.INTEGER, Shape.NUMBER):
        return field.rules.low if field.rules.low is not None else 1
    plain = {Shape.BOOLEAN: True, Shape.TEXTS: ["..."]}
    return plain.get(field.shape, field.rules.description or "...")
