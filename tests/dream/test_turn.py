"""Two dreams at once: the second waits for the first, and has nothing left to do."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from mnemos_files.dream.run import Report, dream
from mnemos_files.dream.turn import FILE_NAME, turn
from mnemos_files.errors import UnavailableError
from mnemos_files.model.record import Record
from tests.conftest import NOON, OpenStore, git


def test_dreams_at_the_same_time_write_everything_once(
    vault: Path, many: list[Record], open_vault: OpenStore
):
    stores = [open_vault(vault) for _ in range(3)]
    now = NOON + timedelta(days=2)

    with ThreadPoolExecutor(3) as pool:
        reports: list[Report] = list(pool.map(lambda store: dream(store, now), stores))

    assert sorted(report.changed for report in reports) == [False, False, True]
    subjects = git(vault, "log", "--author=dream", "--format=%s").splitlines()
    assert subjects == [
        "dream(dream): dream pass 2026-12-03 12:00",
        "promote(skill): 1 skill from corrections",
    ]


def test_a_dream_that_another_one_keeps_waiting_says_so(vault: Path):
    (vault / ".mnemos").mkdir(exist_ok=True)
    with (
        turn(vault),
        pytest.raises(UnavailableError, match="another dream"),
        turn(vault, seconds=0.01),
    ):
        pytest.fail("both dream")


def test_the_lock_is_in_no_commit_and_ends_with_the_dream(
    vault: Path, many: list[Record], run: Callable[[], Report]
):
    run()

    with turn(vault, seconds=0.01):
        assert FILE_NAME not in git(vault, "ls-files", "-o", "-c", "--exclude-standard", ".mnemos")


def test_a_folder_without_settings_is_left_as_it_is(tmp_path: Path):
    with turn(tmp_path), turn(tmp_path):
        assert list(tmp_path.iterdir()) == []
