from collections.abc import Mapping

import pytest
import yaml
from frontmatter import loads
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemos_files.format.block import read_block
from mnemos_files.format.flat import read_flat
from mnemos_files.format.yaml_text import NotAMappingError, TextHandler, YamlError


def values(text: str) -> Mapping:
    block = read_block(text, "x.md")
    assert block is not None
    assert not block.is_broken
    return block.values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("k: no", "no"),
        ("k: 12:30", "12:30"),
        ("k: 2026-02-30", "2026-02-30"),
        ("k: 0x1F", "0x1F"),
        ("k: ~", "~"),
        ("k:", ""),
        ("k: []", ()),
        ("k: [a, b]", ("a", "b")),
        ("k: [a, 'b, c', \"d\"]", ("a", "b, c", "d")),
        ("k:\n- a\n- no", ("a", "no")),
        ("k:\n    - a\n\n    # c\n    - 1.10", ("a", "1.10")),
        ("k: [[X]]", "[[X]]"),
        ("k: [[[A]], [[B|c]]]", ("[[A]]", "[[B|c]]")),
        ("k: [[a, b], c]", ("[a, b]", "c")),
        ("k: {a: 1}", "{a: 1}"),
        ("k:\n  a: 1\n  b:\n    - 2", "a: 1\nb:\n  - 2"),
        ("k: >-\n  a\n  b", "a b"),
        ("k: |\n  a\n  b\n", "a\nb\n"),
        ("k: a # c", "a"),
        ("k: a#c", "a#c"),
        ("k: 'it''s'", "it's"),
        ('k: "a\\tb"', "a\tb"),
        ('k: "a" # c', "a"),
        ("k: a\n  b", "a b"),
        ("k: {{x}}", "{{x}}"),
    ],
)
def test_a_value_is_the_text_as_typed(text, value):
    assert values(text) == {"k": value}


@pytest.mark.parametrize("text", ["a\nb", "- a\n- b", "# only", "{a: b}", "a, b: c?\n*x*", "''"])
def test_prose_between_rules_is_no_block(text):
    assert read_block(text, "x.md") is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: c: d", 3, "the value of b has a colon and no quotes"),
        ("a: 1\nb:", 0, ""),
        ("a:\n\t- b", 3, "a tab begins the line"),
        ("a: 1\nb: @x", 3, "the value of b begins with @"),
        ("a: 1\nb: *x*", 3, "the value of b begins with *"),
        ("a: x\x1by", 2, "control character U+001B"),
        ("a: [[A]], [[B]]", 2, "a holds several links and no list"),
        ("a: 1\nb: 'x\nc: 1", 3, "a quote is not closed"),
        ("a: 1\nb:2\nc: 1", 3, "a colon has no blank behind it"),
        ("a: 1\nword\nb: 1", 3, "the line is no key with a value"),
        ("a: 1\nb: &x 1", 3, "begins with &"),
        ("a: 1\nb: !!int 1", 3, "begins with !"),
        ("a: 1\n- b", 3, "expected"),
        ("a: b\rc: d", 2, "control character U+000D"),
        ("a: " + "[" * 9 + "]" * 9, 2, "nested deeper than 8"),
        ("a: " + "[" * 2000, 2, "nest"),
    ],
)
def test_a_fault_has_its_line_and_its_cause(text, line, words):
    problems = read_block(text, "x.md").problems

    assert [(p.path, p.line, p.rule) for p in problems] == (
        [("x.md", line, "front-matter-invalid")] if line else []
    )
    assert all(words in p.message and p.remedy for p in problems)


def test_a_broken_block_gives_what_single_lines_say():
    block = read_block("a: b: c\ntags:\n  - x\n  - y: z\nword\nd: 'q'\n  more\n# no", "x.md")

    assert block.is_broken
    assert block.values == {"a": "b: c", "tags": ("x", "y: z"), "d": "q\nmore"}
    assert block.lines == {"a": 2, "tags": 3, "d": 7}
    assert block.loose == ("word",)


def test_a_key_written_twice_names_both_lines_and_the_later_counts():
    block = read_block("a: 1\nb: 2\na: [x]", "x.md")

    assert block.values == {"a": ("x",), "b": "2"}
    assert block.doubled == {"a"}
    assert [(p.line, p.rule) for p in block.problems] == [(4, "duplicate-key")]
    assert block.problems[0].message == "a is written twice, in lines 2 and 4; the later one counts"


def test_an_alias_bomb_is_refused_and_not_expanded():
    rows = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    rows += [
        f"{n}: &{n} [{', '.join([f'*{p}'] * 9)}]"
        for p, n in zip("abcdefgh", "bcdefghi", strict=True)
    ]

    assert read_block("\n".join(rows), "x.md").is_broken


def test_python_frontmatter_reads_a_note_with_our_handler():
    post = loads("---\ntitle: 12:30\ntags: [no]\n---\nBody\n", handler=TextHandler())

    assert post.metadata == {"title": "12:30", "tags": ("no",)}
    assert post.content == "Body"


KEYS = [
    "a: ",
    "b: ",
    "c:",
    "d e: ",
    "é: ",
    '"q": ',
    '"q: r": ',
    "1: ",
    "a b : ",
    "- ",
    "  - ",
    "  ",
]
BITS = [
    *("a", "b c", "1", "é", ":", ": ", " ", "-", "[", "]", "[[X]]", ",", '"', "'", "#", " #"),
    *("{", "\\", "\\n", "?", "&", "*", "!", "%", "|", ">", "~", "no", "12:30", "[a, b]"),
]
rows = st.tuples(st.sampled_from(KEYS), st.lists(st.sampled_from(BITS), max_size=4).map("".join))
blocks = st.lists(rows.map("".join) | st.sampled_from(["", "# c", "k:", "  # d"]), max_size=5)


@settings(max_examples=400, deadline=None)
@given(blocks.map("\n".join))
def test_the_quick_reader_never_differs_from_yaml(text):
    quick = read_flat(text)
    if quick is None or not quick.values:
        return

    pairs = TextHandler().pairs(text)

    assert {pair.name: pair.value for pair in pairs} == quick.values
    assert {pair.name: pair.line + 2 for pair in pairs} == quick.lines


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60) | blocks.map("\n".join))
def test_the_yaml_reader_raises_its_own_errors_only(text):
    try:
        pairs = TextHandler().pairs(text)
    except (YamlError, NotAMappingError):
        return

    try:
        expected = yaml.load(text, yaml.BaseLoader)  # noqa: S506 - BaseLoader builds texts only
    except yaml.YAMLError:
        return  # libyaml, which reads for us, takes a few texts that PyYAML's own reader refuses
    assert len({pair.name for pair in pairs}) == len(expected or {})
