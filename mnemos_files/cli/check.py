"""`mnemos-files check`: every problem of the vault."""

import click

from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.model.problem import Problem
from mnemos_files.operations.schema import to_json


@click.command()
@common_options
@click.pass_context
def check(context: click.Context) -> None:
    """List every problem as file:line: message; exit code 1 when there is one."""
    session = context.ensure_object(Session)
    session.start_logging()
    with session.store() as store:
        problems = store.problems()
    rows = to_json(problems)
    # Text unless JSON is asked for, also in a pipe: these lines are for grep, editors and CI.
    if session.as_json:
        click.echo(to_text({"problems": rows}))
    else:
        click.echo("\n".join(_line(problem) for problem in problems) or "no problems")
    context.exit(1 if rows else 0)


def _line(problem: Problem) -> str:
    return f"{problem} ({problem.remedy})" if problem.remedy else str(problem)
