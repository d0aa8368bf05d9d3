"""docs/review.md says what the code does."""

import json
import re
from dataclasses import fields
from importlib import resources

import jsonschema
import yaml

from mnemos_files.cli.review_range import FORMATS
from mnemos_files.review.values import MemoryChange
from tests.review_page import PAGE, fresh
from tests.template.test_workflows import WORKFLOW, read

TEXT = PAGE.read_text("utf-8")


def test_what_is_printed_there_is_what_is_printed_now():
    assert fresh(TEXT) == TEXT


def test_every_key_of_a_memory_and_every_format_is_named():
    named = {field.name for field in fields(MemoryChange)} | set(FORMATS)

    assert {name for name in named if f"`{name}`" not in TEXT} == set()


def validate(name, value):
    folder = resources.files("check_jsonschema") / "builtin_schemas/vendor"
    schema = json.loads((folder / f"{name}.json").read_text("utf-8"))
    jsonschema.Draft7Validator(schema).validate(value)


def test_the_job_for_gitlab_is_valid():
    (block,) = re.findall(r"<!-- gitlab -->\n```yaml\n(.*?)```", TEXT, re.DOTALL)
    loaded = yaml.safe_load(block)

    validate("gitlab-ci", loaded)
    assert loaded["memory"]["variables"] == {"GIT_DEPTH": "0"}


def test_the_workflow_of_the_template_is_valid():
    validate("github-workflows", read(WORKFLOW))
