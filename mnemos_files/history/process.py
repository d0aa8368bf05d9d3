"""Running a program: no shell, no terminal, a deadline, nothing left behind."""

import os
import shutil
import signal
import subprocess  # noqa: TID251 - the one place that starts programs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

GIT_SECONDS = 20.0
"""Longest time [s] for a git command on the index; seconds at a million entries."""

NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
_LOCAL_VARIABLES = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_WORK_TREE",
    }
)
"""`git rev-parse --local-env-vars`: they would lead git to another repository than ours."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended; `is_ok` is False when it failed, was not there or took too long."""

    is_ok: bool
    output: bytes
    errors: str


def run(
    command: Sequence[str], payload: bytes, timeout_seconds: float, environment: dict[str, str]
) -> Finished:
    """Result of a program that read `payload`; its whole process group is gone afterwards."""
    try:
        process = subprocess.Popen(  # noqa: S603 - an argument list, no shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        return Finished(is_ok=False, output=b"", errors=str(error))
    with process:
        try:
            output, errors = process.communicate(payload, timeout_seconds)
        except subprocess.TimeoutExpired:
            return Finished(is_ok=False, output=b"", errors=f"no end after {timeout_seconds:g} s")
        finally:
            _end_group(process)
    text = errors.decode("utf-8", "replace").strip()
    return Finished(is_ok=process.returncode == 0, output=output, errors=text)


def environment() -> dict[str, str]:
    """The environment for programs, without what would point git at another repository."""
    inherited = os.environ  # noqa: TID251 - children need HOME and PATH; nothing is read from it
    return {name: text for name, text in inherited.items() if name not in _LOCAL_VARIABLES}


@dataclass(frozen=True, slots=True)
class Git:
    """The git program on one repository; for the kinds of index that libgit2 cannot read."""

    git_dir: Path
    workdir: Path

    @property
    def is_installed(self) -> bool:
        """True when a git program is on the path."""
        return shutil.which("git") is not None

    def run(
        self,
        *arguments: str,
        payload: bytes = b"",
        seconds: float = GIT_SECONDS,
        variables: Mapping[str, str] = NO_VARIABLES,
    ) -> Finished:
        """Result of a git command; runs no hooks and no file system monitor.

        `variables` are added to the environment.
        """
        program = shutil.which("git")
        if program is None:
            return Finished(is_ok=False, output=b"", errors="git is not installed")
        command = [
            program,
            f"--git-dir={self.git_dir}",
            f"--work-tree={self.workdir}",
            "--literal-pathspecs",
            *("-c", "core.fsmonitor=false"),
            *("-c", f"core.hooksPath={os.devnull}"),
            *("-c", f"safe.directory={self.workdir}"),
            *("-c", "core.fsync=loose-object,index"),
            # Outside of the cone, update-index of git 2.39 gives a sparse index double entries.
            *("-c", "index.sparse=false"),
            *arguments,
        ]
        return run(command, payload, seconds, {**environment(), **variables})


def _end_group(process: subprocess.Popen[bytes]) -> None:
    try:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        elif process.poll() is None:
            process.kill()
    except ProcessLookupError:
        pass
