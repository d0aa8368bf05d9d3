"""Commands of fixtures: their output, their bounds, and nothing left over."""

import os
import sys
import time
from pathlib import Path

import pytest

from mnemos_files.cli import verify_run
from mnemos_files.cli.verify_run import run_command
from mnemos_files.report.trials import Output

SHELL = ("/bin/sh", "-c")
PATIENT = 60.0


def run(script: str, seconds: float = PATIENT, **environ: str) -> Output:
    return run_command([*SHELL, script], os.environ | environ, seconds)


def test_both_streams_are_read_together() -> None:
    assert run("echo out; echo err >&2") == Output("out\nerr\n")


def test_no_shell_reads_the_arguments() -> None:
    argv = [sys.executable, "-c", "import sys; print(sys.argv[1])", "$(id); `id` *"]

    assert run_command(argv, os.environ, PATIENT) == Output("$(id); `id` *\n")


def test_standard_input_is_empty_and_the_environment_as_given() -> None:
    assert run("cat; echo $MNEMOS_DISABLED", MNEMOS_DISABLED="1") == Output("1\n")


def test_a_status_that_is_not_zero_is_a_problem() -> None:
    assert run("echo no such model; exit 3") == Output(
        "no such model\n", "ended with 3: no such model"
    )


@pytest.mark.parametrize("argv", [["/no/such/program"], ["sh", "a\0b"], [str(Path(__file__))]])
def test_what_cannot_be_run_is_a_problem(argv: list[str]) -> None:
    output = run_command(argv, os.environ, PATIENT)

    assert output.problem.startswith("cannot be run: ")


def test_a_run_that_takes_too_long_is_stopped_with_all_it_started(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    start = time.monotonic()

    output = run(f"echo begun; sleep 300 & echo $! > {pid}; wait", 0.5)

    assert output == Output("begun\n", "did not end within 0.5 s")
    assert time.monotonic() - start < PATIENT
    assert not _runs(int(pid.read_text(encoding="ascii")))


def test_what_an_ended_command_left_running_is_stopped(tmp_path: Path) -> None:
    pid = tmp_path / "pid"

    output = run(f"sleep 300 & echo $! > {pid}; echo done")

    assert output == Output("done\n")
    assert not _runs(int(pid.read_text(encoding="ascii")))


def test_a_command_that_closes_its_output_is_still_stopped() -> None:
    output = run("exec >&- 2>&-; sleep 300", 0.5)

    assert output.problem == "did not end within 0.5 s"


def test_output_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_run, "OUTPUT_BYTES_MAX", 1_000)

    output = run("yes")

    assert output.problem == "printed more than 1000 bytes"
    assert len(output.text) == 1_000


def test_output_that_is_no_text_is_still_shown() -> None:
    assert run(r"printf 'a\377b'").text == "a\ufffdb"


def _runs(pid: int) -> bool:
    """True for a process that is there and not only waits to be reaped by its new parent."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        except OSError:
            return False
        if state[0] == "Z":
            return False
        os.sched_yield()
    return True
