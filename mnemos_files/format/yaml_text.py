"""Any YAML mapping as keys with texts: the way out for blocks that are not simple. Pure.

Works on parser events and never builds objects: no number, date or truth value appears, nothing is
expanded, and depth is counted before it can hurt.
"""

import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

import yaml
from frontmatter.default_handlers import BaseHandler

from mnemos_files.format.flat import LINK, Value

DEPTH_MAX = 8
"""Deepest nesting that is read; properties in Obsidian are two deep."""

_SEPARATORS = {0x85: 0xF0085, 0x2028: 0xF2028, 0x2029: 0xF2029}
"""Line ends to YAML 1.1, text to YAML 1.2 and Obsidian: private signs stand in while it parses."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlError(Exception):
    """A block that is no YAML mapping we take; `line` counts from 0 within the block."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


class NotAMappingError(Exception):
    """The block is well-formed YAML, but a text or a list: prose between two rules."""


class Pair(NamedTuple):
    """A key, its value, and its line from 0 within the block."""

    name: str
    value: Value
    line: int


class _Node(NamedTuple):
    """A child of the root, or an item of it: its first and last event and its own children."""

    first: yaml.Event
    last: yaml.Event
    children: "list[_Node]"


class TextHandler(BaseHandler):
    """Handler for python-frontmatter that keeps every scalar as the text that was typed.

    `frontmatter.loads(text, handler=TextHandler())` reads a note with it. There is no `export`: a
    file that a person may have written is never dumped anew.
    """

    FM_BOUNDARY = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "---"

    def load(self, fm: str) -> dict[str, object]:
        """Keys of the block; of a key written twice the later value.

        Raises:
            YamlError: the block cannot be read.
            NotAMappingError: the block is a text or a list.
        """
        return {pair.name: pair.value for pair in self.pairs(fm)}

    def pairs(self, fm: str) -> list[Pair]:
        """Keys of the block in file order, doubles included. Raises as `load`."""
        try:
            pairs = _pairs(fm.translate(_SEPARATORS))
        except yaml.MarkedYAMLError as error:
            raise _yaml_error(error) from error
        except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
            raise YamlError(0, "not valid YAML") from error
        return [Pair(_restore(name), _restore_all(value), line) for name, value, line in pairs]


def _yaml_error(error: yaml.MarkedYAMLError) -> YamlError:
    if error.context_mark and "quoted" in (error.context or ""):
        return YamlError(error.context_mark.line, "a quote is not closed")
    mark = error.problem_mark or error.context_mark
    return YamlError(mark.line if mark else 0, error.problem or "not valid YAML")


def _restore(text: str) -> str:
    return text if text.isascii() else text.translate({v: k for k, v in _SEPARATORS.items()})


def _restore_all(value: Value) -> Value:
    return _restore(value) if isinstance(value, str) else tuple(map(_restore, value))


def _pairs(text: str) -> list[Pair]:
    root = _root(text)
    if root is None or not isinstance(root.first, yaml.MappingStartEvent):
        raise NotAMappingError
    if root.first.flow_style:
        raise YamlError(_line(root.first), "the keys stand in one pair of braces")
    nodes = iter(root.children)
    return [_pair(text, key, next(nodes)) for key in nodes]


def _pair(text: str, key: _Node, value: _Node) -> Pair:
    line = _line(key.first)
    if not isinstance(key.first, yaml.ScalarEvent):
        raise YamlError(line, "a key is a list or a mapping")
    return Pair(key.first.value, _value(text, value), line)


def _value(text: str, node: _Node) -> Value:
    if isinstance(node.first, yaml.SequenceStartEvent):
        source = _source(text, node)
        return source if LINK.fullmatch(source) else tuple(_item(text, n) for n in node.children)
    return _item(text, node)


def _item(text: str, node: _Node) -> str:
    if isinstance(node.first, yaml.ScalarEvent):
        return str(node.first.value)
    return _source(text, node)


def _source(text: str, node: _Node) -> str:
    """A nested value as it stands in the file, moved to the left margin."""
    start, end = node.first.start_mark, node.last.end_mark
    if start is None or end is None:
        return ""
    return textwrap.dedent(" " * start.column + text[start.index : end.index]).strip()


def _line(event: yaml.Event) -> int:
    return event.start_mark.line if event.start_mark else 0


def _root(text: str) -> _Node | None:
    """The tree of the only document, None for an empty one; at most `DEPTH_MAX` deep."""
    stack: list[_Node] = []
    root = None
    for event in _events(text):
        if isinstance(event, yaml.CollectionEndEvent):
            node = stack.pop()._replace(last=event)
        else:
            node = _Node(event, event, [])
            if isinstance(event, yaml.CollectionStartEvent):
                stack.append(node)
                _check_depth(stack)
                continue
        if stack:
            stack[-1].children.append(node)
        else:
            root = node
    return root


def _check_depth(stack: list[_Node]) -> None:
    if len(stack) > DEPTH_MAX:
        raise YamlError(_line(stack[-1].first), f"nested deeper than {DEPTH_MAX}")


def _events(text: str) -> Iterator[yaml.Event]:
    """Events of nodes alone; anchors, aliases, tags and a second document are refused."""
    documents = 0
    for event in yaml.parse(text, Loader=_LOADER):
        line = _line(event)
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1 or event.version or event.tags:
                raise YamlError(line, "a directive or a second document")
        if isinstance(event, yaml.NodeEvent):
            if event.anchor is not None:
                raise YamlError(line, "a value with the YAML sign & or *")
            if getattr(event, "tag", None):
                raise YamlError(line, "a value with the YAML sign !")
            yield event
        elif isinstance(event, yaml.CollectionEndEvent):
            yield event
