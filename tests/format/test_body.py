import pytest

from mnemos_files.errors import InvalidRecordError
from mnemos_files.format.body import render_body, split_body
from mnemos_files.model.kind import KINDS
from mnemos_files.model.record import Record


def body_of(content: str, *sections: tuple[str, str], kind: str = "decision") -> str:
    record = Record(id="x", type=kind, title="t", content=content, sections=sections)
    return render_body(record)


@pytest.mark.parametrize(
    ("content", "why", "body"),
    [
        ("", "", "\n"),
        ("a", "", "a\n"),
        ("a\n", "", "a\n\n"),
        ("a", "b", "a\n\n## Why\n\nb\n"),
        ("", "b", "\n\n## Why\n\nb\n"),
        ("a\n", "\nb\n", "a\n\n\n## Why\n\n\nb\n\n"),
        ("## Why", "b", "\\## Why\n\n## Why\n\nb\n"),
        ("\\## Why", "b", "\\\\## Why\n\n## Why\n\nb\n"),
        ("## Why  ", "## Why", "\\## Why  \n\n## Why\n\n\\## Why\n"),
        ("## Fix\n### Why\n ## Why\n## Why not", "", "## Fix\n### Why\n ## Why\n## Why not\n"),
        ("```\n## Why\n```", "b", "```\n## Why\n```\n\n## Why\n\nb\n"),
        ("```\nx", "b", "\\```\nx\n\n## Why\n\nb\n"),
        ("  ~~~~\n~~~", "", "  \\~~~~\n\\~~~\n"),
        ("\\```", "", "\\\\```\n"),
        ("```a`b", "", "```a`b\n"),
        ("````\n```\n## Why\n````", "", "````\n```\n## Why\n````\n"),
        ("```\n~~~\n```\n## Why", "", "```\n~~~\n```\n\\## Why\n"),
        ("---\n```\n---\n```\n", "", "---\n```\n---\n```\n\n"),
    ],
)
def test_a_text_that_looks_like_structure_is_escaped_and_comes_back(content, why, body):
    sections = (("rationale", why),) if why else ()

    assert body_of(content, *sections) == body
    assert split_body(body, KINDS["decision"]) == (content, sections)


def test_only_headings_of_the_own_kind_are_structure():
    assert body_of("## Fix") == "## Fix\n"
    assert body_of("## Fix", kind="correction") == "\\## Fix\n"


@pytest.mark.parametrize(
    ("body", "content", "sections"),
    [
        ("a", "a", ()),
        ("a\n## Why\nb", "a", (("rationale", "b"),)),
        ("a\n\n## Why \n\nb\n", "a", (("rationale", "b"),)),
        ("a\n\n## Why\n", "a", ()),
        ("a\n\n## Why\n\nb\n\n## Why\n\nc\n", "a", (("rationale", "b\n\n## Why\n\nc"),)),
        ("a\n\n## why\n\nb\n", "a\n\n## why\n\nb", ()),
        ("```\ncode\n\n## Why\n\nb\n", "```\ncode", (("rationale", "b"),)),
    ],
)
def test_a_body_that_a_person_wrote_is_read_leniently(body, content, sections):
    assert split_body(body, KINDS["decision"]) == (content, sections)


def test_parts_come_in_the_order_of_the_kind():
    body = "a\n\n## Fix\n\nf\n\n## Tried\n\nt\n"

    assert split_body(body, KINDS["correction"]) == ("a", (("tried", "t"), ("fix", "f")))


@pytest.mark.parametrize("sections", [(("fix", "x"),), (("rationale", "x"), ("rationale", "y"))])
def test_a_part_that_the_kind_has_not_or_twice_is_refused(sections):
    with pytest.raises(InvalidRecordError):
        body_of("a", *sections)
