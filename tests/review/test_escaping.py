"""Texts that try to leave the place they stand in."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mnemos_files.review.escaping import (
    command_data,
    command_property,
    flat,
    html,
    inline,
    plain,
    sarif_message,
    uri,
)

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})
SIGNS = [
    *("</code>", "</pre>", "</details>", "<img src=x>", "|", "`", "```", "@ines", "#12", "GH-3"),
    *("[a](http://b)", "![x](y)", "**b**", "~~s~~", "\\", "&lt;", "<!--", "-->", "::error::"),
    *("https://a.example", "%0A", "\u202e", "\x1b[2J", "\ud800", "text", "\n", "\n\n", "\r", " "),
]
NASTY = st.lists(st.sampled_from(SIGNS), max_size=12).map("".join)
TEXTS = st.one_of(NASTY, st.text(max_size=80))


@given(TEXTS)
def test_a_text_in_a_line_stays_one_element_that_says_what_it_said(text):
    made = MARKDOWN.render(f"- who: {inline(text)} end")

    root = ET.fromstring(made)  # noqa: S314 - made a line above
    (code,) = root.iter("code")
    assert {element.tag for element in root.iter()} == {"ul", "li", "code"}
    assert (code.text or "") == " ".join(plain(text).split())
    assert code.tail.strip() == "end"


@given(TEXTS)
def test_a_text_in_a_table_stays_in_its_cell(text):
    made = MARKDOWN.render(f"| a | b |\n|---|---|\n| {inline(text)} | end |\n")

    root = ET.fromstring(made)  # noqa: S314 - made a line above
    cells = list(root.iter("td"))
    assert len(cells) == 2
    assert cells[1].text == "end"
    assert [child.tag for child in cells[0]] == ["code"]


@given(TEXTS)
def test_a_text_in_a_block_stays_in_it(text):
    made = MARKDOWN.render(f"<details>\n\n<pre>{html(text)}</pre>\n\n</details>\n\nafter\n")

    body = made.partition("<pre>")[2].rpartition("</pre>")[0]
    assert "<" not in body
    assert made.endswith("<p>after</p>\n")
    assert made.count("</details>") == 1


@given(TEXTS)
def test_a_flat_text_is_one_line(text):
    assert len(f"x{flat(text)}".splitlines()) == 1


@given(TEXTS)
def test_a_message_of_a_command_is_one_line(text):
    assert len(command_data(text).splitlines()) <= 1
    decoded = command_data(text).replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
    assert decoded == plain(text)


@given(TEXTS)
def test_a_property_of_a_command_neither_ends_nor_begins_another(text):
    assert not re.search(r"[\r\n:,]", command_property(text))


@given(TEXTS)
def test_a_message_of_sarif_has_no_links_and_no_places(text):
    assert not re.search(r"[\[\]{}\\]", sarif_message(text))


@given(st.text(alphabet=st.characters(exclude_characters="\0"), max_size=40))
def test_a_path_becomes_a_relative_reference(path):
    try:
        made = uri(path)
    except UnicodeEncodeError:
        assert any("\ud800" <= sign <= "\udfff" for sign in path)
        return
    assert re.fullmatch(r"[A-Za-z0-9_.~/%-]*", made)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x1b[31mb", r"a\x1b[31mb"),
        ("a\u202eb", r"a\u202eb"),
        ("a\udcffb", r"a\udcffb"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("\u0645\u0631\u062d\u0628\u0627", "\u0645\u0631\u062d\u0628\u0627"),
    ],
)
def test_what_a_terminal_would_obey_is_named(text, expected):
    assert plain(text) == expected


def test_a_line_by_hand():
    assert inline("a|b @ines #12") == "<code>a&#124;b &#64;ines &#35;12</code>"
    assert html("<b> & 'c'") == "&lt;b&gt; &amp; &#39;c&#39;"
    assert command_property("a:b,c%") == "a%3Ab%2Cc%25"
    assert uri("notes/\u00fc b.md") == "notes/%C3%BC%20b.md"
