"""Standard input and output, kept for the protocol alone."""

import io
import os
import sys

_STANDARD = (0, 1, 2)


def claim() -> tuple[int, int]:
    """Private descriptors of the wire (source, sink).

    From here on descriptor 0 is empty and 1 is standard error, for this process and its
    children: what a library prints cannot reach the client.
    """
    for descriptor in _STANDARD:
        _fill(descriptor)
    source, sink = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDWR)
    os.dup2(empty, 0)
    os.dup2(2, 1)
    os.close(empty)
    for stream in (sys.stdout, sys.stderr):
        # A log line with a letter that the console lacks must not raise.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return source, sink


def _fill(descriptor: int) -> None:
    """Put the null device where a client left a standard descriptor closed.

    Else the next file that is opened, a note perhaps, would take its number.
    """
    try:
        os.fstat(descriptor)
    except OSError:
        empty = os.open(os.devnull, os.O_RDWR)
        if empty != descriptor:
            os.dup2(empty, descriptor)
            os.close(empty)
