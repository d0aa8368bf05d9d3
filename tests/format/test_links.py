import pytest

from mnemos_files.format.links import find_links, link_target, write_link


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("[[X]]", "X"),
        ("[[X|y]]", "X"),
        ("[[a/X#part|y]]", "a/X"),
        ("[[X#^block]]", "X"),
        (" ![[X]] ", "X"),
        ("X", "X"),
        ("X|y", "X|y"),
        ("see [[X]]", "see [[X]]"),
        ("https://example.org/#a", "https://example.org/#a"),
        ("[[#here]]", ""),
        ("", ""),
    ],
)
def test_the_target_is_what_the_link_leads_to(text, target):
    assert link_target(text) == target


def test_a_target_with_signs_of_a_link_is_written_bare():
    assert write_link("2026-12-01-x-7k3q9x") == "[[2026-12-01-x-7k3q9x]]"
    assert write_link("https://example.org/#a") == "https://example.org/#a"


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("", ()),
        ("a [[X]] b [[Y|y]] c [[X#h]]", ("X", "Y")),
        ("![[picture.png]]", ("picture.png",)),
        ("| [[X\\|y]] |", ("X",)),
        ("[[#here]] and [[ X ]]", ("X",)),
        ("\\[[X]]", ()),
        ("[[X\nY]]", ()),
        ("`[[X]]` [[Y]]", ("Y",)),
        ("``a ` [[X]]`` [[Y]]", ("Y",)),
        ("` [[X]]", ("X",)),
        ("a `b\nc [[X]]` [[Y]]", ("Y",)),
        ("a `b\n\nc [[X]]` [[Y]]", ("X", "Y")),
        ("\\`[[X]]\\`", ("X",)),
        ("```\n[[X]]\n```\n[[Y]]", ("Y",)),
        ("~~~~md\n[[X]]\n~~~\n[[Z]]\n~~~~~\n[[Y]]", ("Y",)),
        ("```\n[[X]]", ("X",)),
        ("a\n\n    [[X]]\n\n[[Y]]", ("Y",)),
        ("\t[[X]]", ()),
        ("a\n    [[X]]", ("X",)),
        ("- a\n\n    [[X]]", ("X",)),
        ("1. a\n\n   b\n\n       [[X]]", ("X",)),
        ("- a\n\nb\n\n    [[X]]", ()),
    ],
)
def test_links_in_code_are_none(text, targets):
    assert find_links(text) == targets
