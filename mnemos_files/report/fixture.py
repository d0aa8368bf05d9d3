"""Fixtures of `mnemos-files verify`, read from YAML. Pure."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import yaml

from mnemos_files.errors import InvalidQueryError

ROWS_MAX = 1_000
QUERIES_MAX = 50
RUNS_MAX = 100
TOP_MAX = 100
RUNS = 3
TOP = 5

_T = TypeVar("_T")
_NUMBER = re.compile(r"[0-9]{1,6}")
_REMEDY = "docs/reports.md shows a fixture of each kind."


class _Loader(yaml.SafeLoader):
    """Reads every scalar as the text that stands there, but for null.

    In YAML 1.1 `on` and `off`, the names of the arms, are truth values, and 12:30 is a number.
    """

    yaml_implicit_resolvers = {  # noqa: RUF012 - its base declares it of the instance
        sign: [(tag, pattern) for tag, pattern in rows if tag == "tag:yaml.org,2002:null"]
        for sign, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - of its base
        """The mapping; a key that stands twice is an error, not the end of its first value."""
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for number, (key, _) in enumerate(node.value):
            if isinstance(key, yaml.ScalarNode) and names.index(key.value) < number:
                raise yaml.constructor.ConstructorError(
                    problem=f"{key.value!r} stands twice", problem_mark=key.start_mark
                )
        return super().construct_mapping(node, deep)


@dataclass(frozen=True, slots=True)
class Probe:
    """A memory that must be among the first `expect_in_top` hits of one of these queries."""

    id: str
    queries: tuple[str, ...]
    title: str = ""
    expect_in_top: int = TOP
    project: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A prompt, how often it is given, and what its answer must and must not hold."""

    name: str
    trigger: str
    contains_any: tuple[str, ...] = ()
    lacks_all: tuple[str, ...] = ()
    runs: int = RUNS
    memory_id: str = ""


@dataclass(frozen=True, slots=True)
class Behavior:
    """Scenarios, and the commands that answer them with memory and without."""

    on: tuple[str, ...]
    off: tuple[str, ...]
    scenarios: tuple[Scenario, ...]


@dataclass(frozen=True, slots=True)
class Capturing:
    """A prompt after which one of these tools must have been called."""

    name: str
    trigger: str
    expect_tools: tuple[str, ...]
    runs: int = RUNS


@dataclass(frozen=True, slots=True)
class Capture:
    """Scenarios, and the command that answers them."""

    command: tuple[str, ...]
    scenarios: tuple[Capturing, ...]


def read_retrieval(text: str, name: str) -> tuple[Probe, ...]:
    """The probes of a fixture; `name` is how errors call it.

    Raises:
        InvalidQueryError: the text is no such fixture; the error tells where.
    """
    return _Fields(_loaded(text, name), name, ("probes",)).rows("probes", _probe)


def read_behavior(text: str, name: str) -> Behavior:
    """The scenarios and commands of a fixture of behaviour.

    Raises:
        InvalidQueryError: as for `read_retrieval`.
    """
    fields = _Fields(_loaded(text, name), name, ("arms", "scenarios"))
    arms = fields.part("arms", ("on", "off"))
    on, off = (arms.part(arm, ("cmd",)).texts("cmd", least=1) for arm in ("on", "off"))
    return Behavior(on, off, fields.rows("scenarios", _scenario))


def read_capture(text: str, name: str) -> Capture:
    """The scenarios and the command of a fixture of capture.

    Raises:
        InvalidQueryError: as for `read_retrieval`.
    """
    fields = _Fields(_loaded(text, name), name, ("arm", "scenarios"))
    command = fields.part("arm", ("cmd",)).texts("cmd", least=1)
    return Capture(command, fields.rows("scenarios", _capturing))


def _probe(value: object, where: str) -> Probe:
    fields = _Fields(value, where, ("id", "title", "queries", "expect_in_top", "project"))
    return Probe(
        id=fields.text("id", is_needed=True),
        queries=fields.texts("queries", least=1, most=QUERIES_MAX),
        title=fields.text("title"),
        expect_in_top=fields.number("expect_in_top", TOP, TOP_MAX),
        project=fields.text("project"),
    )


def _scenario(value: object, where: str) -> Scenario:
    fields = _Fields(value, where, ("name", "memory_id", "trigger", "runs", "pass_when"))
    passing = fields.part("pass_when", ("contains_any", "lacks_all"))
    contains, lacks = passing.texts("contains_any"), passing.texts("lacks_all")
    if not contains and not lacks:
        raise _bad(f"{where}.pass_when", "says nothing, so every answer would pass")
    return Scenario(
        name=fields.text("name", is_needed=True),
        trigger=fields.text("trigger", is_needed=True),
        contains_any=contains,
        lacks_all=lacks,
        runs=fields.number("runs", RUNS, RUNS_MAX),
        memory_id=fields.text("memory_id"),
    )


def _capturing(value: object, where: str) -> Capturing:
    fields = _Fields(value, where, ("name", "trigger", "expect_tools", "runs"))
    return Capturing(
        name=fields.text("name", is_needed=True),
        trigger=fields.text("trigger", is_needed=True),
        expect_tools=fields.texts("expect_tools", least=1),
        runs=fields.number("runs", RUNS, RUNS_MAX),
    )


def _loaded(text: str, name: str) -> object:
    try:
        return yaml.load(text, _Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 1}" if mark is not None else ""
        raise _bad(name, f"is not YAML{line}") from error


class _Fields:
    """A mapping of a fixture; `where` is how errors call it."""

    def __init__(self, value: object, where: str, known: tuple[str, ...]) -> None:
        if not isinstance(value, dict):
            raise _bad(where, f"must be a mapping with {', '.join(known)}")
        unknown = [str(key) for key in value if key not in known]
        if unknown:
            raise _bad(where, f"unknown field {unknown[0][:60]!r}")
        self._values: Mapping[str, Any] = value
        self._where = where

    def text(self, key: str, *, is_needed: bool = False) -> str:
        value = self._values.get(key)
        if value is None and not is_needed:
            return ""
        return _text(value, f"{self._where}.{key}")

    def texts(self, key: str, *, least: int = 0, most: int = ROWS_MAX) -> tuple[str, ...]:
        return self._list(key, least, most, _text)

    def rows(self, key: str, read: Callable[[object, str], _T]) -> tuple[_T, ...]:
        return self._list(key, 1, ROWS_MAX, read)

    def part(self, key: str, known: tuple[str, ...]) -> "_Fields":
        return _Fields(self._values.get(key), f"{self._where}.{key}", known)

    def number(self, key: str, default: int, most: int) -> int:
        value = self._values.get(key)
        if value is None:
            return default
        is_number = isinstance(value, str) and _NUMBER.fullmatch(value)
        if not is_number or not 1 <= int(value) <= most:
            raise _bad(f"{self._where}.{key}", f"must be a whole number from 1 to {most}")
        return int(value)

    def _list(
        self, key: str, least: int, most: int, read: Callable[[object, str], _T]
    ) -> tuple[_T, ...]:
        where, value = f"{self._where}.{key}", self._values.get(key)
        rows = [] if value is None else value
        if not isinstance(rows, list):
            raise _bad(where, "must be a list")
        if not least <= len(rows) <= most:
            raise _bad(where, f"must have {least} to {most} items")
        return tuple(read(row, f"{where}[{number}]") for number, row in enumerate(rows))


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise _bad(where, "must be text" if value is not None else "is missing")
    if not value.strip():
        raise _bad(where, "is empty")
    return value


def _bad(where: str, problem: str) -> InvalidQueryError:
    return InvalidQueryError(where, problem, remedy=_REMEDY)
