import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemos_files.vault.rename import SYSTEM, Renames
from tests.vault.disk import put, texts

BOTH = pytest.mark.parametrize("renames", [SYSTEM, Renames(None)], ids=["system", "fallback"])


@pytest.fixture
def folder(root: Path) -> Iterator[int]:
    descriptor = os.open(root, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


@BOTH
def test_a_move_gives_a_free_name(root: Path, folder: int, renames: Renames) -> None:
    put(root, {"a": "1"})

    renames.move(folder, "a", "b")

    assert texts(root) == {"b": "1"}


@BOTH
def test_a_move_replaces_nothing(root: Path, folder: int, renames: Renames) -> None:
    put(root, {"a": "1", "b": "2"})

    with pytest.raises(FileExistsError):
        renames.move(folder, "a", "b")

    assert texts(root) == {"a": "1", "b": "2"}


@BOTH
def test_a_move_of_nothing_is_an_error(folder: int, renames: Renames) -> None:
    with pytest.raises(FileNotFoundError):
        renames.move(folder, "a", "b")


def test_a_swap_exchanges_two_names(root: Path, folder: int) -> None:
    put(root, {"a": "1", "b": "2"})

    assert SYSTEM.swap(folder, "a", "b")

    assert texts(root) == {"a": "2", "b": "1"}


def test_a_swap_needs_both_names(root: Path, folder: int) -> None:
    put(root, {"a": "1"})

    with pytest.raises(FileNotFoundError):
        SYSTEM.swap(folder, "a", "b")


def test_without_the_systems_call_there_is_no_swap(root: Path, folder: int) -> None:
    put(root, {"a": "1", "b": "2"})

    assert not Renames(None).swap(folder, "a", "b")

    assert texts(root) == {"a": "1", "b": "2"}
