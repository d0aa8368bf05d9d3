"""Whatever a text holds, the page stays valid and has the elements of its template only."""

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from mnemos_files.model.record import Record
from mnemos_files.report.graph import Drawings
from mnemos_files.report.page import render
from mnemos_files.report.page_text import line, passage
from mnemos_files.report.page_values import (
    Bar,
    Card,
    Link,
    Listing,
    Mention,
    Page,
    Part,
    Section,
    Timeline,
    Version,
)
from tests.conftest import NOON
from tests.report.html import faults, name, parsed

PIECES = st.sampled_from(
    [
        *("<", ">", "&", '"', "'", "</script>", "<!--", "-->", "]]>", "<svg onload=x>", "{{ x }}"),
        *(
            "{% raw %}",
            "</textarea>",
            "</title>",
            "\0",
            "\ud800",
            "\u202e",
            "\u2028",
            "&#x3c;",
            "`",
        ),
        *("javascript:x", "http://e.example", "\r\n", "\t", "é", "日", "😀", " "),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=8), max_size=12).map("".join)


def page(text: str) -> Page:
    """A page in which a text stands wherever a stored text can stand."""
    short = line(text, 160)
    here, there = Mention(short, "m-1", ("raw", short)), Mention(short, "", (short,))
    table = Listing("t", "T", "I", ("A", "B", "C"), ((here, there, short),), 2)
    card = Card(
        anchor="m-1",
        title=short,
        states=("holds",),
        marks=("raw",),
        facts=(short, short),
        parts=(Part("", passage(text, 300)), Part(short, passage(text, 300))),
        links=(Link("related", here), Link("refines", there)),
        chain=(Version("2026-12-01", here, is_self=True), Version("", there)),
        warnings=(short,),
        path=short,
    )
    timeline = Timeline(
        "day",
        (Bar("2026-12-01", 0, 1, 1, 9, 9),),
        10,
        160,
        80,
        ((short, 1, 2, 3),),
        1,
        2,
        3,
        (short,),
        (table,),
    )
    return Page(
        vault=short or "vault",
        project=short,
        made=NOON,
        since=None,
        totals=((short, short),),
        timeline=timeline,
        drawings=Drawings((), 0, 0),
        pictures=(),
        kinds=(),
        concerns=(replace(table, anchor="c"),),
        usage=(replace(table, anchor="u"),),
        sections=(Section("p-1", short, (card,), 1),),
        notices=(short,),
        total=1,
        shown=1,
    )


def elements(text: str) -> Counter[str]:
    tree = parsed(render(page(text)))
    assert faults(tree) == []
    return Counter(name(each) for each in tree.iter() if isinstance(each.tag, str))


PLAIN = elements("harmless words")


@settings(deadline=None, max_examples=150)
@given(TEXTS)
def test_no_text_adds_an_element_or_an_error(text: str) -> None:
    found = elements(f"harmless words {text}")

    assert found == PLAIN


@given(TEXTS)
def test_a_record_of_any_text_can_be_shown(text: str) -> None:
    record = Record(id="x", type="decision", title=text, content=text)

    shown = passage(record.content, 200).encode("utf-8", "strict")

    assert b"\0" not in shown
