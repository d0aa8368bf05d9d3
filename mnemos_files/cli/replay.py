"""`mnemos-files replay`: one session and what is new since, as markdown."""

from pathlib import Path

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.operations.schema import to_json

TOKENS = 3_000
TOKENS_MIN = 100


@click.command()
@click.argument("name", metavar="SESSION")
@click.option("--out", metavar="FILE", help="Write it there instead of to standard output.")
@click.option(
    "--max-tokens",
    type=click.IntRange(min=TOKENS_MIN),
    default=TOKENS,
    show_default=True,
    help="Most tokens; four bytes count as one.",
)
@click.option(
    "--project", default="", help="Where new corrections are looked for; by default its own."
)
@common_options
@click.pass_obj
def replay(session: Session, name: str, out: str | None, max_tokens: int, project: str) -> None:
    """Tell a session as markdown: its end, what it produced, and what is new or no longer true.

    SESSION: id, file name or path. Quarantined memories are there too, marked as raw.
    """
    session.start_logging()
    with session.store() as store:
        story = load("mnemos_files.report.replay:story")(store, name, project.strip())
    page = load("mnemos_files.report.replay_text:page")(story, max_tokens)
    # Markdown unless JSON is asked for, also in a pipe: it is a document.
    shown = page.text
    if session.as_json:
        facts = {"session_id": story.session.id, "since": story.since, "max_tokens": max_tokens}
        estimate = load("mnemos_files.model.tokens:estimate_tokens")(page.text)
        facts |= {"token_estimate": estimate, "lines_left_out": page.left_out, "text": page.text}
        shown = to_text(to_json(facts)) + "\n"
    if out is None:
        click.echo(shown, nl=False)
    else:
        Path(out).write_text(shown, encoding="utf-8", newline="\n")
        click.echo(f"written: {out}", err=True)
