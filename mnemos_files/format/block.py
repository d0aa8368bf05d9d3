"""The lines between the fences, read: keys with their text as typed. Pure.

A flat block, as we write it and as Obsidian does, is read line by line. Whatever leaves this
subset goes to the YAML parser, and what that cannot read is read as far as single lines go.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mnemos_files.format.flat import FIRST_LINE, Draft, Value, read_flat
from mnemos_files.format.salvage import RULE, looks_like_keys, salvage
from mnemos_files.format.yaml_text import NotAMappingError, Pair, TextHandler, YamlError
from mnemos_files.model.problem import Problem

YAML_LENGTH_MAX = 65_536
"""Longest block [characters] that is given to the YAML parser; nobody types more."""

_HANDLER = TextHandler()
_COMMENTED_TAGS = re.compile(r"(tags?):[ \t]+#(\S.*)")


@dataclass(frozen=True, slots=True)
class Block:
    """Keys of a block in file order, the line of each [from 1, in the file], and its faults.

    `loose` are lines of a broken block that belong to no key. `doubled` are keys written twice.
    """

    values: Mapping[str, Value]
    lines: Mapping[str, int]
    problems: tuple[Problem, ...] = ()
    loose: tuple[str, ...] = ()
    doubled: frozenset[str] = frozenset()
    is_broken: bool = False


def read_block(text: str, path: str) -> Block | None:
    """Keys of a block with LF line ends; None when it is no mapping but prose between two rules."""
    draft = read_flat(text)
    if draft is None:
        return _read_yaml(text, path)
    if not draft.values and text.strip():
        return None
    if draft.doubles:
        return _finish(draft, _doubles(draft, path))
    return Block(draft.values, draft.lines)


def _read_yaml(text: str, path: str) -> Block | None:
    try:
        _check_length(text)
        pairs = _HANDLER.pairs(text)
    except NotAMappingError:
        return None
    except YamlError as error:
        return _read_broken(text, path, error)
    draft = Draft()
    for pair in pairs:
        draft.add(pair.name, pair.value, pair.line + FIRST_LINE)
    problems = _doubles(draft, path) + _commented_tags(text, path, pairs)
    return _finish(draft, problems)


def _check_length(text: str) -> None:
    if len(text) > YAML_LENGTH_MAX:
        raise YamlError(0, f"it is longer than {YAML_LENGTH_MAX} characters and not simple")
    if "\r" in text:
        raise YamlError(text[: text.index("\r")].count("\n"), "a lone carriage return")


def _read_broken(text: str, path: str, error: YamlError) -> Block | None:
    if not looks_like_keys(text):
        return None
    draft, loose, problem = salvage(text, path, error.line, error.reason)
    return Block(draft.values, draft.lines, (problem,), loose, is_broken=True)


def _finish(draft: Draft, problems: tuple[Problem, ...]) -> Block:
    doubled = frozenset(name for name, _, _ in draft.doubles)
    return Block(draft.values, draft.lines, problems, doubled=doubled)


def _doubles(draft: Draft, path: str) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            path,
            later,
            "duplicate-key",
            f"{name} is written twice, in lines {first} and {later}; the later one counts",
            "Take one of the two lines out.",
        )
        for name, first, later in draft.doubles
    )


def _commented_tags(text: str, path: str, pairs: list[Pair]) -> tuple[Problem, ...]:
    """A hint at `tags: #garden`, which YAML and Obsidian read as a comment."""
    rows = text.split("\n")
    found = [(pair, _COMMENTED_TAGS.fullmatch(rows[pair.line])) for pair in pairs if not pair.value]
    return tuple(
        Problem(
            path,
            pair.line + FIRST_LINE,
            "tags-comment",
            f"#{match[2]} is a comment to YAML, so there are no tags",
            f"Write {match[1]}: [{match[2].strip()}]",
        )
        for pair, match in found
        if match is not None
    )


__all__ = ["RULE", "YAML_LENGTH_MAX", "Block", "read_block"]
