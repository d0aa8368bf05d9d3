"""Inputs of the cases, and programs run on them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent
DEADLINE = 60.0
"""Seconds after which a program that does not end has failed; machines may be busy."""


def folder_of(case: str) -> Path:
    """The folder of a case by its number, such as "c24"."""
    (found,) = CASES.glob(f"{case}-*")
    return found


def data_of(case: str, name: str) -> Any:
    """A JSON file of a case."""
    return json.loads((folder_of(case) / name).read_text("utf-8"))


def script(case: str, name: str, *arguments: object, **environment: str) -> None:
    """Run a shell script of a case."""
    subprocess.run(
        ["bash", str(folder_of(case) / name), *map(str, arguments)],
        check=True,
        env=os.environ | environment,
        timeout=DEADLINE,
    )


def command(
    *arguments: object, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The command line as a person runs it."""
    return subprocess.run(
        [sys.executable, "-m", "mnemos_files", *map(str, arguments)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=os.environ | environment,
        timeout=DEADLINE,
    )


def snapshot(root: Path) -> dict[str, bytes]:
    """Bytes of every file below a folder, those in git's folder aside."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }
