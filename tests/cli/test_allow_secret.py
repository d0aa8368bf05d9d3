"""A person can say that what looks like a secret is none; an agent cannot."""

from pathlib import Path

import pytest

from mnemos_files.cli import operations
from mnemos_files.operations.arguments import parameters
from mnemos_files.operations.table import OPERATIONS
from tests.conftest import git
from tests.safety.secret_samples import signs

TOKEN = "gl" + "pat-" + signs(20)


def test_a_save_with_a_secret_is_refused_and_tells_the_way(vault: Path, run):
    head = git(vault, "rev-parse", "HEAD")

    result = run("save", "Mirror", f"it uses {TOKEN}", "--type", "context", "--vault", str(vault))

    assert result.exit_code == 5
    assert "gitlab-token in content, line 1, column 9" in result.stderr
    assert "--allow-secret" in result.stderr
    assert TOKEN not in result.output
    assert git(vault, "rev-parse", "HEAD") == head
    assert sorted(path.name for path in vault.rglob("*.md")) == ["Home.md"]


def test_a_person_can_save_it_all_the_same(vault: Path, run):
    place = ("--type", "context", "--vault", str(vault))

    result = run("save", "Mirror", f"it uses {TOKEN}", "--allow-secret", *place)

    assert result.exit_code == 0
    assert TOKEN in git(vault, "show", "HEAD")
    assert run("save", "Other", f"it uses {TOKEN[:-1]}9", *place).exit_code == 5


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
def test_every_command_that_writes_has_the_option_and_no_tool_has_the_argument(row):
    options = {one for field in operations.build(row.name, row).params for one in field.opts}

    assert ("--allow-secret" in options) is not row.read_only
    assert not [field.name for field in parameters(row.run) if "secret" in field.name]
