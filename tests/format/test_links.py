import pytest

from mnemos_files.format.inline_tags import find_tags
from mnemos_files.format.links import find_links, link_target, write_link
from mnemos_files.format.targets import read_target, shown_link


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


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("[x](plan.md)", ("a/b/./plan.md",)),
        ("[x](../a%20b.md#part)", ("a/b/./../a b.md",)),
        ("[x](<../a b.md> 'title') [y](./c.MD?x)", ("a/b/./../a b.md", "a/b/././c.MD")),
        ("[x](/top/plan.md)", ("top/plan.md",)),
        ('[x](a_(b).md) [y](c\\_d.md "t")', ("a/b/./a_(b).md", "a/b/./c_d.md")),
        ("![x](plan.md) before [[Z]]", ("a/b/./plan.md", "Z")),
        ("[[../up]] [[./here|x]] [[plain]]", ("a/b/./../up", "a/b/././here", "plain")),
        ("[x](../../../out.md) [[../../../out]]", ()),
        ("[x](https://e.org/a.md) [y](mailto:a.md) [z](//e.org/a.md)", ()),
        ("[x](picture.png) [y](folder/) [z](#here) [w]()", ()),
        ("`[x](a.md)`\n\n```\n[x](b.md)\n```\n", ()),
        ("\\](a.md) and ](b.md)", ("a/b/./b.md",)),
        ("[x](%E5%AF%86.md)", ("a/b/./密.md",)),
    ],
)
def test_links_of_markdown_are_meant_from_the_folder_of_the_note(text, targets):
    assert find_links(text, "a/b") == targets


@pytest.mark.parametrize(
    ("link", "path", "stem", "end"),
    [
        ("a/b/./plan.md", "a/b/plan.md", "plan", ""),
        ("a/b/./../up", "a/up.md", "up", ""),
        ("a/./../x/Up.md", "x/Up.md", "up", "/x/up.md"),
        ("./plan.md", "plan.md", "plan", ""),
        ("top/Plan", "top/Plan.md", "plan", "/top/plan.md"),
        ("Plan", "Plan.md", "plan", ""),
        ("a.b", "a.b.md", "a.b", ""),
        ("", ".md", "", ""),
    ],
)
def test_what_a_link_may_mean(link, path, stem, end):
    target = read_target(link)

    assert (target.path, target.stem, target.end) == (path, stem, end)


def test_a_relative_link_is_shown_as_it_is_written():
    assert shown_link("a/b/./../up.md") == "../up.md"
    assert shown_link("./plan.md") == "plan.md"
    assert shown_link("top/Plan") == "top/Plan"


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#one and #two/three\n#four", ("one", "two/three", "four")),
        ("# heading\n## #five", ("five",)),
        ("a#b (#c) http://e.org/#d", ()),
        ("#123 #1a #_x #x-y", ("1a", "_x", "x-y")),
        ("#密码 #größe #🌱", ("密码", "größe", "🌱")),
        ("#a, #b. #c; #d! #e's", ("a", "b", "c", "d", "e")),
        ("#a #a #A", ("a", "A")),
        ("> #quoted\n- #item\n\t#tabbed", ("quoted", "item", "tabbed")),
        ("#a/ #/ ##b \\#c", ("a",)),
        ("", ()),
    ],
)
def test_tags_in_a_text(text, tags):
    assert find_tags(text) == tags
