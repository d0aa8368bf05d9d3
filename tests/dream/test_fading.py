"""What counts for less is told, and nothing is written."""

from datetime import timedelta
from pathlib import Path

from mnemos_files.dream.fading import Fading, fading
from mnemos_files.dream.run import dream
from mnemos_files.dream.text import lines
from mnemos_files.model.event import Accessed
from mnemos_files.store.store import Store
from tests.conftest import NOON, an_observation, git

MONTH = timedelta(days=30)
SECOND = timedelta(seconds=1)


def saved(store: Store, title: str, **fields: object) -> str:
    record = an_observation(store, title=title, content=title, **fields)
    return store.put(record).record.id


def test_memories_that_nobody_saw_for_a_month_are_counted_by_what_is_left(store: Store):
    saved(store, "five", importance=5)
    saved(store, "six", importance=6)
    saved(store, "rule", type="convention", importance=8)
    seen = saved(store, "seen", importance=5)
    store.journal.append([Accessed(NOON + MONTH, (seen,))])

    assert fading(store, NOON + MONTH).count == 0
    found = fading(store, NOON + MONTH + SECOND)

    assert (found.count, found.left) == (2, {4: 1, 5: 1})


def test_what_never_mattered_and_nobody_ever_saw_is_proposed(store: Store):
    saved(store, "low", importance=3)
    saved(store, "raw", importance=5, trust_tier="raw", source_kind="tool")
    saved(store, "middle", importance=4)
    seen = saved(store, "seen", importance=2)
    store.journal.append([Accessed(NOON, (seen,))])

    early = fading(store, NOON + 2 * MONTH + SECOND)
    late = fading(store, NOON + 12 * MONTH)

    assert [one.title for one in early.spent] == ["low"]
    assert {one.title for one in late.spent} == {"low", "raw"}
    assert late.left == {1: 4}


def test_the_report_names_some_and_deletes_none(store: Store, vault: Path):
    for number in range(21):
        saved(store, f"low {number}", importance=1 + number % 3)
    head = git(vault, "rev-parse", "HEAD")

    report = dream(store, NOON + 12 * MONTH)

    assert git(vault, "rev-parse", "HEAD") == head
    told = lines(report)
    assert "decay: 14 memories count for less than stated: 14 for 1" in told
    assert sum("could expire: low" in line for line in told) == 20
    assert "  ? and 1 more" in told


def test_an_empty_vault_has_nothing_that_fades(store: Store):
    assert fading(store, NOON) == Fading()
