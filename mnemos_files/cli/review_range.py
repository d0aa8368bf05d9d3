"""`mnemos-files review [range]`: one change, read like an editor."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options
from mnemos_files.errors import InvalidQueryError

FORMATS = ("text", "markdown", "json", "github", "sarif")
INDEX_VARIABLE = "GIT_INDEX_FILE"
"""Set by `git commit` for its hooks when it commits from another index than the usual one."""

_STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True},
    "kind": {"fg": "cyan"},
    "dim": {"dim": True},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow"},
    "note": {"fg": "blue"},
    "+": {"fg": "green"},
    "-": {"fg": "red"},
}


@click.command()
@click.argument("named", metavar="[RANGE|BRANCH|COMMIT]", required=False)
@click.option("--staged", is_flag=True, help="What the git index has, against the current commit.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="For a terminal, a comment, programs, a workflow, code scanning.  [default: text]",
)
@click.option(
    "--fail-on",
    "bar",
    type=click.Choice(["error", "warning", "never"]),
    default="error",
    show_default=True,
    help="Exit with 1 when something as bad was found.",
)
@common_options
@click.pass_context
def read_range(
    context: click.Context, named: str | None, form: str | None, bar: str, *, staged: bool
) -> None:
    """Read one change: what memories say now, what they said, who says so, and what is wrong.

    RANGE is A..B, or A...B for what B has since both parted. A branch is read since it parted from
    the current one, a commit against its parent; without any, what is not committed.

    Nothing is written. Exit code 2: the range names no change. 75: the clone is too shallow.
    """
    session = context.ensure_object(Session)
    session.start_logging()
    if staged and named:
        raise InvalidQueryError("range", "was given with --staged", remedy="Give one of both.")
    if named == "":
        raise InvalidQueryError("range", "is empty", remedy="Give one, or leave the argument out.")
    form = form or ("json" if session.as_json else "text")
    with session.store() as store:
        change_set = load("mnemos_files.store.changeset:change_set")
        change = change_set(store, named or "", staged=staged, index_file=_index_file())
        found = load("mnemos_files.review.run:review")(change, store.now())
    click.echo(_written(found, form), nl=False)
    context.exit(1 if found.fails(bar) else 0)


def _written(found: Any, form: str) -> str:  # noqa: ANN401 - of a package that loads late
    if form == "text" and sys.stdout.isatty():
        text: str = load("mnemos_files.review.as_text:as_text")(found, _painted)
    else:
        text = load("mnemos_files.review.formats:FORMATS")[form](found)
    return text if text.endswith("\n") else f"{text}\n"


def _painted(text: str, style: str) -> str:
    return click.style(text, **_STYLES[style])


def _index_file() -> Path | None:
    named = os.environ.get(INDEX_VARIABLE, "")
    return Path(named).absolute() if named else None
