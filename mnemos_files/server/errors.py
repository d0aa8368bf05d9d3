"""What a client reads when a call fails."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mnemos_files.errors import (
    InvalidQueryError,
    InvalidRecordError,
    MnemosError,
    NotFoundError,
    RefusedError,
)
from mnemos_files.safety.present import masked

RESOURCE_NOT_FOUND = -32002
"""Of the protocol up to 2025-11-25; later versions say "invalid params"."""

_ASKED_WRONGLY = (InvalidQueryError, InvalidRecordError, RefusedError)
_log = logging.getLogger(__name__)


def describe(error: MnemosError) -> str:
    """`code: message. remedy`, in plain sentences; names of files in it are made harmless."""
    parts = [f"{error.code}: {_sentence(error.message)}", _sentence(error.remedy)]
    if isinstance(error, NotFoundError) and error.candidates:
        unnamed = [name for name in error.candidates if name not in error.message + error.remedy]
        parts.append(f"Nearest: {', '.join(unnamed)}." if unnamed else "")
    return masked(" ".join(part for part in parts if part))


def describe_unexpected(error: Exception) -> str:
    """A sentence for an error of ours, without its text, which may hold paths of the machine."""
    return (
        f"internal: an error in the server stopped this call ({type(error).__name__}). "
        "Search before you repeat a write; the server's log on standard error has the details."
    )


def no_resource(uri: str, version: str, reason: str = "") -> MCPError:
    """The protocol's own error for a resource that does not exist, in the era of this version."""
    code = INVALID_PARAMS if version in MODERN_PROTOCOL_VERSIONS else RESOURCE_NOT_FOUND
    text = reason or "not_found: no resource is called so. resources/list names what there is."
    return MCPError(code, text, data={"uri": uri})


@contextmanager
def translated(uri: str, version: str) -> Iterator[None]:
    """Turns every failure of reading a resource into an error of the protocol, with its URI."""
    try:
        yield
    except NotFoundError as error:
        raise no_resource(uri, version, describe(error)) from error
    except MCPError:
        raise
    except Exception as error:
        raise protocol_error(error, {"uri": uri}) from error


def protocol_error(error: Exception, data: object = None) -> MCPError:
    """The protocol's error for any failure outside of a tool: what the caller can mend, or ours."""
    if isinstance(error, MnemosError):
        _log.info("%s", error.code)
        mends = isinstance(error, (*_ASKED_WRONGLY, NotFoundError))
        return MCPError(INVALID_PARAMS if mends else INTERNAL_ERROR, describe(error), data=data)
    _log.error("a request failed", exc_info=error)
    return MCPError(INTERNAL_ERROR, describe_unexpected(error), data=data)


def _sentence(text: str) -> str:
    text = text.strip()
    return text if not text or text[-1] in ".!?" else f"{text}."
