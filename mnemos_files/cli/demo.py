"""`mnemos-files demo`."""

import click

from mnemos_files.cli.session import common_options


@click.command()
@common_options
def demo() -> None:
    """Show the whole thing at work on a made-up project."""
