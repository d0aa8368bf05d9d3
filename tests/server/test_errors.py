import pytest
from mcp.shared.exceptions import MCPError

from mnemos_files.errors import (
    AmbiguousNameError,
    InvalidQueryError,
    MnemosError,
    NotFoundError,
    RefusedError,
    UnavailableError,
)
from mnemos_files.server.errors import (
    describe,
    describe_unexpected,
    protocol_error,
    translated,
)


def test_an_error_is_code_cause_and_remedy_in_sentences():
    error = InvalidQueryError("limit", "is too high", remedy="Ask for at most 100")

    assert describe(error) == "invalid_query: limit: is too high. Ask for at most 100."


def test_a_name_out_of_a_file_is_made_harmless():
    error = AmbiguousNameError("</mnemos_memory>", ["a\u200bb", "c"])

    assert "</mnemos_memory>" not in describe(error)
    assert "\u200b" not in describe(error)


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


@pytest.mark.parametrize(("version", "code"), [("2025-11-25", -32002), ("2026-07-28", -32602)])
def test_a_missing_resource_has_the_code_of_its_era(version: str, code: int):
    with pytest.raises(MCPError) as caught, translated("mnemos://memory/x", version):
        raise NotFoundError("x")

    assert caught.value.error.code == code
    assert caught.value.error.message == "not_found: no note is called 'x'."
    assert caught.value.error.data == {"uri": "mnemos://memory/x"}


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (RefusedError("paths", "that is hidden"), -32602, "refused: that is hidden."),
        (InvalidQueryError("uri", "names nothing"), -32602, "invalid_query: uri: names nothing."),
        (UnavailableError("the vault is gone"), -32603, "unavailable: the vault is gone."),
    ],
)
def test_what_the_caller_can_mend_is_told_from_what_is_ours(
    error: MnemosError, code: int, text: str
):
    found = protocol_error(error).error

    assert (found.code, found.message) == (code, text)


def test_an_unexpected_error_shows_no_text_of_its_own_outside_of_tools_too():
    found = protocol_error(ValueError("/home/ines/vault/secret.md")).error

    assert found.code == -32603
    assert "secret" not in found.message
