"""A large vault makes a page that a phone can still open."""

import time
from pathlib import Path

import pytest

from mnemos_files.report.page import render
from mnemos_files.report.page_facts import facts
from tests.benchmarks.notes import make, write
from tests.conftest import OpenStore
from tests.report.html import all_of, faults, parsed


@pytest.mark.slow
@pytest.mark.parametrize(("count", "least"), [(2_000, 2_000), (10_000, 1_500)])
def test_a_page_stays_below_3_mb(
    tmp_path: Path, open_vault: OpenStore, count: int, least: int
) -> None:
    root = tmp_path / "large"
    write(make(count), root)
    store = open_vault(root)
    store.finish()

    start = time.process_time()
    page = facts(store)
    text = render(page)
    seconds = time.process_time() - start

    assert len(text.encode()) <= 3_000_000
    assert page.shown >= least
    assert page.total == count
    assert seconds < 60  # measured: docs/reports.md
    tree = parsed(text)
    assert faults(tree) == []
    assert len(all_of(tree, "article")) == page.shown
