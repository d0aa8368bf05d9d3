import subprocess
import sys
from pathlib import Path

import pytest

from mnemos_files import errors
from mnemos_files.cli.errors import EXIT_CODES, exit_code, message_of
from mnemos_files.errors import (
    AmbiguousNameError,
    ChangedOnDiskError,
    CorruptError,
    InvalidQueryError,
    InvalidRecordError,
    MnemosError,
    NotFoundError,
    RefusedError,
    UnavailableError,
)


def test_every_class_of_error_has_its_exit_code():
    samples = {
        InvalidRecordError("title", "is empty"): 2,
        InvalidQueryError("limit", "is too high"): 2,
        NotFoundError("x"): 3,
        AmbiguousNameError("x", ["a", "b"]): 3,
        ChangedOnDiskError("a.md"): 4,
        RefusedError("rule", "no"): 5,
        CorruptError("a.md", 1, "broken"): 6,
        UnavailableError("busy"): 75,
    }

    assert {error: exit_code(error) for error in samples} == samples


def test_the_table_covers_the_first_level_of_the_tree():
    classes = {cls for cls in vars(errors).values() if isinstance(cls, type)}
    first = {cls for cls in classes if MnemosError in cls.__bases__}

    assert first <= set(EXIT_CODES)


def test_a_message_says_what_happened_and_what_to_do():
    error = UnavailableError("the vault is busy", remedy="Try again.")

    assert message_of(error) == "error: the vault is busy\nTry again."


def test_the_nearest_names_are_told_once():
    assert message_of(NotFoundError("auht", candidates=["auth"])) == (
        "error: no note is called 'auht'\nnearest: auth"
    )
    assert message_of(AmbiguousNameError("x", ["a/x", "b/x"])).count("a/x") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_an_output_that_cannot_be_written_is_an_error_of_the_system(tmp_path: Path):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "mnemos_files", "search", "x", "--vault", str(tmp_path)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert (done.returncode, done.stderr) == (74, "error: [Errno 28] No space left on device\n")
