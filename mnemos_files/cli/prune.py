"""`mnemos-files prune`: the end of what has expired."""

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.operations.schema import to_json


@click.command()
@click.option("--dry-run", is_flag=True, help="Only list what would be deleted.")
@common_options
@click.pass_obj
def prune(session: Session, *, dry_run: bool) -> None:
    """Delete the memories whose time to live is over, in one commit.

    Searches do not show them since they expired; the git history keeps their texts.
    """
    session.start_logging()
    with session.store() as store:
        pruned = load("mnemos_files.report.prune:prune")(store, dry_run=dry_run)
    if session.as_json:
        click.echo(to_text(to_json(pruned)))
    else:
        click.echo("\n".join(load("mnemos_files.report.prune:lines")(pruned)))
