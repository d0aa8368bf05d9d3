"""Operations as MCP tools: how they are listed, called and answered."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent, Tool, ToolAnnotations

from mnemos_files.errors import MnemosError
from mnemos_files.operations.arguments import input_schema, read_arguments
from mnemos_files.operations.operation import Operation
from mnemos_files.operations.schema import output_schema, result_type, to_json
from mnemos_files.server.errors import describe, describe_unexpected
from mnemos_files.server.shorten import shorten

PREFIX = "mnemos_"
ANSWER_CHARACTERS = 20_000
"""Most characters of an answer, text and structured form together. Claude Code takes 50,000 and
Codex shows about 12 KB; both read the structured half only."""
_ALWAYS_LOADED = ("save", "search")
_log = logging.getLogger(__name__)


class Toolbox:
    """The operations by the names of their tools."""

    def __init__(self, operations: Sequence[Operation], store: Callable[[], Any]) -> None:
        self._operations: Mapping[str, Operation] = {PREFIX + row.name: row for row in operations}
        self._store = store

    def listing(self) -> list[Tool]:
        """Every tool, in the order of the table."""
        return [_tool(name, row) for name, row in self._operations.items()]

    def find(self, name: str) -> Operation:
        """The operation of a tool.

        Raises:
            MCPError: no tool has this name; a protocol error, as the specification asks.
        """
        if name in self._operations:
            return self._operations[name]
        nearest = get_close_matches(name, self._operations, n=1)
        hint = f"did you mean {nearest[0]}?" if nearest else f"known: {', '.join(self._operations)}"
        raise MCPError(INVALID_PARAMS, f"Unknown tool {name!r}; {hint}")

    def call(
        self, operation: Operation, raw: Mapping[str, object], client: str = ""
    ) -> CallToolResult:
        """The answer to one call; every failure is an answer too. Blocks; safe between threads.

        The client's name stands in the commits of a writing call that names no agent.
        """
        try:
            arguments = read_arguments(operation.run, raw)
            store = self._store()
            if client and not operation.read_only:
                store = store.acting_for(client)
            return answer(operation, operation.run(store, **arguments))
        except MnemosError as error:
            _log.info("%s: %s", operation.name, error.code)
            return _failure(describe(error))
        except Exception as error:  # noqa: BLE001 - one broken call must not end the server
            _log.exception("%s failed", operation.name)
            return _failure(describe_unexpected(error))


def _tool(name: str, operation: Operation) -> Tool:
    return Tool(
        name=name,
        title=operation.title,
        description=operation.description,
        input_schema=input_schema(operation.run),
        output_schema=output_schema(result_type(operation.run)),
        annotations=_hints(operation),
        _meta={"anthropic/alwaysLoad": True} if operation.name in _ALWAYS_LOADED else None,
    )


def _hints(operation: Operation) -> ToolAnnotations:
    """Destroying and repeating mean nothing for a tool that only reads, so it does not say them."""
    if operation.read_only:
        return ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return ToolAnnotations(
        read_only_hint=False,
        destructive_hint=operation.destructive,
        idempotent_hint=operation.idempotent,
        open_world_hint=False,
    )


def answer(operation: Operation, result: object) -> CallToolResult:
    """The result as structured content and the same JSON as a text; too large, it is shortened."""
    value = to_json(result)
    text, characters = _written(value)
    if characters > ANSWER_CHARACTERS:
        value = shorten(value)
        text, characters = _written(value)
    if characters > ANSWER_CHARACTERS:
        done = "" if operation.read_only else "The change was made, but "
        return _failure(
            f"too_large: {done}the answer has {characters} characters, more than the "
            f"{ANSWER_CHARACTERS} that clients take. Ask for less: a smaller limit, or a part."
        )
    return CallToolResult(content=[TextContent(text=text)], structured_content=value)


def _written(value: object) -> tuple[str, int]:
    """The JSON of an answer, and how many characters it takes in both of its forms."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text, len(text) + len(json.dumps(text, ensure_ascii=False))


def _failure(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)], is_error=True)
