"""One argument: what the operation wants, and reading it from what a client sent."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from difflib import get_close_matches
from enum import Enum
from typing import Any

from mnemos_files.errors import InvalidQueryError

_SHOWN = 40  # characters of a refused value that an error repeats


class Shape(Enum):
    """What an argument is, in words for an error message."""

    TEXT = "a text"
    INTEGER = "a whole number"
    NUMBER = "a number"
    BOOLEAN = "true or false"
    TEXTS = 'a list of texts such as ["a", "b"]'


@dataclass(frozen=True, slots=True)
class Param:
    """What a parameter means and may be; bounds are inclusive, lengths count characters.

    `max_items` bounds a list and `max_length` each text in it.
    """

    description: str
    _: KW_ONLY
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    max_length: int | None = None
    max_items: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an operation. `default` means nothing when it is required."""

    name: str
    shape: Shape
    rules: Param
    required: bool
    default: Any


def read_value(wanted: Parameter, value: object) -> object:
    """The value in the type of the parameter, inside its bounds.

    Raises:
        InvalidQueryError: names the argument, what came and what is wanted.
    """
    result = _READERS[wanted.shape](wanted, value)
    if not wanted.required and result == wanted.default:
        return result
    if not wanted.required and wanted.rules.choices and result == "":
        return wanted.default  # clients that fill in every argument send "" for "not given"
    if isinstance(result, (int, float)):
        return _inside(wanted, result)
    for text in (result,) if isinstance(result, str) else result:
        _check_text(wanted, text)
    return result


def _text(wanted: Parameter, value: object) -> str:
    if not isinstance(value, str):
        raise _refusal(wanted, value)
    return value


def _boolean(wanted: Parameter, value: object) -> bool:
    named = {"true": True, "false": False}
    word = value.strip().lower() if isinstance(value, str) else value
    if isinstance(word, bool):
        return word
    if isinstance(word, str) and word in named:
        return named[word]
    raise _refusal(wanted, value)


def _number(wanted: Parameter, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _refusal(wanted, value)
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise _refusal(wanted, value) from None
    if not math.isfinite(number):
        raise _refusal(wanted, value)
    return number


def _integer(wanted: Parameter, value: object) -> int:
    number = _number(wanted, value)
    if not number.is_integer():
        raise _refusal(wanted, value)
    return int(number)


def _texts(wanted: Parameter, value: object) -> tuple[str, ...]:
    items = _listed(value) if isinstance(value, str) else value
    if not isinstance(items, Sequence) or not all(isinstance(item, str) for item in items):
        raise _refusal(wanted, value)
    if isinstance(value, str) and len(items) == 1 and "," in items[0] and items[0] == value.strip():
        raise _refusal(wanted, value)  # one text or several? Only the caller knows.
    limit = wanted.rules.max_items
    if limit is not None and len(items) > limit:
        problem = f"{len(items)} items are too many, at most {limit} fit"
        raise InvalidQueryError(wanted.name, problem, remedy="Send fewer.")
    return tuple(items)


def _listed(text: str) -> object:
    """Items of a list that came as text: JSON, or the text itself as the only item."""
    text = text.strip()
    if not text.startswith("["):
        return [text] if text else []
    try:
        return json.loads(text)
    except ValueError:
        return None


_READERS: Mapping[Shape, Callable[[Parameter, object], float | str | tuple[str, ...]]] = {
    Shape.TEXT: _text,
    Shape.INTEGER: _integer,
    Shape.NUMBER: _number,
    Shape.BOOLEAN: _boolean,
    Shape.TEXTS: _texts,
}


def _inside(wanted: Parameter, number: float) -> object:
    low, high = wanted.rules.low, wanted.rules.high
    if number == 0 and low is not None and low > 0 and not wanted.required:
        return wanted.default  # clients that fill in every argument send 0 for "not given"
    if (low is not None and number < low) or (high is not None and number > high):
        raise _refusal(wanted, number)
    return number


def _check_text(wanted: Parameter, text: str) -> None:
    limit, choices = wanted.rules.max_length, wanted.rules.choices
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        problem = "holds half a character (a lone surrogate), which no file can hold"
        raise InvalidQueryError(wanted.name, problem, remedy="Send the text as valid UTF-8.")
    if limit is not None and len(text) > limit:
        problem = f"{len(text)} characters are too many, at most {limit} fit"
        raise InvalidQueryError(wanted.name, problem, remedy="Shorten it.")
    if choices and text not in choices:
        nearest = get_close_matches(text.lower(), choices, n=1)
        remedy = f"Did you mean {nearest[0]!r}?" if nearest else ""
        named = ", ".join(choice for choice in choices if choice)
        problem = f"must be one of {named}, but {_shown(text)} came"
        raise InvalidQueryError(wanted.name, problem, remedy=remedy)


def _refusal(wanted: Parameter, value: object) -> InvalidQueryError:
    low, high = wanted.rules.low, wanted.rules.high
    span = "" if low is None and high is None else f" {_span(low, high)}"
    problem = f"must be {wanted.shape.value}{span}, but {_shown(value)} came"
    return InvalidQueryError(wanted.name, problem)


def _span(low: float | None, high: float | None) -> str:
    if high is None:
        return f"of at least {low}"
    return f"up to {high}" if low is None else f"{low}..{high}"


def _shown(value: object) -> str:
    """A short form of a value for a message, in JSON's spelling where it has one."""
    text = json.dumps(value, default=lambda other: type(other).__name__)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"
