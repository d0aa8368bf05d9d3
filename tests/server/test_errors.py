from mnemos_files.errors import AmbiguousNameError, InvalidQueryError, NotFoundError
from mnemos_files.server.errors import describe, describe_unexpected


def test_an_error_is_code_cause_and_remedy_in_sentences():
    error = InvalidQueryError("limit", "is too high", remedy="Ask for at most 100")

    assert describe(error) == "invalid_query: limit: is too high. Ask for at most 100."


def test_an_error_without_remedy_ends_after_its_cause():
    assert (
        describe(InvalidQueryError("limit", "is too high!")) == "invalid_query: limit: is too high!"
    )


def test_the_nearest_names_are_told_once():
    near = NotFoundError("auht", candidates=["auth", "oauth"])
    several = AmbiguousNameError("x", ["a/x.md", "b/x.md"])

    assert describe(near) == "not_found: no note is called 'auht'. Nearest: auth, oauth."
    assert describe(several).count("a/x.md") == 1


def test_an_unexpected_error_keeps_its_text_to_the_log():
    text = describe_unexpected(ValueError("/home/ines/vault/secret.md"))

    assert text.startswith("internal: ")
    assert "ValueError" in text
    assert "secret" not in text
