import errno
import os

import pytest

from mnemos_files.errors import RefusedError, UnavailableError
from mnemos_files.vault.failures import file_failure


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.ENOSPC, "a/b.md: the disk is full"),
        (errno.EDQUOT, "a/b.md: the disk quota is used up"),
        (errno.EROFS, "a/b.md: the file system is read-only"),
        (errno.EACCES, "a/b.md: the system forbids it"),
        (errno.EMFILE, "a/b.md: Too many open files"),
    ],
)
def test_a_system_error_says_in_a_sentence_what_is_wrong(number: int, message: str) -> None:
    error = file_failure(OSError(number, os.strerror(number), "/home/ines/secret"), "a/b.md")

    assert isinstance(error, UnavailableError)
    assert str(error) == message
    assert error.remedy


@pytest.mark.parametrize("number", [errno.ELOOP, errno.ENOTDIR, errno.ENAMETOOLONG])
def test_a_path_that_cannot_be_is_refused(number: int) -> None:
    assert isinstance(file_failure(OSError(number, "x"), "a/b.md"), RefusedError)
