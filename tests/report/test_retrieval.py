"""Probes of the vault's own search."""

from datetime import timedelta
from pathlib import Path

from mnemos_files.model.record import Record
from mnemos_files.operations.schema import to_json
from mnemos_files.report.fixture import Probe
from mnemos_files.report.retrieval import lines, probed
from mnemos_files.store.store import Store
from tests.conftest import NOON
from tests.report.days import save
from tests.report.skills import save_skill


def probe(record: Record, *queries: str, **fields: object) -> Probe:
    return Probe(record.id, queries, **fields)


def test_probes_pass_by_their_best_query(store: Store) -> None:
    hashing = save(store, title="Use Argon2id for password hashing", content="64 MiB.")
    save(store, title="Parcels have a weight", content="In grams.")

    result = probed(store, [probe(hashing, "zebra crossing", "password hashing", title="Hash")])

    assert [*lines(result)] == [
        "ok     1 of 5    Hash",
        "retrieval: 1 of 1 passed",
    ]
    assert to_json(result) == {
        "probes": [
            {
                "id": hashing.id,
                "title": "Hash",
                "passed": True,
                "expect_in_top": 5,
                "best_rank": 1,
                "query": "password hashing",
            }
        ],
        "passed": 1,
        "failed": 0,
    }


def test_a_near_miss_has_its_rank(store: Store) -> None:
    for number in range(3):
        save(store, title=f"password hashing {number}", content="password hashing " * 3)
    last = save(store, title="Other", content="password hashing, and much else about it")

    result = probed(store, [probe(last, "password hashing", expect_in_top=1)])

    one = result.probes[0]
    assert (one.passed, one.best_rank, one.reason) == (False, 4, "not in the first 1")


def test_a_memory_that_is_hidden_is_told_why(store: Store, vault: Path) -> None:
    raw = save(store, title="quarantined hash", content="x", trust_tier="raw", source_kind="tool")
    ended = save(store, title="old hash", content="x", valid_until=NOON - timedelta(days=1))
    skill = save_skill(store, "hash")
    other = save(store, title="Nothing of the kind", content="Weights are in grams.")
    gone = Probe("01KBC3W6H5M0V2T8N4Q9F7K3QX", ("hash",))

    hidden = [probe(one, "hash") for one in (raw, ended, skill)]
    result = probed(store, [*hidden, gone, probe(other, "hash")])

    assert [*lines(result)] == [
        "FAIL   - of 5    quarantined hash: quarantined (raw), so no search shows it",
        "FAIL   - of 5    old hash: no longer holds, so no search shows it",
        "FAIL   - of 5    hash: a skill is found only by its type",
        "FAIL   - of 5    01KBC3W6H5M0V2T8N4Q9F7K3QX: not in the vault",
        "FAIL   - of 5    Nothing of the kind: not in the first 15",
        "retrieval: 0 of 5 passed",
    ]


def test_a_project_narrows_the_search_as_for_a_client(store: Store) -> None:
    web = save(store, title="hash of the web", content="x", project="web")

    passed = [
        probed(store, [probe(web, "hash", project=name)]).passed for name in ("", "web", "api")
    ]

    assert passed == [1, 1, 0]


def test_a_persons_note_is_probed_by_its_path(store: Store, vault: Path) -> None:
    (vault / "hashes.md").write_text("How we hash passwords.\n", encoding="utf-8")

    assert probed(store, [Probe("hashes.md", ("hash passwords",))]).passed == 1


def test_a_probe_leaves_no_trace(store: Store, vault: Path) -> None:
    record = save(store, title="hash", content="x")
    before = store.journal.tally()

    probed(store, [probe(record, "hash")])

    assert store.journal.tally() == before


def test_an_empty_vault_fails_every_probe(store: Store) -> None:
    result = probed(store, [Probe("x", ("hash",)), Probe("y", ("hash",))])

    assert (result.passed, result.failed) == (0, 2)
