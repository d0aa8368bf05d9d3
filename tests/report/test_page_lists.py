"""The tables of a page, each with its rows."""

import pytest

from mnemos_files.report.page_facts import facts
from mnemos_files.report.page_lists import CONCERNS, ROWS_MAX, USAGE
from mnemos_files.report.page_values import Listing, Mention, Page
from mnemos_files.store.store import Store
from tests.conftest import Clock
from tests.report.vaults import SCRIPT, filled, save

ORDERS = f"Orders {SCRIPT}"


@pytest.fixture
def page(store: Store, clock: Clock) -> Page:
    filled(store, clock)
    return facts(store)


def rows(listing: Listing) -> list[tuple[str, ...]]:
    return [
        tuple(cell.title if isinstance(cell, Mention) else cell for cell in row)
        for row in listing.rows
    ]


def test_every_table_has_rows_where_there_is_something_to_tell(page: Page) -> None:
    assert [one.anchor for one in page.concerns] == [table.anchor for table in CONCERNS]
    assert [one.anchor for one in page.usage] == ["projects", *(t.anchor for t in USAGE)]


def test_what_needs_a_look_is_named_with_the_reason(page: Page) -> None:
    tables = {one.anchor: rows(one) for one in page.concerns}

    assert tables == {
        "doubts": [
            ("Use Argon2id", "high", "Two memories say <other> things", "2027-02-09"),
        ],
        "contradictions": [("Use Argon2id", "Hashes are slow", "2026-12-01")],
        "flagged": [(ORDERS, "import", "curated")],
        "raw": [("Hashes are slow", "tool", "2026-12-01", "70")],
        "fading": [
            ("By hand & <b>bold</b>", "5", "3", "never"),
            ("Hashes are slow", "5", "3", "never"),
            (ORDERS, "5", "3", "never"),
            ("Seldom asked", "8", "6", "never"),
        ],
        "expired": [("For a day", "2026-12-01")],
        "loose": [
            (
                "By hand & <b>bold</b>",
                "related",
                "nowhere <a href='http://evil.example'>",
                "no note",
            )
        ],
    }


def test_use_is_counted_by_the_journal(page: Page) -> None:
    tables = {one.anchor: rows(one) for one in page.usage}

    assert tables["most-used"] == [
        ("Use Argon2id", "2", "2027-02-09"),
        ("Use bcrypt", "1", "2027-02-09"),
    ]
    assert [row[0] for row in tables["never-used"]] == [
        "By hand & <b>bold</b>",
        ORDERS,
        "Seldom asked",
    ]
    assert tables["skills"] == [("Rotate hashes", "1", "1", "2027-02-09")]
    assert tables["projects"][0] == ("api", "6", "3", "1", "2", "4")


def test_a_long_table_says_how_much_is_left_out(store: Store, clock: Clock) -> None:
    for number in range(ROWS_MAX + 3):
        save(store, clock, f"Raw {number}", content=f"{number}", trust_tier="raw")

    (table,) = [one for one in facts(store).concerns if one.anchor == "raw"]

    assert (len(table.rows), table.more) == (ROWS_MAX, 3)
