"""Exit codes and messages of the command line."""

from collections.abc import Mapping
from types import MappingProxyType

from mnemos_files.errors import (
    ConflictError,
    CorruptError,
    InvalidQueryError,
    InvalidRecordError,
    MnemosError,
    NotFoundError,
    RefusedError,
    UnavailableError,
)

EXIT_CODES: Mapping[type[MnemosError], int] = MappingProxyType(
    {
        InvalidRecordError: 2,
        InvalidQueryError: 2,
        NotFoundError: 3,
        ConflictError: 4,
        RefusedError: 5,
        CorruptError: 6,
        UnavailableError: 75,
        MnemosError: 1,
    }
)
"""Subclasses have the code of their parent; 75 is EX_TEMPFAIL of sysexits.h."""


def exit_code(error: MnemosError) -> int:
    """Exit code of an error, by its nearest class in the table."""
    return next(EXIT_CODES[each] for each in type(error).__mro__ if each in EXIT_CODES)


def message_of(error: MnemosError) -> str:
    """What happened, and on a second line what to do."""
    lines = [f"error: {error.message}"]
    if isinstance(error, NotFoundError) and error.candidates:
        unnamed = [name for name in error.candidates if name not in error.message]
        lines += [f"nearest: {', '.join(unnamed)}"] if unnamed else []
    return "\n".join([*lines, error.remedy] if error.remedy else lines)
