"""Is a memory found by the words that a person would use? Asked of the product's own search."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mnemos_files.model.note import Entry
from mnemos_files.model.query import LIMIT_MAX, Query
from mnemos_files.report.fixture import Probe
from mnemos_files.report.markdown import inline
from mnemos_files.store.store import Store

LEAST_HITS = 10
DEPTH = 3
"""A probe looks so many times deeper than it must be [1], so that a near miss has a rank."""

TITLE_BYTES = 120


@dataclass(frozen=True)
class Probed:
    """What became of a probe: its best rank [from 1] and with which query, None if never found.

    `reason` tells why it was not found, as far as the memory itself tells it.
    """

    id: str
    title: str
    passed: bool
    expect_in_top: int
    best_rank: int | None
    query: str | None
    reason: str | None


@dataclass(frozen=True)
class Retrieval:
    """All probes and how many passed."""

    probes: list[Probed]
    passed: int
    failed: int


def probed(store: Store, probes: Sequence[Probe]) -> Retrieval:
    """Every probe asked of the search, as a client would ask.

    Raises:
        UnavailableError: the vault is gone.
    """
    done = [_probed(store, probe) for probe in probes]
    passed = sum(one.passed for one in done)
    return Retrieval(done, passed, len(done) - passed)


def lines(result: Retrieval) -> Iterator[str]:
    """The result for people."""
    for one in result.probes:
        rank = "-" if one.best_rank is None else str(one.best_rank)
        why = f": {one.reason}" if one.reason else ""
        word = "ok" if one.passed else "FAIL"
        yield f"{word:<5}{rank:>3} of {one.expect_in_top:<3}  {one.title}{why}"
    yield f"retrieval: {result.passed} of {result.passed + result.failed} passed"


def _probed(store: Store, probe: Probe) -> Probed:
    ranks = [(rank, query) for query in probe.queries if (rank := _rank(store, probe, query))]
    best, query = min(ranks, key=lambda pair: pair[0], default=(None, None))
    passed = best is not None and best <= probe.expect_in_top
    entry = _entry(store, probe.id)
    return Probed(
        id=inline(probe.id, "import"),
        title=_title(probe, entry),
        passed=passed,
        expect_in_top=probe.expect_in_top,
        best_rank=best,
        query=query,
        reason=None if passed else _reason(store, probe, entry, best),
    )


def _rank(store: Store, probe: Probe, query: str) -> int:
    """Place of the memory among the hits, 0 when it is not there."""
    answer = store.search(
        Query(text=query, now=store.now(), project=probe.project, limit=_depth(probe))
    )
    entries = [found.hit.entry for found in answer.found]
    places = [n for n, entry in enumerate(entries, 1) if probe.id in _names(entry)]
    return places[0] if places else 0


def _depth(probe: Probe) -> int:
    return min(max(LEAST_HITS, DEPTH * probe.expect_in_top), LIMIT_MAX)


def _names(entry: Entry) -> tuple[str, str]:
    return entry.record.id, str(entry.path)


def _entry(store: Store, name: str) -> Entry | None:
    paths = store.index.by_id(name)
    return store.index.entry(paths[0] if paths else name)


def _title(probe: Probe, entry: Entry | None) -> str:
    if probe.title or entry is None:
        return inline(probe.title or probe.id, "import", TITLE_BYTES)
    return inline(entry.record.title, "import", TITLE_BYTES)


def _reason(store: Store, probe: Probe, entry: Entry | None, best: int | None) -> str:
    """Why the memory was not found: the first of these that is the case."""
    if entry is None:
        return "not in the vault"
    record = entry.record
    hidden = (
        (record.trust_tier == "raw", "quarantined (raw), so no search shows it"),
        (not record.is_live(store.now()), "no longer holds, so no search shows it"),
        (not record.kind.is_saved, f"a {record.kind.name} is found only by its type"),
    )
    depth = _depth(probe) if best is None else probe.expect_in_top
    return next((why for is_so, why in hidden if is_so), f"not in the first {depth}")
