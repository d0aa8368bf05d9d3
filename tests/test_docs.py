"""The documents say what the code does."""

import re
from pathlib import Path

import pytest

from mnemos_files import config
from mnemos_files.cli.main import COMMANDS
from mnemos_files.operations.table import OPERATIONS
from tests.tools_page import page

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_every_setting_is_documented() -> None:
    text = (ROOT / "docs/settings.md").read_text("utf-8")

    for table, key in config._KEYS:
        assert f"[{table}]" in text
        assert f"`{key}`" in text


def test_every_operation_and_command_stands_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")

    for operation in OPERATIONS:
        assert f"`mnemos_{operation.name}`" in text
        assert f"mnemos-files {operation.name.replace('_', '-')}" in text
    for command in COMMANDS:
        assert f"`{command}`" in text or f"mnemos-files {command}" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"), re.M)

    local = [target for target in targets if "://" not in target]

    assert [target for target in local if not (page.parent / target).exists()] == []


def test_the_page_of_the_tools_is_fresh() -> None:
    assert (ROOT / "docs" / "tools.md").read_text("utf-8") == page()


def test_every_command_that_a_document_shows_exists() -> None:
    known = {*COMMANDS, *(operation.name.replace("_", "-") for operation in OPERATIONS)}
    shown = {
        name
        for page in PAGES
        for name in re.findall(r"(?:^|`)\s*mnemos-files ([a-z-]+)", page.read_text("utf-8"), re.M)
    }

    assert shown <= known
    assert "search" in shown
