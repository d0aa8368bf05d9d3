"""The text of a commit."""

import subprocess

import pytest

from mnemos_files.history.message import one_line, parse_message, render_message
from mnemos_files.history.values import Change


def trailers_by_git(message: str) -> list[str]:
    command = ["git", "interpret-trailers", "--parse"]
    done = subprocess.run(command, input=message, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_a_message_is_subject_body_and_trailers():
    made = Change(
        {}, "save(decision): Use Argon2id", "A pentest.\n", (("Mnemos-Op", "save"), ("X", "1"))
    )

    text = render_message(made)

    assert text == "save(decision): Use Argon2id\n\nA pentest.\n\nMnemos-Op: save\nX: 1\n"
    assert trailers_by_git(text) == ["Mnemos-Op: save", "X: 1"]


def test_a_subject_of_72_characters_stays_whole():
    title = "save(decision): " + "x" * 56

    assert render_message(Change({}, title)) == title + "\n"


def test_a_longer_subject_ends_at_a_word_with_an_ellipsis():
    title = "save(decision): " + "word " * 20

    subject = render_message(Change({}, title)).strip()

    assert subject == "save(decision): word word word word word word word word word word word…"


def test_a_word_that_fills_the_line_is_cut_inside():
    subject = render_message(Change({}, "save(decision): " + "x" * 100)).strip()

    assert subject == "save(decision): " + "x" * 55 + "…"


@pytest.mark.parametrize("title", ["", " \n\t", "\x00\x07"])
def test_a_subject_without_text_still_names_something(title):
    assert render_message(Change({}, title)) == "update\n"


def test_control_characters_and_line_ends_leave_the_subject():
    assert render_message(Change({}, "a\nb\x1b[31m\u2028c\ttab")) == "a b [31m c tab\n"


def test_a_value_cannot_add_a_trailer():
    made = Change({}, "s", "", (("Mnemos-Agent", "x\nMnemos-Op: delete\r\n\nY: z"),))

    text = render_message(made)

    assert trailers_by_git(text) == ["Mnemos-Agent: x Mnemos-Op: delete Y: z"]


def test_an_empty_value_makes_no_trailer():
    assert render_message(Change({}, "s", "", (("A", " \n "), ("B", "b")))) == "s\n\nB: b\n"


def test_a_key_with_a_space_is_an_error():
    with pytest.raises(ValueError, match="no key of a trailer"):
        render_message(Change({}, "s", "", (("Not a key", "x"),)))


def test_a_rule_in_the_body_does_not_hide_the_trailers_from_git():
    made = Change({}, "s", "one\n---\ntwo", (("Mnemos-Op", "save"),))

    text = render_message(made)

    assert trailers_by_git(text) == ["Mnemos-Op: save"]
    assert text == "s\n\none\n ---\ntwo\n\nMnemos-Op: save\n"


def test_a_body_that_looks_like_trailers_is_not_read_as_ours():
    made = Change({}, "s", "Mnemos-Agent: root", (("Mnemos-Agent", "claude"),))

    assert trailers_by_git(render_message(made)) == ["Mnemos-Agent: claude"]


def test_what_was_rendered_is_parsed_back():
    made = Change({}, "save(decision): t", "why\n\nmore", (("A", "1"), ("A", "2")))

    assert parse_message(render_message(made)) == (
        "save(decision): t",
        "why\n\nmore",
        (("A", "1"), ("A", "2")),
    )


def test_a_message_of_a_person_is_parsed_as_git_shows_it():
    text = "Fix the\ntitle\n\nBody: with colon\nand prose.\n\nSigned-off-by: A <a@b>\n  folded\n"

    assert parse_message(text) == (
        "Fix the title",
        "Body: with colon\nand prose.",
        (("Signed-off-by", "A <a@b> folded"),),
    )


def test_prose_is_no_trailer():
    assert parse_message("s\n\nTwo lines:\nof prose\n") == ("s", "Two lines:\nof prose", ())


def test_one_line_folds_white_space():
    assert one_line(" a \n\n b\x7fc ") == "a b c"
