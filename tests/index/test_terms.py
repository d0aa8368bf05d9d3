"""What a text is found by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.index.question import ask
from mnemos_files.index.scripts import TOKEN, tokens
from mnemos_files.index.terms import STOP_NUMBER, TERM_LENGTH_MAX, analyse, names


def sequence(text: str) -> tuple[str, ...]:
    return analyse(text).sequence


def everything(text: str) -> set[str]:
    terms = analyse(text)
    return {*terms.sequence, *(term for term, weight in terms.extras.items() if weight > 0)}


def test_words_are_stemmed_and_stop_words_left_out():
    assert sequence("The migrations are running") == ("migrat", "run")


def test_stop_words_are_kept_by_number():
    assert analyse("the who").stops == {STOP_NUMBER["the"], STOP_NUMBER["who"]}


@pytest.mark.parametrize(
    ("text", "parts", "whole"),
    [
        ("login_handler", ("login", "handler"), "loginhandl"),
        ("tenant-id", ("tenant", "id"), "tenantid"),
        ("node.js", ("node", "js"), "nodej"),
        ("GB/s", ("gb",), "gbs"),
        ("don't", (), "dont"),
        ("CVE-2026-1234", ("cve", "2026", "1234"), "cve20261234"),
        ("v1.10.2", ("1", "10", "2"), "1102"),
        ("1.10.2", ("1", "10", "2"), "1102"),
    ],
)
def test_an_identifier_is_found_whole_and_by_its_parts(text, parts, whole):
    assert sequence(text) == parts
    assert whole in everything(text)


def test_every_level_of_a_path_is_a_name():
    assert names("src/auth/login_handler.py") == (
        "srcauthloginhandlerpi",
        "loginhandlerpi",
        "loginhandl",
    )


@pytest.mark.parametrize(
    ("name", "whole", "parts"),
    [
        ("getUserById", "getuserbyid", {"get", "user", "id"}),
        ("HTTPServer", "httpserver", {"http", "server"}),
        ("PascalCase2", "pascalcase2", {"pascal", "case2"}),
    ],
)
def test_camel_case_is_one_word_and_its_parts_beside_it(name, whole, parts):
    assert sequence(name) == (whole,)
    assert everything(name) == {whole, *parts}


def test_c_plus_plus_and_c_sharp_are_words_of_their_own():
    assert sequence("C++17 and C#") == ("c++", "17", "c#")
    assert "c" not in everything("C++ or C#")


def test_scripts_without_spaces_give_overlapping_pairs():
    assert sequence("東京の天気") == ("東京", "京の", "の天", "天気")
    assert sequence("회의") == ("회의",)
    assert sequence("京") == ("京",)
    assert "気" in everything("東京の天気")


def test_mixed_scripts_are_parted():
    assert sequence("在billing-api中") == ("在", "bill", "api", "中")


def test_thai_vowel_signs_stay_inside_their_run():
    assert sequence("ที่นี่") == ("ที", "ี่", "่น", "นี", "ี่")


def test_vowel_signs_of_hindi_do_not_cut_words():
    assert sequence("हिन्दी में") == ("हिन्दी", "में")


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("café", "cafe"),
        ("München", "munchen"),
        ("Größe", "gross"),
        ("Ёлка", "елка"),
        ("Øresund", "oresund"),
        ("\uff21\uff22\uff23", "abc"),  # full-width letters
        ("ﬁle", "file"),
        ("Ταξίδι", "ταξιδι"),
    ],
)
def test_accents_and_forms_are_folded(text, term):
    assert sequence(text) == (term,)


def test_the_exact_spelling_is_a_term_too_and_the_folded_one_weighs_less():
    extras = analyse("München").extras

    assert extras["münchen"] == 1.0
    assert extras["muenchen"] == 1.0
    assert extras["munchen"] == pytest.approx(-0.1)


def test_pictures_are_words():
    assert sequence("🚢🚢 booked") == ("🚢", "🚢", "book")


def test_a_long_run_is_cut_not_dropped():
    assert sequence("x" * 10_000) == ("x" * TERM_LENGTH_MAX,)


@given(st.text(max_size=300))
def test_any_text_has_terms_that_fit_the_index(text):
    for term in everything(text):
        assert term
        assert " " not in term
        assert len(term) <= TERM_LENGTH_MAX


def test_a_long_run_without_signs_is_analysed_in_linear_time():
    # Each of these took more than ten seconds when a run was tried at each of its letters.
    analysed = analyse("f" * 100_000 + ",")

    assert len(analysed.sequence) == 1
    assert len(ask("a_" * 4_000).slots) <= 200
    assert len(ask("x" * 1_000_000).slots) == 1


@given(st.text(st.sampled_from("aC1+# _-.\n\t/é密"), max_size=40))
def test_plain_texts_are_parted_into_the_words_that_the_rule_gives(text):
    assert tokens(text) == TOKEN.findall(text)
