"""URIs of memories: what they name, and what is refused."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.errors import InvalidQueryError
from mnemos_files.server.uris import is_memory, memory_name


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("mnemos://memory/01KBC3W6H5M0V2T8N4Q9F7K3QX", "01KBC3W6H5M0V2T8N4Q9F7K3QX"),
        ("mnemos://memory/observations%2Fapi%2Fa%20b.md", "observations/api/a b.md"),
        ("mnemos://memory/observations/api/a.md", "observations/api/a.md"),
        ("mnemos://memory/%C5%98emesln%C3%ADk.md", "Řemeslník.md"),
        ("MNEMOS://Memory/a.md", "a.md"),
        ("mnemos://memory/100%25.md", "100%.md"),
        ("mnemos://memory/what%3F.md", "what?.md"),
        # decoded once only: a name may hold what looks like an escape
        ("mnemos://memory/%252e%252e%252fx", "%2e%2e%2fx"),
    ],
)
def test_a_uri_names_an_id_or_a_path(uri: str, name: str):
    assert is_memory(uri)
    assert memory_name(uri) == name


@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ("", "names no memory"),
        ("a.md?offset=3", "has a query or a fragment"),
        ("a.md#Why", "has a query or a fragment"),
        ("a%zz", "without two hexadecimal digits"),
        ("a%", "without two hexadecimal digits"),
        ("a%ff", "is not UTF-8 when decoded"),
        ("a%ed%a0%80", "is not UTF-8 when decoded"),
        ("a%00.md", "holds a control character"),
        ("a%0ab", "holds a control character"),
        ("a" * 401, "names more than 400 characters"),
    ],
)
def test_a_uri_that_is_not_well_formed_is_refused_with_its_fault(rest: str, problem: str):
    with pytest.raises(InvalidQueryError, match=problem):
        memory_name(f"mnemos://memory/{rest}")


@pytest.mark.parametrize("uri", ["mnemos://stats", "memory/a.md", "file:///etc/passwd", ""])
def test_other_uris_name_no_memory(uri: str):
    assert not is_memory(uri)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=400))
def test_every_name_comes_back_from_its_encoded_form(name: str):
    assert memory_name(f"mnemos://memory/{quote(name, safe='')}") == name
