from pathlib import PurePosixPath

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from mnemos_files.errors import CorruptError, InvalidRecordError
from mnemos_files.format.append import tidy
from mnemos_files.format.outline import outline
from mnemos_files.format.record import parse, render
from mnemos_files.format.sections import (
    Body,
    add_text,
    add_to_section,
    open_body,
    part_of,
    set_body,
    set_content,
    set_part,
    set_section,
)
from mnemos_files.model.kind import KINDS, PLAIN
from mnemos_files.model.record import Record

DECISION, CORRECTION = KINDS["decision"], KINDS["correction"]
PATH = PurePosixPath("observations/api/x.md")
ID = "01KBC3W6H5M0V2T8N4Q9F7K3QX"
HEAD = f"---\nid: {ID}\ntype: decision\ntitle: T\n---\n"
NOTE = "# Trip\n\nIntro.\n\n## Log\n\n- one\n\n### May\n\nwarm\n\n## Costs\n\nnone yet\n"

ROWS = [
    "# a", "## b", "### c", "#x", "    # code", "\\# x", "a", "===", "---", "***", "- item", "> q",
    "", "", "", "```", "~~~", "## Why", "\\## Why", "\\```", "1. one", "\ta", "a: b", "<<<<<<< a",
    "=======", ">>>>>>> b", "| a |", "\\", "  ", "é\u2028x", "## Fix", "## Example",
]  # fmt: skip
texts = st.lists(st.sampled_from(ROWS), max_size=10).map("\n".join)
ends = st.sampled_from(["", "\n", "\n\n", "\n  \n"])
heads = st.sampled_from(["", "\ufeff", "---\ntitle: T\n---\n", "---\n---\n\n", HEAD])


def opened(text: str, kind=PLAIN) -> Body:
    return open_body(text.encode(), kind, "x.md")


def some_body(data: st.DataObject, kind) -> Body:
    text = data.draw(heads) + data.draw(texts) + data.draw(ends)
    if data.draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    try:
        return opened(text, kind)
    except CorruptError:
        reject()


def lf(data: bytes) -> str:
    return data.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("name", "new", "after"),
    [
        ("Log", "- two", NOTE.replace("- one\n\n### May\n\nwarm", "- two")),
        ("## Log", "- two\n", NOTE.replace("- one\n\n### May\n\nwarm", "- two")),
        ("log", "\n\n## Log\n\n- two\n\n\n", NOTE.replace("- one\n\n### May\n\nwarm", "- two")),
        ("Log", "- two\n\n### June\n\nhot",
            NOTE.replace("one\n\n### May\n\nwarm", "two\n\n### June\n\nhot")),
        ("May", "cold", NOTE.replace("warm", "cold")),
        ("Costs", "9", NOTE.replace("none yet", "9")),
        ("Trip > Costs", "9", NOTE.replace("none yet", "9")),
        ("Trip", "x", "# Trip\n\nx\n"),
        ("Costs", "none yet", NOTE),
    ],
)  # fmt: skip
def test_a_section_gets_another_text(name, new, after):
    assert set_section(opened(NOTE), name, new).decode() == after


@pytest.mark.parametrize(
    ("text", "new", "after"),
    [
        ("## A", "x", "## A\n\nx\n"),
        ("## A\n", "x", "## A\n\nx\n"),
        ("## A\n## B\n", "x", "## A\n\nx\n\n## B\n"),
        ("## A\n\n\n## B\n", "x", "## A\n\nx\n\n## B\n"),
        ("## A\nold\n## B\n", "x\ny", "## A\nx\ny\n## B\n"),
        ("## A\r\n\r\nold\r\n\r\n\r\nB\r\n---\r\n", "x\ny",
            "## A\r\n\r\nx\r\ny\r\n\r\n\r\nB\r\n---\r\n"),
        ("A\n===\n\n  old  \nmore", "    code", "A\n===\n\n    code\n"),
        ("---\nt: x\n---\n## A\nold\n", "x", "---\nt: x\n---\n## A\nx\n"),
        ("## A\n\n```\n## B\n```\n\n## C\n", "x", "## A\n\nx\n\n## C\n"),
        ("## A\n\nx\n", "## A", "## A\n\n\n"),
    ],
)  # fmt: skip
def test_the_layout_around_a_section_stays(text, new, after):
    assert set_section(opened(text), "A", new).decode() == after


@pytest.mark.parametrize(
    ("name", "new", "after"),
    [
        ("Log", "- two", NOTE.replace("- one\n", "- one\n- two\n")),
        ("Log", "Two.", NOTE.replace("- one\n", "- one\n\nTwo.\n")),
        ("Log", "### June\n\nhot", NOTE.replace("warm\n", "warm\n\n### June\n\nhot\n")),
        ("May", "and dry", NOTE.replace("warm\n", "warm\n\nand dry\n")),
        ("Trip", "More.", NOTE.replace("Intro.\n", "Intro.\n\nMore.\n")),
        ("Costs", "9", NOTE + "\n9\n"),
        ("Costs", " \n", NOTE),
    ],
)
def test_a_text_is_added_to_a_section(name, new, after):
    assert add_to_section(opened(NOTE), name, new).decode() == after


def test_text_comes_to_an_empty_section():
    assert add_to_section(opened("## A\n## B\n"), "A", "x").decode() == "## A\n\nx\n## B\n"
    assert add_to_section(opened("## A\n\n## B"), "B", "x").decode() == "## A\n\n## B\n\nx\n"
    assert add_to_section(opened("## A\n\n## B"), "A", "x").decode() == "## A\n\nx\n\n## B"


def test_a_missing_heading_is_an_error_that_lists_those_that_are_there():
    with pytest.raises(InvalidRecordError) as caught:
        set_section(opened(NOTE), "Prices", "9")

    assert caught.value.message == (
        "section: x.md has no heading 'Prices'; its headings: # Trip, ## Log, ### May, ## Costs"
    )
    with pytest.raises(InvalidRecordError, match="its headings: none"):
        add_to_section(opened("text\n"), "Prices", "9")
    many = "".join(f"# {number}\n" for number in range(25))
    with pytest.raises(InvalidRecordError, match="# 19 and 5 more"):
        add_to_section(opened(many), "Prices", "9")


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("Prices", "text\n\n## Prices\n\n9\n"),
        ("### Prices", "text\n\n### Prices\n\n9\n"),
        (" Prices ", "text\n\n## Prices\n\n9\n"),
    ],
)
@pytest.mark.parametrize("change", [set_section, add_to_section])
def test_a_missing_heading_is_added_when_it_is_asked_for(change, name, after):
    assert change(opened("text\n"), name, "9", create=True).decode() == after


@pytest.mark.parametrize("name", ["", "#", "a\nb", "####### a"])
def test_what_cannot_be_a_heading_is_not_added(name):
    with pytest.raises(InvalidRecordError, match="section"):
        set_section(opened("text\n"), name, "9", create=True)


def test_a_heading_that_is_there_twice_must_be_told_apart():
    body = opened("---\nt: x\n---\n# A\n## Log\na\n# B\n## Log\nb\n")

    with pytest.raises(InvalidRecordError, match="has 2 such headings, in lines 5, 8"):
        set_section(body, "Log", "c")

    assert set_section(body, "B > Log", "c").decode().endswith("# B\n## Log\nc\n")


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ("x\n\n## Other", "would end ### May"),
        ("x\n\n### June", "would end ### May"),
        ("Other\n---", "would end ### May"),
    ],
)
def test_a_text_that_would_end_its_section_is_refused(new, told):
    for change in (set_section, add_to_section):
        with pytest.raises(InvalidRecordError, match=told):
            change(opened(NOTE), "May", new)


def test_a_fence_that_would_hide_a_heading_is_refused():
    below = opened("## A\n\nx\n\n## B\n\n```\ncode\n```\n")
    above = opened("```\n\n## A\n\nx\n")

    with pytest.raises(InvalidRecordError, match="hide headings below it"):
        set_section(below, "A", "```\ncode")
    with pytest.raises(InvalidRecordError, match="a code fence above is left open"):
        add_text(above, "```")
    assert set_section(below, "B", "```\ncode").decode().endswith("## B\n\n```\ncode\n")


def test_other_content_leaves_the_parts_as_they_stand():
    text = f"{HEAD}old\n\n\n## Why  \n\n\nreason   \n* odd\n"

    assert set_content(opened(text, DECISION), "new\n\n## Sub").decode() == (
        f"{HEAD}new\n\n## Sub\n\n\n## Why  \n\n\nreason   \n* odd\n"
    )


def test_text_is_added_above_the_parts():
    text = f"{HEAD}old\n\n## Why\n\nreason\n"

    assert add_text(opened(text, DECISION), "new").decode() == (
        f"{HEAD}old\n\nnew\n\n## Why\n\nreason\n"
    )


def test_text_for_a_record_without_content_is_added_below_its_parts():
    text = "\n\n## Tried\n\na\n\n## Fix\n\nb\n"

    assert add_text(opened(text, CORRECTION), "c").decode() == text + "\nc\n"


def test_a_part_is_added_where_it_belongs():
    body = opened(f"{HEAD}c\n\n## Tried\n\na\n\n## Fix\n\nb\n", CORRECTION)
    names = {name: part_of(CORRECTION, name) for name in ("wrong_because", "## Why")}

    wrong = set_part(body, names["wrong_because"], "w").decode()
    why = set_part(body, names["## Why"], "w").decode()

    assert wrong == f"{HEAD}c\n\n## Tried\n\na\n\n## Wrong because\n\nw\n\n## Fix\n\nb\n"
    assert why == f"{HEAD}c\n\n## Tried\n\na\n\n## Fix\n\nb\n\n## Why\n\nw\n"


def test_a_part_is_found_by_key_and_by_heading():
    body = opened(f"{HEAD}c\n\n## Why\n\nold\n", DECISION)

    for name in ("rationale", "Why", "why", "## Why"):
        assert set_section(body, name, "new").decode() == f"{HEAD}c\n\n## Why\n\nnew\n"


def test_a_missing_part_is_added_only_when_it_is_asked_for():
    body = opened(f"{HEAD}c\n", DECISION)

    for change in (set_section, add_to_section):
        with pytest.raises(InvalidRecordError, match="no heading 'rationale'"):
            change(body, "rationale", "w")
        assert change(body, "rationale", "w", create=True).decode() == f"{HEAD}c\n\n## Why\n\nw\n"


def test_a_heading_of_a_part_in_a_text_is_text():
    body = opened(f"{HEAD}c\n\n## Why\n\nold\n", DECISION)

    data = set_content(body, "c\n\n## Why\n\nnot a reason")

    record = parse(PATH, data).record
    assert record.content == "c\n\n## Why\n\nnot a reason"
    assert record.section("rationale") == "old"


@pytest.mark.parametrize("text", ["---\na: b\n---\nx", "\n---\na: b\n---\n"])
@pytest.mark.parametrize("head", ["", "---\nt: x\n---\n"])
@pytest.mark.parametrize("change", [set_content, set_body])
def test_front_matter_is_no_content(change, head, text):
    with pytest.raises(InvalidRecordError, match="would be taken for front matter"):
        change(opened(f"{head}old\n"), text)


def test_a_rule_at_the_top_of_a_bare_file_stays_text_or_is_refused():
    with pytest.raises(InvalidRecordError, match="would be taken for front matter"):
        set_body(opened("old\n"), "---\nNote: half")
    assert set_body(opened("old\n"), "---\n\nprose\n").decode() == "---\n\nprose\n"


def test_an_open_conflict_is_no_text():
    markers = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b"

    with pytest.raises(InvalidRecordError, match="merge conflict"):
        add_text(opened("old\n"), markers)
    assert markers in add_text(opened("old\n"), f"```\n{markers}\n```").decode()


@pytest.mark.parametrize(
    "data",
    [
        b"caf\xe9",
        b"---\ntitle: a: b\n---\n",
        b"---\nNote: half\n",
        b"<<<<<<< a\n=======\n>>>>>>> b\n",
    ],
)
def test_a_file_that_cannot_be_changed_is_refused(data):
    with pytest.raises(CorruptError, match=r"x\.md:\d: "):
        open_body(data, PLAIN, "x.md")


def test_a_nul_is_refused_in_the_text_and_borne_in_the_file():
    with pytest.raises(InvalidRecordError, match="NUL"):
        add_text(opened("a\n"), "b\0")
    assert add_text(opened("a\0\n"), "b") == b"a\0\n\nb\n"


@given(st.data())
def test_a_section_changes_and_nothing_outside_of_it(data):
    body = some_body(data, PLAIN)
    assume(body.places)
    place = data.draw(st.sampled_from(body.places))
    assume(place.heading and len([p for p in body.places if p.heading == place.heading]) == 1)
    new = data.draw(texts.filter(str.strip))

    try:
        changed = set_section(body, place.name, new)
    except InvalidRecordError:
        return

    text, whole = changed.decode(), body.head + body.text
    assert text.startswith(whole[: len(body.head) + place.text].rstrip("\r\n"))
    assert text.endswith(body.text[place.end :])
    after = open_body(changed, PLAIN, "x.md")
    again = next(p for p in after.places if p.heading == place.heading)
    given_text = tidy(new)
    if given_text.split("\n")[0].rstrip() == place.name:
        given_text = tidy(given_text.partition("\n")[2])
    assert tidy(after.text[again.text : again.end]).strip() == given_text.strip()
    assert set_section(after, place.name, new) == changed


@given(st.data())
def test_added_text_is_there_and_all_else_as_it_was(data):
    body = some_body(data, PLAIN)
    new = data.draw(texts)

    try:
        changed = add_text(body, new)
    except InvalidRecordError:
        return

    if not new.strip():
        assert changed == body.data
        return
    text = changed.decode()
    assert text.startswith((body.head + body.text).rstrip(" \t\r\n\ufeff"))
    assert lf(changed).endswith(f"{tidy(new)}\n")
    assert (
        outline(open_body(changed, PLAIN, "x.md").text, PLAIN)[: len(body.places)]
        or not body.places
    )


@given(st.data())
def test_text_added_to_a_section_keeps_every_line(data):
    body = some_body(data, PLAIN)
    assume(body.places)
    place = data.draw(st.sampled_from(body.places))
    assume(place.heading and len([p for p in body.places if p.heading == place.heading]) == 1)
    new = data.draw(texts.filter(str.strip))

    try:
        changed = add_to_section(body, place.name, new)
    except InvalidRecordError:
        return

    old, text = lf(body.data), lf(changed)
    at = next(n for n in range(len(old) + 1) if n == len(old) or old[n] != text[n : n + 1])
    kept = [line for line in old.split("\n") if line.strip()]
    lines = [line for line in text.split("\n") if line.strip()]
    added = [line for line in tidy(new).split("\n") if line.strip()]
    assert sorted(lines) == sorted(kept + added)
    assert at >= len((body.head + body.text[: place.start]).replace("\r\n", "\n"))
    after = open_body(changed, PLAIN, "x.md")
    again = next(p for p in after.places if p.heading == place.heading)
    assert tidy(new) in after.text[again.text : again.end].replace("\r\n", "\n")


records = st.builds(
    lambda content, why: Record(
        id=ID,
        type="decision",
        title="T",
        content=content,
        sections=(("rationale", why),) * bool(why),
    ),
    texts,
    texts,
)


@given(records, texts.filter(str.strip))
def test_other_content_of_a_record_comes_out_as_it_went_in(record, new):
    data = render(record)
    try:
        changed = set_content(open_body(data, DECISION, "x.md"), new)
    except (CorruptError, InvalidRecordError):
        return

    after = parse(PATH, changed).record

    assert tidy(after.content) == tidy(new)
    assert after.sections == record.sections


@given(records, texts.filter(str.strip))
def test_another_part_of_a_record_comes_out_as_it_went_in(record, new):
    data = render(record)
    section = part_of(DECISION, "Why")
    try:
        changed = set_part(open_body(data, DECISION, "x.md"), section, new)
    except (CorruptError, InvalidRecordError):
        return

    after = parse(PATH, changed).record

    expected = tidy(new)
    if expected.split("\n")[0].rstrip() == "## Why":
        expected = tidy(expected.partition("\n")[2])
    assert tidy(after.section("rationale")) == expected
    assert after.content.strip() == record.content.strip()
