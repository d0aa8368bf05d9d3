"""The format of skill packs: what is written, what is read, what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.errors import InvalidQueryError
from mnemos_files.operations import skills, texts
from mnemos_files.report import pack as packs
from mnemos_files.report.pack import Pack, Packed, Source, parse, render
from tests.conftest import NOON

GOLDEN = """\
{
  "version": 1,
  "created_at": "2026-12-01T12:00:00Z",
  "source": {
    "name": "harbour",
    "project": "api"
  },
  "skills": [
    {
      "name": "Deploy",
      "description": "Deploys the API.",
      "procedure": "1. Build.\\n2. Ship „it“.",
      "pitfalls": "Never on Fridays.",
      "tags": [
        "release"
      ]
    },
    {
      "name": "Roll back",
      "description": "Undoes a release.",
      "procedure": "1. Revert."
    }
  ]
}
"""
PACK = Pack(
    (
        Packed(
            "Deploy",
            "Deploys the API.",
            "1. Build.\n2. Ship „it“.",
            "Never on Fridays.",
            ("release",),
        ),
        Packed("Roll back", "Undoes a release.", "1. Revert."),
    ),
    Source("harbour", project="api"),
)
ROW = {"name": "a", "description": "d", "procedure": "p"}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
NAME = TEXT.map(str.strip).filter(lambda name: name and name.isprintable())


def test_a_pack_is_indented_json_without_empty_fields() -> None:
    assert render(PACK, NOON) == GOLDEN
    assert parse(GOLDEN) == PACK


@given(
    st.lists(
        st.builds(
            Packed,
            NAME,
            TEXT.map(str.strip).filter(bool),
            TEXT.filter(str.strip),
            st.just("") | TEXT,
            st.just(("a", "ä b")) | st.just(()),
        ),
        min_size=1,
        max_size=5,
        unique_by=lambda skill: skill.name,
    )
)
def test_a_pack_is_read_as_it_was_written(found: list[Packed]) -> None:
    pack = Pack(tuple(found))

    assert parse(render(pack, NOON)) == pack


def a_pack(**fields: object) -> str:
    return json.dumps({"version": 1, "skills": [ROW]} | fields)


def a_skill(**fields: object) -> str:
    return a_pack(skills=[ROW | fields])


def test_only_version_and_skills_are_needed() -> None:
    assert parse(a_pack()) == Pack((Packed("a", "d", "p"),))
    assert parse(a_pack(created_at=None, source={})) == parse(a_pack())


def test_a_skill_without_description_is_described_by_its_name() -> None:
    row = {"name": "Deploy", "procedure": "p"}

    assert parse(a_pack(skills=[row])).skills[0].description == "Deploy"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"version": 1, "skills": ["\\ud800"]}', "is not JSON"),
        ("[]", "the pack must be an object"),
        (json.dumps({"skills": [ROW]}), "version must be 1"),
        (a_pack(version=0), "version must be 1"),
        (a_pack(version=2), "version must be 1"),
        (a_pack(version="1"), "version must be 1"),
        (a_pack(version=True), "version must be 1"),
        (a_pack(version=1.0), "version must be 1"),
        (a_pack(skills=[]), "holds no skills"),
        (a_pack(skills=None), "holds no skills"),
        (a_pack(skills={"a": ROW}), "holds no skills"),
        (json.dumps({"version": 1}), "holds no skills"),
        (a_pack(skills=[ROW] * 1_001), "holds more than 1000 skills"),
        (a_pack(author="me"), "unknown field 'author'"),
        (a_pack(source={"mail": "x"}), "unknown field source.'mail'"),
        (a_pack(source="harbour"), "source must be an object"),
        (a_pack(source={"name": 3}), "source.name must be text"),
        (a_pack(created_at="yesterday"), "created_at is not a time"),
        (a_pack(created_at=3), "created_at is not a time"),
        (a_skill(use_count=3), "unknown field skills[0].'use_count'"),
        (a_skill(id="x"), "unknown field skills[0].'id'"),
        (a_skill(version=2), "unknown field skills[0].'version'"),
        (a_skill(name=" "), "skills[0].name is empty"),
        (a_skill(name=None), "skills[0].name is empty"),
        (a_skill(name=3), "skills[0].name must be text"),
        (a_skill(name="two\nlines"), "skills[0].name must be one line"),
        (a_skill(name="n" * 201), "skills[0].name is longer than 200"),
        (a_skill(procedure=""), "skills[0].procedure is empty"),
        (a_skill(procedure="p" * 100_001), "skills[0].procedure is longer than 100000"),
        (a_skill(description="d" * 1_025), "skills[0].description is longer than 1024"),
        (a_skill(tags="release"), "skills[0].tags must be a list of texts"),
        (a_skill(tags=[1]), "skills[0].tags must be a list of texts"),
        (a_skill(tags=["t" * 101]), "skills[0].tags is longer than 100"),
        (a_pack(skills=[ROW, "x"]), "skills[1] must be an object"),
        (a_pack(skills=[ROW, ROW]), "skills[1].name: 'a' stands twice"),
        ('{"version": 1, "version": 1, "skills": []}', "the field 'version' stands twice"),
    ],
)
def test_what_is_no_pack_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InvalidQueryError) as caught:
        parse(text)

    assert caught.value.problem.startswith(problem)


def test_the_limits_are_those_of_the_tool_that_saves_a_skill() -> None:
    mine = (packs.NAME_MAX, packs.PART_MAX, packs.TAG_MAX, packs.TAGS_MAX)

    assert mine == (skills.NAME_MAX, texts.PART_MAX, texts.TAG_MAX, texts.LIST_MAX)


def test_a_pack_cannot_claim_to_come_from_corrections_or_doubts_of_the_vault() -> None:
    tags = ["ruminated-from:rumination-1910b445deda", "#promoted-origin:e7385a32f2e8", "speed"]

    read = parse(json.dumps({"version": 1, "skills": [ROW | {"tags": tags}]}))

    assert read.skills[0].tags == ("speed",)
