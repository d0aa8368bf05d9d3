"""`mnemos-files digest` and `mnemos-files efficacy`: what happened since, and whether it helped."""

from typing import Any

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.operations.schema import to_json


@click.command()
@click.option("--since", default="24h", show_default=True, help="How far back: s, m, h, d, w.")
@common_options
@click.pass_obj
def digest(session: Session, since: str) -> None:
    """Tell what happened: memories, sessions, skills, what was put before a model."""
    _report(session, since, "mnemos_files.report.digest", "digest")


@click.command()
@click.option("--since", default="720h", show_default=True, help="How far back: s, m, h, d, w.")
@common_options
@click.pass_obj
def efficacy(session: Session, since: str) -> None:
    """Compare how sessions ended, with memory put before them and without."""
    _report(session, since, "mnemos_files.report.efficacy", "efficacy")


def _report(session: Session, since: str, module: str, name: str) -> None:
    session.start_logging()
    start_of = load("mnemos_files.report.duration:start_of")
    with session.store() as store:
        report: Any = load(f"{module}:{name}")(store, start_of("since", since, store.now()))
    # Text unless JSON is asked for, also in a pipe: it is for mails and logs.
    if session.as_json:
        click.echo(to_text(to_json(report)))
    else:
        click.echo("\n".join(load(f"{module}:lines")(report, since.strip())))
