"""Runs a command of a fixture: no shell, bounded in time and output, nothing of it left over."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from mnemos_files.report.trials import Output

OUTPUT_BYTES_MAX = 4_000_000
"""Output of a run [bytes] from which on it is stopped."""

_CHUNK = 2**16
_PATIENCE_SECONDS = 0.1
_TAIL = 200


class _StoppedError(Exception):
    """A run did not end by itself within its bounds."""


def run_command(argv: Sequence[str], environ: Mapping[str, str], timeout_seconds: float) -> Output:
    """What the command prints until it ends, or is stopped together with all that it started."""
    try:
        process = subprocess.Popen(  # noqa: S603 - the person named the fixture to be run
            argv,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # no such program; a NUL in an argument
        return Output("", f"cannot be run: {error}")
    printed, problem = bytearray(), ""
    try:
        for chunk in _chunks(process, timeout_seconds):
            printed += chunk
            if len(printed) > OUTPUT_BYTES_MAX:
                problem = f"printed more than {OUTPUT_BYTES_MAX} bytes"
                break
    except _StoppedError:
        problem = f"did not end within {timeout_seconds:g} s"
    finally:
        _end(process)
    text = printed[:OUTPUT_BYTES_MAX].decode("utf-8", "replace")
    if not problem and process.returncode:
        problem = f"ended with {process.returncode}: {text[-_TAIL:].strip()}"
    return Output(text, problem)


def _chunks(process: subprocess.Popen[bytes], timeout_seconds: float) -> Iterator[bytes]:
    """What is printed, until the command has ended.

    Raises:
        _StoppedError: it has not ended in time.
    """
    deadline = time.monotonic() + timeout_seconds
    with selectors.DefaultSelector() as selector:
        if process.stdout is not None:
            selector.register(process.stdout, selectors.EVENT_READ)
        while (chunk := _next(selector, process)) is not None:
            yield chunk
            if time.monotonic() >= deadline:
                raise _StoppedError
    try:
        process.wait(max(deadline - time.monotonic(), _PATIENCE_SECONDS))
    except subprocess.TimeoutExpired as error:  # it has closed its output and goes on
        raise _StoppedError from error


def _next(selector: selectors.BaseSelector, process: subprocess.Popen[bytes]) -> bytes | None:
    """The next piece, empty when there is none yet, None when there will be none."""
    for key, _ in selector.select(_PATIENCE_SECONDS):
        return os.read(key.fd, _CHUNK) or None
    # What an ended command left running may keep the pipe open.
    return b"" if process.poll() is None else None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop whatever of the command still runs; its group has no other processes in it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
