"""The program `mnemos-files`: its commands, each imported when it is asked for."""

import gc
import io
import logging
import os
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import NoReturn

import click

from mnemos_files import __version__
from mnemos_files.cli.errors import exit_code, message_of
from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options
from mnemos_files.errors import MnemosError

_GC_THRESHOLD = 50_000
"""New objects [1] between two looks for cycles: the default of 700 costs 0.05 s in the imports."""

_EX_IOERR = 74  # of sysexits.h

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "init": "mnemos_files.cli.init:init",
        "serve": "mnemos_files.cli.serve:serve",
        "demo": "mnemos_files.cli.demo:demo",
        "status": "mnemos_files.cli.status:status",
        "check": "mnemos_files.cli.check:check",
        "review": "mnemos_files.cli.review:review",
        "sync": "mnemos_files.cli.sync:sync",
        "resolve": "mnemos_files.cli.resolve:resolve",
        "merge-driver": "mnemos_files.cli.sync:merge_driver",
        "dream": "mnemos_files.cli.dream:dream",
        "scan": "mnemos_files.cli.scan:scan",
        "reindex": "mnemos_files.cli.reindex:reindex",
        "replay": "mnemos_files.cli.replay:replay",
        "digest": "mnemos_files.cli.digest:digest",
        "efficacy": "mnemos_files.cli.digest:efficacy",
        "report": "mnemos_files.cli.report:report",
        "canvas": "mnemos_files.cli.report:canvas",
        "skill-pack": "mnemos_files.cli.skill_pack:skill_pack",
        "prune": "mnemos_files.cli.prune:prune",
        "purge": "mnemos_files.cli.purge:purge",
        "verify": "mnemos_files.cli.verify:verify",
    }
)
"""Where each command beside the operations lives."""


class Commands(click.Group):
    """The commands of `COMMANDS`, and one for each operation."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Names in the order of the help: set-up first, then the operations."""
        return [*COMMANDS, *load("mnemos_files.cli.operations:names")()]

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, None when there is none."""
        if cmd_name in COMMANDS:
            command: click.Command = load(COMMANDS[cmd_name])
            return command
        built: click.Command | None = load("mnemos_files.cli.operations:command")(cmd_name)
        return built

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an error of ours becomes a message and an exit code."""
        try:
            return super().invoke(ctx)
        except MnemosError as error:
            click.echo(message_of(error), err=True)
            ctx.exit(exit_code(error))
        except BrokenPipeError:
            raise  # click ends quietly when nobody reads on
        except OSError as error:
            logging.getLogger(__name__).info("an error of the system", exc_info=error)
            click.echo(f"error: {error}", err=True)
            ctx.exit(_EX_IOERR)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mnemos-files")
@common_options
@click.pass_context
def commands(context: click.Context) -> None:
    """The memory of coding agents as markdown files in git.

    The vault is the folder given by --vault, else by MNEMOS_VAULT, else the nearest parent folder
    that is one.
    """
    context.ensure_object(Session)


def main() -> NoReturn:
    """Run the program."""
    gc.set_threshold(_GC_THRESHOLD)
    for stream in (sys.stdout, sys.stderr):
        # A console that lacks a letter must not stop a command whose work is done.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        commands(prog_name="mnemos-files")
    except SystemExit as end:
        _leave(end.code)
    _leave(0)


def _leave(code: object) -> NoReturn:
    """End the process at once, its output written.

    Everything is closed by now; freeing each object of the libraries one by one would take
    another 0.15 s of CPU, a sixth of a search from the shell (measured at 1,000 notes).
    """
    number = code if isinstance(code, int) else int(code is not None)
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError:
        number = number or 1  # nobody reads the rest of the output
    os._exit(number)
