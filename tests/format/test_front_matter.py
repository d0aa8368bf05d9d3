import pytest

from mnemos_files.errors import CorruptError, InvalidRecordError
from mnemos_files.format.front_matter import edit, read, split


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("---\na: b\n---\nx\n", ("---\n", "a: b\n", "---\n", "x\n", "\n")),
        (
            "\ufeff--- \r\na: b\r\n---\t\r\nx",
            ("\ufeff--- \r\n", "a: b\r\n", "---\t\r\n", "x", "\r\n"),
        ),
        ("---\n---", ("---\n", "", "---", "", "\n")),
        (
            "---\na: |\n  ---\n----\n---x\n---\n",
            ("---\n", "a: |\n  ---\n----\n---x\n", "---\n", "", "\n"),
        ),
    ],
)
def test_the_parts_of_a_file_join_to_the_file(text, parts):
    found = split(text)

    assert (found.head, found.block, found.fence, found.body, found.newline) == parts
    assert found.head + found.block + found.fence + found.body == text


@pytest.mark.parametrize("text", ["", "---", "---\n", "---\na: b\n", " ---\n---\n", "----\n----\n"])
def test_a_file_without_two_fences_has_no_block(text):
    assert split(text) is None


def test_lines_count_from_the_top_of_the_file():
    front = read("\ufeff---\r\n# c\r\na: b\r\nd:\r\n  - e\r\n---\r\nx\r\n")

    assert front.block.lines == {"a": 3, "d": 4}
    assert front.values == {"a": "b", "d": ("e",)}
    assert front.last_line == 6


@pytest.mark.parametrize("text", ["---\n\nA rule on top.\n", "---\n# x\n", "---\n"])
def test_a_rule_above_prose_is_no_forgotten_fence(text):
    assert read(text).problems == ()


BASE = b"---\ntitle: T\ntags:\n  - a  # first\n  - b\n# end\n---\nbody"


@pytest.mark.parametrize(
    ("changes", "before", "after"),
    [
        ({"title": "U"}, b"title: T", b"title: U"),
        ({"title": None}, b"title: T\n", b""),
        ({"tags": None}, b"tags:\n  - a  # first\n  - b\n", b""),
        ({"tags": ("a", "b", "c")}, b"  - b\n", b"  - b\n  - c\n"),
        ({"tags": ("z", "a", "b")}, b"tags:\n", b"tags:\n  - z\n"),
        ({"tags": ("b",)}, b"  - a  # first\n", b""),
        ({"tags": ()}, b"tags:\n  - a  # first\n  - b\n", b"tags: []\n"),
        ({"tags": "x"}, b"tags:\n  - a  # first\n  - b\n", b"tags: x\n"),
        ({"id": "I"}, b"title", b"id: I\ntitle"),
        ({"project": "p"}, b"title: T\n", b"title: T\nproject: p\n"),
        ({"importance": 7}, b"  - b\n", b"  - b\nimportance: 7\n"),
        (
            {"created": "2026-12-01T10:04:11Z"},
            b"  - b\n",
            b"  - b\ncreated: 2026-12-01T10:04:11Z\n",
        ),
        ({"zeta": "1"}, b"# end\n", b'# end\nzeta: "1"\n'),
        ({"zeta": ("a: b", "c")}, b"# end\n", b'# end\nzeta:\n  - "a: b"\n  - c\n'),
        ({"a: b": "x"}, b"# end\n", b'# end\n"a: b": x\n'),
        ({"title": "U", "none": None}, b"title: T", b"title: U"),
    ],
)
def test_a_change_replaces_lines_of_its_key_only(changes, before, after):
    assert edit(BASE, changes) == BASE.replace(before, after, 1)


@pytest.mark.parametrize(
    "changes",
    [{}, {"title": "T"}, {"tags": ("a", "b")}, {"absent": None}, {"title": "T", "q": None}],
)
def test_what_is_there_already_changes_nothing(changes):
    assert edit(BASE, changes) == BASE


@pytest.mark.parametrize(
    ("line", "value", "after"),
    [
        (b'k: "a"  # c', "b", b'k: "b"  # c'),
        (b"k: 'a'", "b c", b"k: 'b c'"),
        (b"k: 'a'", "it's", b"k: it's"),
        (b"k: 'a'", "b\nc", b'k: "b\\nc"'),
        (b"k: a", "no", b'k: "no"'),
        (b"k: 5", 7, b"k: 7"),
        (b"k: [a, 'b']  # c", ("a", "b", "c, d"), b"k: [a, 'b', \"c, d\"]  # c"),
        (b"k: [ a,b ]", ("b",), b"k: [b]"),
        (b"k: []", ("a",), b"k: [a]"),
        (b"k: [a]", (), b"k: []"),
        (b"k:   # c", "a", b"k: a   # c"),
        (b"k: a # c", ("b",), b"k: # c\n  - b"),
        (b"k: [[X]]", ("[[X]]", "[[Y]]"), b'k:\n  - "[[X]]"\n  - "[[Y]]"'),
        (b"k:\n- a\n# c\n- b", ("b", "d"), b"k:\n# c\n- b\n- d"),
        (b"k:\n  - a\n    b", ("c",), b"k:\n  - c"),
    ],
)
def test_a_value_keeps_the_style_it_was_written_in(line, value, after):
    data = b"---\n" + line + b"\nz: 1\n---\n"

    assert edit(data, {"k": value}) == data.replace(line, after)


def test_a_key_that_begins_like_another_is_another():
    data = b"---\nk:a: 1\n---\n"

    assert edit(data, {"k": "x"}) == b"---\nk:a: 1\nk: x\n---\n"


@pytest.mark.parametrize("value", ["a\0b", "a\ud800", ("a", "\udc00")])
def test_a_value_that_no_file_can_hold_is_refused(value):
    with pytest.raises(InvalidRecordError):
        edit(b"", {"k": value})


def test_a_double_key_is_refused_when_it_changes_and_left_when_not():
    data = b"---\na: 1\na: 2\nb: 3\n---\n"

    with pytest.raises(CorruptError, match=r"x\.md:3: a is written twice, in lines 2 and 3"):
        edit(data, {"a": "4"}, "x.md")

    assert edit(data, {"b": "4"}) == data.replace(b"b: 3", b'b: "4"')


def test_a_file_that_is_not_utf_8_names_the_line_of_the_byte():
    with pytest.raises(CorruptError, match=r"x\.md:4: the file is not UTF-8"):
        edit(b"---\na: b\n---\ncaf\xe9\n", {"a": "c"}, "x.md")
