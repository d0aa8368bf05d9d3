"""One line of input as JSON-RPC messages, or as the refusal that its sender waits for."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass

from mcp_types import INVALID_REQUEST, ErrorData, JSONRPCError, JSONRPCMessage
from mcp_types.jsonrpc import jsonrpc_message_adapter
from pydantic import ValidationError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer to a message that the server cannot take."""

    answer: JSONRPCError


def read_line(line: bytes) -> Iterator[JSONRPCMessage | Refusal]:
    """Messages of a line: none for a blank one, several for a batch.

    A line that is no message is skipped and logged without its text; where it has an id, its
    sender gets a refusal instead of waiting for ever.
    """
    if not line.strip():
        return
    try:
        yield jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        yield from _second_look(line)


def _second_look(line: bytes) -> Iterator[JSONRPCMessage | Refusal]:
    try:
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        _log.warning("skipped a line of %d bytes that is not JSON", len(line))
        return
    if isinstance(value, list):
        for part in value:
            yield from _part(part)
        return
    yield from _refusal(value, _reason(line))


def _part(value: object) -> Iterator[JSONRPCMessage | Refusal]:
    try:
        yield jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        yield from _refusal(value, "this part of the batch is no JSON-RPC message")


def _refusal(value: object, reason: str) -> Iterator[Refusal]:
    identity = value.get("id") if isinstance(value, dict) else None
    if not isinstance(identity, (int, str)) or isinstance(identity, bool):
        _log.warning("skipped a line without an id: %s", reason)
        return
    error = ErrorData(code=INVALID_REQUEST, message=f"Invalid request: {reason}.")
    yield Refusal(JSONRPCError(jsonrpc="2.0", id=identity, error=error))


def _reason(line: bytes) -> str:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"byte {error.start} of the line is not UTF-8"
    written = json.dumps(json.loads(text), ensure_ascii=False)
    if any("\ud800" <= letter <= "\udfff" for letter in written):
        return "a text holds half a character (a lone surrogate)"
    return "not a JSON-RPC 2.0 message"
