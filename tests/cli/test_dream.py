"""The command that dreams."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import git


@pytest.fixture
def expired(vault: Path, run_json) -> str:
    """Path of a memory that is past its time."""
    saved = run_json("save", "Old", "text", "--type", "context", "--vault", str(vault), "--json")
    file = vault / saved["path"]
    file.write_text(file.read_text().replace("---\ntext", "expires: 2020-01-01\n---\ntext"))
    return saved["path"]


def test_it_tells_what_each_pass_did(vault: Path, expired: str, run):
    result = run("dream", "--vault", str(vault))

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    head = git(vault, "rev-parse", "HEAD~2")[:10]
    assert lines[0] == f"expiry: 1 done ({head})"
    assert lines[1] == f"  + Old ({expired}) expired 2020-01-01"
    assert "promotion: nothing" in lines
    assert not (vault / expired).exists()


def test_a_dry_run_shows_the_diff_and_writes_nothing(vault: Path, expired: str, run):
    before = git(vault, "status", "--short"), git(vault, "rev-parse", "HEAD")

    result = run("dream", "--dry-run", "--vault", str(vault))

    assert "expiry: 1 would do" in result.stdout
    assert f"--- a/{expired}" in result.stdout
    assert "-expires: 2020-01-01" in result.stdout
    assert (vault / expired).exists()
    assert (git(vault, "status", "--short"), git(vault, "rev-parse", "HEAD")) == before


def test_json_tells_the_same(vault: Path, expired: str, run_json):
    told = run_json("dream", "--json", "--vault", str(vault))

    assert told["rehearsed"] is False
    assert told["outcomes"][0]["step"] == "expiry"
    assert len(told["outcomes"][0]["done"]) == 1


def test_with_nothing_to_do_it_says_so(vault: Path, run):
    assert run("dream", "--vault", str(vault)).stdout.splitlines()[-1] == "nothing to do"


@pytest.mark.parametrize("interval", ["soon", "0h"])
def test_an_interval_that_is_none_is_refused(vault: Path, run, interval: str):
    result = run("dream", "--interval", interval, "--vault", str(vault))

    assert result.exit_code == 2
    assert "interval" in result.stderr


def test_it_dreams_again_and_ends_when_told(vault: Path, expired: str):
    arguments = ["dream", "--watch", "--interval", "0.01s", "--vault", str(vault)]
    dreams = 0
    with subprocess.Popen(
        [sys.executable, "-m", "mnemos_files", *arguments],
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            dreams += line == "nothing to do\n"
            if dreams == 2:
                process.send_signal(signal.SIGTERM)
                break
        process.stdout.read()

    assert process.returncode == 0
    assert git(vault, "log", "--format=%s").count("expire(memory)") == 1
