"""The command line, run in this process or in one of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mnemos_files.cli.main import commands

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Runs a command; arguments are texts, `input` goes to standard input."""

    def call(*arguments: str, **options: object) -> Result:
        result = CliRunner().invoke(commands, [str(each) for each in arguments], **options)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.fixture
def run_json(run: Run) -> Callable[..., dict]:
    """Runs a command that must succeed; what it printed, parsed."""

    def call(*arguments: str, **options: object) -> dict:
        result = run(*arguments, **options)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    return call


def program(
    *arguments: object, cwd: Path | None = None, **environ: str
) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "mnemos_files", *map(str, arguments)],
        cwd=cwd,
        env=os.environ | environ,
        capture_output=True,
        encoding="cp1252" if environ.get("PYTHONIOENCODING") == "cp1252" else "utf-8",
        check=False,
    )
