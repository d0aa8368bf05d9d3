"""The page as a whole: valid, closed in itself, and deaf to what stored texts say."""

import base64
import re
from hashlib import sha256
from itertools import pairwise

import pytest

from mnemos_files.report.page import render
from mnemos_files.report.page_facts import facts
from mnemos_files.store.store import Store
from tests.conftest import Clock
from tests.report.html import all_of, by_id, faults, name, parsed, said
from tests.report.vaults import TOKEN, filled


@pytest.fixture
def ids(store: Store, clock: Clock) -> dict[str, str]:
    return filled(store, clock)


@pytest.fixture
def text(store: Store, ids: dict[str, str]) -> str:
    return render(facts(store))


def test_an_empty_vault_has_a_page_without_a_fault(store: Store) -> None:
    tree = parsed(render(facts(store)))

    assert faults(tree) == []
    assert "No memory is linked to another one." in said(tree)
    assert "Nothing: no doubt waits" in said(tree)


def test_a_page_with_everything_is_valid_and_leads_nowhere_else(text: str) -> None:
    tree = parsed(text)

    assert faults(tree) == []
    assert [each.get("href") for each in all_of(tree, "link", "base", "iframe", "form")] == []


def test_no_stored_text_becomes_an_element(text: str) -> None:
    tree = parsed(text)

    assert len(all_of(tree, "script")) == 1
    assert len(all_of(tree, "style")) == 1
    assert all_of(tree, "img", "b", "i", "u") == []
    assert 'Orders <script>alert("x")</script><img src=x onerror=alert(1)>' in said(tree)


def test_a_secret_in_a_file_is_masked(text: str) -> None:
    assert TOKEN not in text
    assert "[secret: github-token]" in text


def test_hidden_characters_are_dropped(text: str) -> None:
    assert "invisible" in text
    assert not re.search("[\u200b\u202e]", text)


def test_a_flagged_memory_is_marked_on_its_card_and_where_it_is_named(
    text: str, ids: dict[str, str]
) -> None:
    tree = parsed(text)

    card = by_id(tree, f"m-{ids['bad']}")
    assert "flagged" in (card.get("data-state") or "").split()
    assert "Flagged by the safety scan: instruction-override" in said(card)
    rows = [said(row) for row in all_of(tree, "tr") if "Orders" in said(row)]
    assert rows
    assert all("flagged" in row for row in rows)


def test_an_id_that_is_no_name_gets_an_anchor_of_our_own(text: str) -> None:
    (card,) = [each for each in all_of(parsed(text), "article") if "By hand" in said(each)]

    assert re.fullmatch("m-[0-9a-f]{16}", card.get("id") or "")


def test_the_policy_allows_our_own_style_and_script_only(text: str) -> None:
    tree = parsed(text)
    (policy,) = [
        each.get("content")
        for each in all_of(tree, "meta")
        if each.get("http-equiv") == "Content-Security-Policy"
    ]

    digests = [
        base64.b64encode(sha256("".join(each.itertext()).encode()).digest()).decode()
        for each in (*all_of(tree, "style"), *all_of(tree, "script"))
    ]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_headings_go_down_one_step_at_a_time(text: str) -> None:
    tree = parsed(text)

    levels = [int(name(each)[1]) for each in all_of(tree, "h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert [said(each) for each in all_of(tree, "h2")] == [
        "Totals",
        "Learned and dropped",
        "Links and supersession",
        "Needs a look",
        "Used and never used",
        "Memories",
    ]


def test_tables_have_captions_and_heads_with_a_scope(text: str) -> None:
    tree = parsed(text)

    tables = all_of(tree, "table")
    assert len(tables) > 8
    assert all(said(all_of(table, "caption")[0]) for table in tables)
    assert {each.get("scope") for each in all_of(tree, "th")} == {"col", "row"}


def test_drawings_have_a_title_and_a_description(text: str) -> None:
    drawings = [each for each in all_of(parsed(text), "svg") if each.get("role") == "img"]

    assert len(drawings) == 2
    for each in drawings:
        assert [name(child) for child in each[:2]] == ["title", "desc"]


def test_a_card_says_what_is_known_of_a_memory(text: str, ids: dict[str, str]) -> None:
    card = by_id(parsed(text), f"m-{ids['mid']}")

    told = said(card)
    assert told.startswith("Use scrypt replaced decision replaced 2026-12-01")
    assert "trust curated, source user" in told
    assert "N is 2^15." in told
    assert "1. " not in told
    assert "2026-12-01 Use bcrypt replaced 2026-12-01 this one 2026-12-01 Use Argon2id" in told
    links = [each.get("href") for each in all_of(card, "a")]
    assert links == [f"#m-{ids['old']}", f"#m-{ids['new']}"]


def test_a_deleted_memory_is_told_without_a_way_to_it(text: str, ids: dict[str, str]) -> None:
    tree = parsed(text)

    (row,) = [row for row in all_of(tree, "tr") if said(row).startswith("Deleted later")]
    assert all_of(row, "a") == []
    assert ids["lost"] not in text


def test_the_same_vault_and_time_give_the_same_bytes(
    store: Store, ids: dict[str, str], open_vault
) -> None:
    again = open_vault(store.place.vault.root)

    assert render(facts(store)) == render(facts(again)) == render(facts(store))


def test_a_page_of_a_project_has_its_memories_and_those_of_all(
    store: Store, ids: dict[str, str]
) -> None:
    tree = parsed(render(facts(store, project="web")))

    assert faults(tree) == []
    assert [said(all_of(each, "h4")[0]) for each in all_of(tree, "article")] == [
        "Rotate hashes",
        "Seldom asked",
    ]


def test_a_vault_without_git_says_that_it_has_no_deletions(tmp_path, open_vault) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    (root / "observations").mkdir()
    file = root / "observations" / "note.md"
    file.write_text("---\ntype: decision\ntitle: T\n---\nC\n", encoding="utf-8")

    tree = parsed(render(facts(open_vault(root))))

    assert faults(tree) == []
    assert "The vault has no git history" in said(tree)
