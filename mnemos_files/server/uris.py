"""Names of resources: what a client sends, and which memory it means."""

import re
from urllib.parse import unquote_to_bytes

from mnemos_files.errors import InvalidQueryError

SCHEME = "mnemos://"
MEMORY = f"{SCHEME}memory/"
MEMORY_TEMPLATE = f"{MEMORY}{{id}}"
NAME_MAX = 400
"""Most characters of an id or path, as tools take them."""

_BROKEN_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
_REMEDY = f"Send {MEMORY_TEMPLATE} with an id or path that mnemos_search gives, percent-encoded."


def is_memory(uri: str) -> bool:
    """True for a URI that is meant to name one memory, well formed or not."""
    return uri[: len(MEMORY)].lower() == MEMORY


def memory_name(uri: str) -> str:
    """The id or path in a memory's URI, decoded once.

    Raises:
        InvalidQueryError: the URI is not well formed.
    """
    rest = uri[len(MEMORY) :]
    problem = _problem(rest)
    if problem:
        raise InvalidQueryError("uri", problem, remedy=_REMEDY)
    try:
        name = unquote_to_bytes(rest).decode("utf-8")
    except UnicodeError as error:
        raise InvalidQueryError("uri", "is not UTF-8 when decoded", remedy=_REMEDY) from error
    if any(sign < " " or sign == "\x7f" for sign in name):
        raise InvalidQueryError("uri", "holds a control character", remedy=_REMEDY)
    if len(name) > NAME_MAX:
        raise InvalidQueryError("uri", f"names more than {NAME_MAX} characters", remedy=_REMEDY)
    return name


def _problem(rest: str) -> str:
    if not rest:
        return "names no memory"
    if "?" in rest or "#" in rest:
        return "has a query or a fragment; in a name, write %3F and %23"
    if _BROKEN_ESCAPE.search(rest):
        return "has a % without two hexadecimal digits behind it; write %25"
    return ""
