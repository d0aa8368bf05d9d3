"""CPU and memory of whole processes: a server's start, a search from a shell.

    python -m tests.benchmarks starting [--notes N ...]

Start: CPU of the process until `tools/list` is answered, against a bare `MCPServer` with one tool.
Shell: CPU of `mnemos-files search` on a vault that is indexed, and whether it imported mcp.
Memory: resident set of a server after the index is ready and 40 searches were answered.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pygit2

from tests.benchmarks import notes
from tests.wire import Wire

BARE = """
from mcp.server import MCPServer
server = MCPServer("bare")
@server.tool()
def echo(text: str) -> str:
    "Say it again."
    return text
server.run("stdio")
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this measurement."""
    parser.add_argument("--notes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--runs", type=int, default=7)


def run(options: argparse.Namespace) -> Iterator[str]:
    """Start, then shell and memory for each size."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder, "empty")
        _vault(empty, 0)
        environment = {"MNEMOS_CACHE_DIR": str(Path(folder, "cache"))}
        yield _start(empty, environment, options.runs)
        for count in options.notes:
            root = Path(folder, str(count))
            made = _vault(root, count)
            yield from _with_notes(root, made, environment, options.runs)


def _vault(root: Path, count: int) -> list[notes.MadeNote]:
    made = notes.make(count)
    root.mkdir()
    notes.write(made, root)
    pygit2.init_repository(str(root), initial_head="main")
    return made


def _start(root: Path, environment: Mapping[str, str], runs: int) -> str:
    ours, bare = [], []
    for _ in range(runs):
        ours.append(
            _cpu_until_listed(["-m", "mnemos_files", "serve", "--vault", str(root)], environment)
        )
        bare.append(_cpu_until_listed(["-c", BARE], environment))
    mine, base = statistics.median(ours), statistics.median(bare)
    return (
        f"start to tools/list: {mine:.2f} s CPU, bare MCPServer {base:.2f}, ratio {mine / base:.2f}"
    )


def _cpu_until_listed(arguments: list[str], environment: Mapping[str, str]) -> float:
    wire = Wire(program=[sys.executable, *arguments], **environment)
    wire.initialize()
    wire.request("tools/list")
    seconds = _cpu_seconds(wire.process.pid)
    wire.close()
    return seconds


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _with_notes(
    root: Path, made: list[notes.MadeNote], environment: Mapping[str, str], runs: int
) -> Iterator[str]:
    questions = notes.questions(made, 40)
    wire = Wire("serve", "--vault", str(root), **environment)
    wire.initialize()
    while wire.call("stats")["index"]["pending"]:
        pass
    wire.close()
    wire = Wire("serve", "--vault", str(root), **environment)
    wire.initialize()
    for question in questions:
        wire.call("search", query=question)
    megabytes = _resident(wire.process.pid)
    wire.close()
    asked = f"after {len(questions)} searches"
    yield f"server with {len(made)} notes: {megabytes:.0f} MB resident {asked}"
    yield _shell(root, questions[:runs], environment, len(made))


def _resident(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


def _shell(root: Path, questions: list[str], environment: Mapping[str, str], count: int) -> str:
    times = []
    imported = False
    for question in questions:
        done = subprocess.run(
            [
                sys.executable,
                "-X",
                "importtime",
                "-m",
                "mnemos_files",
                "search",
                question,
                "--vault",
                str(root),
            ],
            env={**os.environ, **environment},
            capture_output=True,
            check=True,
        )
        json.loads(done.stdout)
        imported |= any(line.endswith(b"| mcp") for line in done.stderr.splitlines())
        before = os.times()
        subprocess.run(
            [sys.executable, "-m", "mnemos_files", "search", question, "--vault", str(root)],
            env={**os.environ, **environment},
            capture_output=True,
            check=True,
        )
        after = os.times()
        times.append(
            after.children_user
            - before.children_user
            + after.children_system
            - before.children_system
        )
    how = "with" if imported else "without"
    return (
        f"shell search in {count} notes: {statistics.median(times):.2f} s CPU, {how} importing mcp"
    )
