"""`mnemos-files check`: every problem of the vault."""

from typing import Any

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.model.problem import Problem
from mnemos_files.operations.schema import to_json


@click.command()
@click.option(
    "--since",
    metavar="REV",
    help="Only notes that are new or changed since this commit; tells which came from outside.",
)
@click.option("--foreign", is_flag=True, help="Also links of notes that are no memories.")
@common_options
@click.pass_context
def check(context: click.Context, since: str | None, *, foreign: bool) -> None:
    """List every problem as file:line: message; exit code 1 when there is one.

    With --since, notes that came by a commit of a person or a pull request are listed too, with
    the texts in them that a rendered page does not show; they alone leave the exit code 0.
    """
    session = context.ensure_object(Session)
    session.start_logging()
    outside: tuple[Any, ...] = ()
    with session.store() as store:
        if since is None:
            problems = store.problems(foreign=foreign)
        else:
            review = load("mnemos_files.store.review:review")(store, since)
            problems, outside = review.problems, review.from_outside
    # Text unless JSON is asked for, also in a pipe: these lines are for grep, editors and CI.
    if session.as_json:
        listed = {} if since is None else {"from_outside": [_row(one) for one in outside]}
        click.echo(to_text({"problems": to_json(problems), **listed}))
    else:
        lines = [*map(_line, problems), *map(_outside_line, outside)]
        click.echo("\n".join(lines) or "no problems")
    context.exit(1 if problems else 0)


def _line(problem: Problem) -> str:
    return f"{problem} ({problem.remedy})" if problem.remedy else str(problem)


def _row(one: Any) -> dict[str, Any]:  # noqa: ANN401 - of the store, which loads late
    return {
        "path": one.path,
        "commit": one.commit,
        "author": one.author,
        "when": f"{one.when:%Y-%m-%dT%H:%M:%SZ}",
        "hidden": list(one.hidden),
    }


def _outside_line(one: Any) -> str:  # noqa: ANN401 - of the store, which loads late
    hidden = "".join(f"; hidden text: {text!r}" for text in one.hidden)
    return (
        f"{one.path}: from outside: commit {one.commit[:10]} of {one.when:%Y-%m-%d} by "
        f"{one.author}{hidden}"
    )
