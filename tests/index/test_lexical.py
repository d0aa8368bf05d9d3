"""Scores worked out by hand from the formulas in docs/ranking.md."""

# ruff: noqa: RUF001 - Cyrillic is meant

import math
from datetime import UTC, datetime

import pytest

from mnemos_files.index import lexical
from mnemos_files.index.question import ask
from tests.index.conftest import found, note, search

NOON_IN_MAY = datetime(2023, 5, 8, 12, tzinfo=UTC)


def scores(index, text: str) -> dict[str, float]:
    view = index._snapshot()
    values = lexical.score(ask(text), view, view).scores
    return {str(view.entry(place).path): float(values[place]) for place in range(view.size)}


def test_one_word_in_one_of_two_equal_notes(index):
    # Both notes have 4 terms (the title counts twice), so the length factor is 1:
    # saturation = 1 * 1.9 / (1 + 0.9), divided by the ceiling of 1.9.
    index.apply([note("a.md", "fog", title="x1"), note("b.md", "sun", title="x2")], ())

    assert scores(index, "fog")["a.md"] == pytest.approx(1 / 1.9, abs=1e-6)
    assert scores(index, "fog")["b.md"] == 0


def test_a_longer_note_scores_less(index):
    # Lengths 3 and 7, mean 5: norm = 0.9 * (0.6 + 0.4 * 3 / 5) and 0.9 * (0.6 + 0.4 * 7 / 5).
    index.apply(
        [note("a.md", "fog", title="x"), note("b.md", "fog sun ice hail rain", title="y")], ()
    )

    assert scores(index, "fog")["a.md"] == pytest.approx(1 / (1 + 0.9 * 0.84), abs=1e-6)
    assert scores(index, "fog")["b.md"] == pytest.approx(1 / (1 + 0.9 * 1.16), abs=1e-6)


def test_a_word_that_no_note_has_counts_in_the_ceiling(index):
    # idf(1 of 2) = ln(1 + 1.5 / 1.5), idf(0 of 2) = ln(1 + 2.5 / 0.5); a pair weighs half of both.
    index.apply([note("a.md", "fog", title="x1"), note("b.md", "sun", title="x2")], ())
    known, unknown = math.log(2), math.log(6)

    expected = known / 1.9 / (known + unknown + 0.5 * (known + unknown))

    assert scores(index, "fog zeppelin")["a.md"] == pytest.approx(expected, abs=1e-6)


def test_neighbouring_words_add_half_of_their_weights(index):
    index.apply([note("a.md", "fog horn", title="x1"), note("b.md", "horn fog", title="x2")], ())

    # Saturation 1.9 / (1 + 0.9) for both words and for the pair: the whole ceiling but for 1.9.
    assert scores(index, "fog horn")["a.md"] == pytest.approx(1 / 1.9, abs=1e-6)
    assert scores(index, "fog horn")["b.md"] == pytest.approx(1 / 1.5 / 1.9, abs=1e-6)


def test_no_pair_reaches_from_the_title_into_the_text(index):
    index.apply([note("a.md", "horn", title="fog"), note("b.md", "fog horn", title="fog")], ())

    assert scores(index, "fog horn")["b.md"] > 1.4 * scores(index, "fog horn")["a.md"]


def test_scores_stay_below_one(index):
    index.apply([note("a.md", "fog horn " * 500), note("b.md", "sun")], ())

    assert 0.9 < scores(index, "fog horn")["a.md"] < 1


def test_a_question_of_stop_words_finds_them(index):
    index.apply([note("a.md", "The Who, live"), note("b.md", "the pier"), note("c.md", "sun")], ())

    ranked = scores(index, "the who")

    assert ranked["a.md"] > ranked["b.md"] > ranked["c.md"] == 0


def test_stop_words_do_not_count_beside_others(index):
    index.apply([note("a.md", "the the the"), note("b.md", "pier")], ())

    assert scores(index, "the pier")["a.md"] == 0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("login_handler", "see login_handler.py"),
        ("handler", "see login_handler.py"),
        ("src/auth/login_handler.py", "in src/auth/login_handler.py:12"),
        ("getUserById", "calls getUserById()"),
        ("getuserbyid", "calls getUserById()"),
        ("get user by id", "calls getUserById()"),
        ("getUserById", "to get a user by their id"),
        ("get_user_by_id", "calls getUserById()"),
        ("nodejs", "runs on node.js"),
        ("node.js", "runs on nodejs"),
        ("dont", "don't do it"),
        ("don't panic", "dont panic"),
        ("v1.10.2", "needs libfoo 1.10.2"),
        ("1.10.2", "released as v1.10.2"),
        ("CVE-2026-1234", "patched cve-2026-1234"),
        ("E1234", "fails with E1234."),
        ("--no-verify", "never use --no-verify"),
        ("GB/s", "reads 3 GB/s"),
        ("munchen", "in München"),
        ("Muenchen", "in München"),
        ("München", "in Muenchen"),
        ("grosse", "die Größe"),
        ("Datenbank", "die Datenbankverbindung"),
        ("天気", "東京の天気は"),
        ("京", "京都"),
        ("京", "東京"),
        ("회의", "내일 회의는 아홉시"),
        ("Погода", "погода в горах"),
        ("\ufb01le", "the file"),
        ("🚢", "🚢 booked"),
    ],
)
def test_a_word_is_found_however_it_is_written(index, question, text):
    index.apply([note("right.md", text, title="x")], ())
    index.apply([note(f"{n}.md", f"something else {n}", title="x") for n in "pqrst"], ())

    ranked = scores(index, question)

    assert ranked["right.md"] > 0
    assert ranked["right.md"] == max(ranked.values())
    assert sum(value > 0 for value in ranked.values()) == 1


@pytest.mark.parametrize(
    ("question", "exact", "other"),
    [
        ("café", "the café", "the cafe"),
        ("cafe", "the cafe", "the café"),
        ("login_handler", "login_handler", "handler of the login"),
        ("Datenbank", "Datenbank", "Datenbankverbindung"),
        ("C++", "C++ core", "C# core"),
    ],
)
def test_the_exact_form_comes_first(index, question, exact, other):
    index.apply([note("other.md", other, title="x1"), note("exact.md", exact, title="x2")], ())

    ranked = scores(index, question)

    assert ranked["exact.md"] > ranked["other.md"]


def test_c_plus_plus_does_not_find_c_sharp(index):
    index.apply([note("a.md", "C# only", title="x1"), note("b.md", "the letter C", title="x2")], ())

    assert scores(index, "C++") == {"a.md": 0, "b.md": 0}


def test_a_word_of_the_path_is_found(index):
    index.apply([note("billing-api/limits.md", "100 a minute", title="x"), note("b.md", "sun")], ())

    assert found(index, "billing")[0] == "billing-api/limits.md"


def test_the_day_of_a_note_is_found_in_words(index):
    from_may = note("a.md", "fog", created=NOON_IN_MAY)
    index.apply([from_may, note("b.md", "fog")], ())

    assert found(index, "8 May 2023")[0] == "a.md"


def test_more_words_do_not_lose_the_note(index):
    index.apply([note(f"{n}.md", f"unrelated text {n}") for n in range(30)], ())
    index.apply([note("right.md", "The cellar key hangs behind the coat rack.")], ())

    long = "where did we put the cellar key last year after the party, does anyone remember"

    assert "right.md" in found(index, long)[:5]
    assert search(index, long).total >= 1
