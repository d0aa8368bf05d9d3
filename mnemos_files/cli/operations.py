"""One command for each operation, built from its signature."""

import inspect
import sys
from collections.abc import Mapping
from typing import Any

import click

from mnemos_files.cli.session import Session, common_options, secret_option
from mnemos_files.errors import InvalidQueryError
from mnemos_files.operations.arguments import parameters, read_arguments
from mnemos_files.operations.operation import Operation
from mnemos_files.operations.schema import to_json
from mnemos_files.operations.table import OPERATIONS
from mnemos_files.operations.values import Parameter, Shape

_ALWAYS_OPTIONS = ("type",)  # `search` has --type as well; one word, one way to give it
_FROM_STDIN = ("content", "append")
_WHOLE = ("set",)  # texts in which a comma is no sign between two
_METAVARS: Mapping[str, str] = {"source_id": "SOURCE", "target_id": "TARGET", "link_type": "TYPE"}
_TABLE: Mapping[str, Operation] = {row.name.replace("_", "-"): row for row in OPERATIONS}


def names() -> list[str]:
    """Names of the commands, in the order of the table."""
    return list(_TABLE)


def command(name: str) -> click.Command | None:
    """The command of an operation, None when there is none of this name."""
    operation = _TABLE.get(name)
    return None if operation is None else build(name, operation)


def build(name: str, operation: Operation) -> click.Command:
    """A click command for an operation: required texts are arguments, the rest are options."""

    @click.pass_obj
    def call(session: Session, /, **given: object) -> None:
        _call(session, operation, given)

    fields = parameters(operation.run)
    built = click.Command(
        name,
        callback=call,
        params=[_argument(field) if _is_argument(field) else _option(field) for field in fields],
        help=_help(operation, fields),
        short_help=inspect.getdoc(operation.run),
    )
    return common_options(built if operation.read_only else secret_option(built))


def _call(session: Session, operation: Operation, given: Mapping[str, object]) -> None:
    session.start_logging()
    sent = {name: value for name, value in given.items() if value is not None and value != ()}
    for name in _FROM_STDIN:
        if sent.get(name) == "-":
            sent[name] = _standard_input(name)
    arguments = read_arguments(operation.run, sent)
    with session.store() as store:
        result = to_json(operation.run(store, **arguments))
    session.show(result, operation.name)


def _standard_input(name: str) -> str:
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} of standard input is not UTF-8"
        raise InvalidQueryError(name, problem, remedy="Send UTF-8 text.") from error
    return text.removesuffix("\n").removesuffix("\r")


def _is_argument(field: Parameter) -> bool:
    return field.required and field.shape is Shape.TEXT and field.name not in _ALWAYS_OPTIONS


def _argument(field: Parameter) -> click.Argument:
    return click.Argument([field.name], metavar=_METAVARS.get(field.name, field.name.upper()))


def _option(field: Parameter) -> click.Option:
    settings: dict[str, Any] = {"help": _describe(field), "required": field.required}
    if field.shape is Shape.BOOLEAN:
        settings |= {"is_flag": True, "default": None}
    elif field.shape is Shape.TEXTS:
        settings |= {"multiple": True, "metavar": "TEXT"}
        settings |= {} if field.name in _WHOLE else {"callback": _split}
    elif field.rules.choices:
        settings |= {"type": click.Choice([choice for choice in field.rules.choices if choice])}
    else:
        settings |= {"metavar": "TEXT" if field.shape is Shape.TEXT else "NUMBER"}
    return click.Option([f"--{field.name.replace('_', '-')}", field.name], **settings)


def _split(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> list[str]:
    """Items of a list, given one by one or with commas between them."""
    return [item.strip() for value in values for item in value.split(",") if item.strip()]


def _describe(field: Parameter) -> str:
    several = "; repeat it or put commas between" if field.shape is Shape.TEXTS else ""
    several = "; repeat it for several" if field.name in _WHOLE else several
    several += "; - reads standard input" if field.name in _FROM_STDIN else ""
    preset = "" if field.default in (None, "", (), False) else f" (default {field.default})"
    return f"{field.rules.description}{several}{preset}"


def _help(operation: Operation, fields: tuple[Parameter, ...]) -> str:
    arguments = [field for field in fields if _is_argument(field)]
    lines = [
        f"{_METAVARS.get(field.name, field.name.upper())}: {field.rules.description}"
        + ("; - reads standard input" if field.name in _FROM_STDIN else "")
        for field in arguments
    ]
    listed = "\n\n\b\n" + "\n".join(lines) if lines else ""
    return f"{inspect.getdoc(operation.run)}{listed}"
