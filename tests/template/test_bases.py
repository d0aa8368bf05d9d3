"""The tables of the template: documented syntax over properties that exist."""

import json
import re
from pathlib import Path

import pytest
import yaml

from mnemos_files.model.kind import SAVED_TYPES

TEMPLATE = Path(__file__).parents[2] / "vault-template"
BASES = ["Memories.base", "Review.base", "Superseded.base"]
PROPERTIES = json.loads((TEMPLATE / ".obsidian/types.json").read_text(encoding="utf-8"))["types"]
FILE_PROPERTIES = {"name", "path", "folder", "ext", "mtime", "ctime", "size", "tags", "links"}
FILE_FUNCTIONS = {"asLink", "inFolder", "hasTag", "hasLink", "hasProperty"}
VALUE_FUNCTIONS = {"isEmpty", "contains", "containsAny", "lower", "startsWith"}
STRING = re.compile(r'"[^"]*"')
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")


def read_base(name):
    return yaml.safe_load((TEMPLATE / name).read_text(encoding="utf-8"))


def statements(node):
    """Every filter statement below a filter object, checking the object's shape on the way."""
    if isinstance(node, str):
        return [node]
    assert len(node) == 1
    (junction, parts), *_ = node.items()
    assert junction in {"and", "or", "not"}
    return [text for part in parts for text in statements(part)]


def unknown_names(expression, formulas=()):
    """Names in an expression that are neither properties of ours nor documented by Bases."""
    return {
        name
        for name in NAME.findall(STRING.sub("", expression))
        if not is_known(name.split("."), formulas)
    }


def is_known(parts, formulas):
    if parts == ["if"]:
        return True
    if parts[0] == "file":
        return len(parts) == 2 and parts[1] in FILE_PROPERTIES | FILE_FUNCTIONS
    if parts[0] == "formula":
        return len(parts) == 2 and parts[1] in formulas
    if parts[0] == "note":
        parts = parts[1:]
    is_property = parts[0] in PROPERTIES or parts[0] in VALUE_FUNCTIONS
    return is_property and all(part in VALUE_FUNCTIONS for part in parts[1:])


@pytest.mark.parametrize("name", BASES)
def test_base_has_only_documented_parts(name):
    base = read_base(name)

    assert set(base) <= {"filters", "formulas", "properties", "views"}
    for view in base["views"]:
        assert set(view) <= {"type", "name", "filters", "order", "sort", "groupBy", "limit"}
        assert view["type"] == "table"
        assert set(view.get("groupBy", {"property": "", "direction": ""})) == {
            "property",
            "direction",
        }


@pytest.mark.parametrize("name", BASES)
def test_base_filters_by_properties_that_exist(name):
    base = read_base(name)
    filters = [base["filters"], *[view["filters"] for view in base["views"] if "filters" in view]]

    for node in filters:
        for statement in statements(node):
            assert unknown_names(statement) == set(), statement


@pytest.mark.parametrize("name", BASES)
def test_base_shows_and_sorts_by_properties_that_exist(name):
    base = read_base(name)
    formulas = base["formulas"]

    for expression in formulas.values():
        assert unknown_names(expression) == set()
    for column in base["properties"]:
        assert unknown_names(column, formulas) == set()
    for view in base["views"]:
        columns = view["order"] + [row["property"] for row in view.get("sort", [])]
        columns += [view["groupBy"]["property"]] if "groupBy" in view else []
        assert {name for column in columns for name in unknown_names(column, formulas)} == set()
        assert {row["direction"] for row in view.get("sort", [])} <= {"ASC", "DESC"}


@pytest.mark.parametrize("name", BASES)
def test_base_lists_all_kinds_and_no_note_template(name):
    rules = statements(read_base(name)["filters"])

    listed = re.fullmatch(r"\[(.*)\]\.contains\(type\)", rules[0])
    assert sorted(re.findall(r'"(\w+)"', listed[1])) == sorted(SAVED_TYPES)
    assert rules[1] == '!file.inFolder("templates")'


def test_views_have_the_promised_names():
    views = {name: [view["name"] for view in read_base(name)["views"]] for name in BASES}

    assert views == {
        "Memories.base": ["Recent", "By project", "By kind", "Rules"],
        "Review.base": ["Raw", "Ending", "Contradicted"],
        "Superseded.base": ["Superseded", "Replacements"],
    }


def test_checker_finds_a_misspelt_property():
    assert unknown_names('trust_teir == "raw"') == {"trust_teir"}
