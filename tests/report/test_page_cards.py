"""Which memories get a card when there is no room for all of them."""

from xml.etree.ElementTree import tostring

import pytest

from mnemos_files.report import page_cards
from mnemos_files.report.page import render
from mnemos_files.report.page_facts import facts
from mnemos_files.report.page_values import Mention, Page
from mnemos_files.store.store import Store
from tests.conftest import Clock
from tests.report.html import all_of, faults, parsed, said
from tests.report.vaults import filled, save


@pytest.fixture
def many(store: Store, clock: Clock) -> None:
    filled(store, clock)
    for number in range(30):
        save(store, clock, f"Filler {number}", content="word " * 300, project=f"p{number}")


def test_a_page_that_is_full_says_what_is_left_out(
    store: Store, many: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cards, "CARDS_BYTES", 30_000)

    page = facts(store)
    tree = parsed(render(page))

    assert 0 < page.shown < page.total == 39
    assert faults(tree) == []
    assert f"{page.shown} of 39, by project" in said(tree)
    assert "mnemos-files report --project NAME" in said(tree)
    assert len(all_of(tree, "article")) == page.shown


def test_what_the_page_names_elsewhere_comes_first(
    store: Store, many: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cards, "CARDS_MAX", 39)
    named = {mention.title for mention in _named(facts(store))}
    monkeypatch.setattr(page_cards, "CARDS_MAX", len(named))

    titles = [card.title for one in facts(store).sections for card in one.cards]

    assert set(titles) == named


def _named(page: Page) -> list[Mention]:
    """The memories that the tables and drawings of a page name."""
    tables = (*page.concerns, *page.usage[1:], *page.timeline.news)
    cells = [cell for table in tables for row in table.rows for cell in row]
    cells += [row.memory for picture in page.pictures for row in picture.rows]
    return [cell for cell in cells if isinstance(cell, Mention) and cell.anchor]


def test_a_page_is_about_as_large_as_was_reckoned(
    store: Store, many: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cards, "CARDS_BYTES", 20_000)

    cards = all_of(parsed(render(facts(store))), "article")

    written = sum(len(tostring(card, encoding="utf-8")) for card in cards)
    assert 14_000 < written <= 20_000


def test_a_file_that_went_away_meanwhile_has_a_card_without_text(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = save(store, clock, "Fleeting", content="Soon gone.")
    vault = store.place.vault
    path = store.index.by_id(one.id)[0]
    monkeypatch.setattr(store, "refresh", lambda: 0)
    (vault.root / path).unlink()

    (card,) = [card for section in facts(store).sections for card in section.cards]

    assert (card.title, card.parts) == ("Fleeting", ())
