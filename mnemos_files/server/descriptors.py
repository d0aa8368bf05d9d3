"""Standard input and output, kept for the protocol alone."""

import os
import sys


def claim() -> tuple[int, int]:
    """Private descriptors of the wire (source, sink).

    From here on descriptor 0 is empty and 1 is standard error, for this process and its
    children: what a library prints cannot reach the client.
    """
    source, sink = _private(0), _private(1)
    empty = os.open(os.devnull, os.O_RDWR)
    os.dup2(empty, 0)
    os.dup2(2 if _is_open(2) else empty, 1)
    os.close(empty)
    for stream in (sys.stdout, sys.stderr):
        # A log line with a letter that the console lacks must not raise.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    return source, sink


def _private(descriptor: int) -> int:
    """A copy above the standard ones; the null device when the descriptor is closed."""
    copies = []
    while True:
        copy = os.dup(descriptor) if _is_open(descriptor) else os.open(os.devnull, os.O_RDWR)
        if copy > 2:  # noqa: PLR2004 - 0, 1 and 2 are the standard descriptors
            break
        copies.append(copy)
    for low in copies:
        os.close(low)
    return copy


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
