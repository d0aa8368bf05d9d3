"""Snippets."""

from mnemos_files.store.snippet import SNIPPET_MAX, snippet


def test_a_short_text_is_given_on_one_line() -> None:
    assert snippet("one\n\n  two ", "two") == "one two"


def test_the_passage_holds_the_words_of_the_query() -> None:
    text = "filler words here. " * 60 + "The harbour master keeps the keys. " + "more filler. " * 60

    passage = snippet(text, "who keeps harbour keys")

    assert "harbour master keeps the keys" in passage
    assert len(passage) <= SNIPPET_MAX
    assert passage.startswith("…")
    assert passage.endswith("…")


def test_accents_and_endings_do_not_matter() -> None:
    text = "x " * 300 + "Die Brücken sind gesperrt " + "y " * 300

    assert "Brücken" in snippet(text, "brucke gesperrte")


def test_a_text_without_spaces_is_cut_to_the_limit() -> None:
    assert len(snippet("漢" * 5000, "漢字")) <= SNIPPET_MAX


def test_a_value_is_masked_though_the_word_that_tells_it_stands_before_the_passage() -> None:
    text = "x " * 300 + "The password is " + "Kx9vQ2mWz7pL" + " harbour keys " + "y " * 300

    passage = snippet(text, "Kx9vQ2mWz7pL harbour")

    assert "harbour keys" in passage
    assert "Kx9vQ2mWz7pL" not in passage


def test_no_part_of_a_private_key_stands_in_a_passage() -> None:
    lines = [f"{number:04d}harbourQ7xT4bW8zR1vN6cL3pY5sD0hJaGtE2u" for number in range(60)]
    key = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"])

    passage = snippet(
        "x " * 300 + key + "\nharbour\n", "0030harbourQ7xT4bW8zR1vN6cL3pY5sD0hJaGtE2u"
    )

    assert "Q7xT4bW8" not in passage
    assert "[secret: private-key]" in passage


def test_no_part_of_a_long_token_stands_in_a_passage() -> None:
    token = "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0" * 120 + ".dBjftJeZ4CVPmB92K27uhbUJU1p1r"
    text = "x " * 300 + f"harbour {token} harbour keys" + " y" * 300

    passage = snippet(text, "harbour keys")

    assert "eyJ" not in passage.replace("[secret: jwt]", "")
