import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mnemos_files
from mnemos_files import __version__
from mnemos_files.cli.main import commands
from tests.cli.conftest import program

HEAVY = ("mcp", "numpy", "pygit2", "whoosh", "model2vec", "rich", "mnemos_files.store")
LOADED = """
import sys
from mnemos_files.cli.main import commands
try:
    commands(sys.argv[1:], prog_name="mnemos-files")
except SystemExit:
    pass
print("LOADED", *sorted(sys.modules), file=sys.stderr)
"""


def modules(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split("LOADED", 1)[1].split())


@pytest.mark.parametrize(
    "arguments", [("--help",), ("search", "--help"), ("serve", "--help"), ("init", "/")]
)
def test_help_and_refusals_load_nothing_heavy(arguments: tuple[str, ...]):
    assert modules(*arguments).isdisjoint(HEAVY)


def test_a_search_from_the_shell_loads_neither_mcp_nor_rich(vault: Path):
    loaded = modules("search", "x", "--vault", str(vault))

    assert "mnemos_files.store.store" in loaded
    assert loaded.isdisjoint({"mcp", "rich", "pydantic"})


def test_the_version_is_told(run):
    assert run("--version").stdout == f"mnemos-files, version {__version__}\n"


def test_an_unknown_command_is_refused(run):
    result = run("serach", "x")

    assert result.exit_code == 2
    assert "No such command 'serach'" in result.stderr


def test_commands_give_the_same_from_everywhere(vault: Path):
    (vault / ".mnemos").mkdir()
    (vault / ".mnemos" / "config.toml").write_text("", encoding="utf-8")
    program("save", "T", "C", "--type", "context", cwd=vault)

    inside = program("search", "T", cwd=vault)
    outside = program("search", "T", "--vault", vault, cwd=Path("/"))
    named = program("search", "T", cwd=Path("/"), MNEMOS_VAULT=str(vault))

    assert json.loads(inside.stdout)["total"] >= 1
    assert inside.stdout == outside.stdout == named.stdout


def test_without_a_vault_nothing_is_made_in_the_working_folder(tmp_path: Path):
    (tmp_path / "a.md").write_text("mine\n", encoding="utf-8")

    for command in (("search", "x"), ("serve",), ("status",), ("check",), ("reindex",)):
        done = program(*command, cwd=tmp_path)
        assert done.returncode == 75
        assert done.stderr.startswith("error: no vault was named")

    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


def test_every_command_that_a_message_quotes_exists():
    package = Path(mnemos_files.__file__).parent
    texts = [path.read_text(encoding="utf-8") for path in package.rglob("*.py")]
    quoted = {name for text in texts for name in re.findall(r"`mnemos-files ([a-z-]+)", text)}

    assert {"init", "reindex", "serve"} <= quoted
    assert quoted <= set(commands.list_commands(None))
