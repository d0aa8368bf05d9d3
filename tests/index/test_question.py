"""What a question asks for."""

from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.index.question import WORDS_MAX, ask
from mnemos_files.index.terms import STOP_NUMBER


def terms(text: str) -> list[str]:
    return [slot.term for slot in ask(text).slots]


def test_operators_and_field_names_are_words():
    assert terms('title:merge AND "branch" -force *') == ["titl", "merg", "branch", "forc"]


def test_each_word_counts_once_in_its_first_place():
    question = ask("pool size of the pool")

    assert [slot.term for slot in question.slots] == ["pool", "size"]
    assert question.pairs == ((0, 1), (1, 0))


def test_stop_words_keep_their_number():
    question = ask("the pool")

    assert question.stops == (STOP_NUMBER["the"],)
    assert question.words == (("the", -1 - STOP_NUMBER["the"]), ("pool", 0))


def test_a_name_as_a_whole_answers_for_each_of_its_parts():
    login, handler = ask("login_handler").slots

    assert login.others == handler.others == ("loginhandl",)


def test_only_long_words_stand_for_longer_ones():
    short, long = ask("pool datenbank").slots

    assert (short.prefix, long.prefix) == ("", "datenbank")


def test_one_letter_of_an_unspaced_script_stands_for_pairs_that_begin_with_it():
    assert ask("京").slots[0].prefix == "京"


def test_a_pasted_text_is_cut():
    assert len(ask("word " * 5_000).words) == WORDS_MAX


@given(st.text(max_size=200))
def test_any_text_is_a_question(text):
    question = ask(text)

    assert len({slot.term for slot in question.slots}) == len(question.slots)
