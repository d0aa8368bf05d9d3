"""`mnemos-files review`: a change to the vault, read like an editor; its other verbs."""

from collections.abc import Mapping
from types import MappingProxyType

import click

from mnemos_files.cli.lazy import load

DEFAULT = "range"
"""The subcommand that is meant when none is named."""

SUBCOMMANDS: Mapping[str, str] = MappingProxyType(
    {
        DEFAULT: "mnemos_files.cli.review_range:read_range",
        "list": "mnemos_files.cli.proposals:list_open",
        "show": "mnemos_files.cli.proposals:show",
        "approve": "mnemos_files.cli.proposals:approve",
        "reject": "mnemos_files.cli.proposals:reject",
    }
)
"""Where each subcommand lives; a branch that is called like one is given as `range BRANCH`."""


class ReviewGroup(click.Group):
    """The subcommands of `SUBCOMMANDS`; what begins like none of them is the default's."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Names in the order of the table."""
        return list(SUBCOMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of a name, None when there is none."""
        if cmd_name not in SUBCOMMANDS:
            return None
        command: click.Command = load(SUBCOMMANDS[cmd_name])
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with the default put in front when they name no subcommand."""
        named = bool(args) and (args[0] in SUBCOMMANDS or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else [DEFAULT, *args])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the default, then the subcommands."""
        default = self.get_command(ctx, DEFAULT)
        if default is not None:
            default.format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


@click.group(cls=ReviewGroup, subcommand_metavar="[RANGE|BRANCH|COMMIT] | COMMAND ...")
def review() -> None:
    """Read a change to the vault like an editor: what memories say now, and what is wrong."""
