"""`mnemos-files dream`: tidy the vault up, once or again and again."""

import signal
import sys
import threading
from typing import Any

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.operations.schema import to_json


@click.command()
@click.option(
    "--dry-run", is_flag=True, help="Write nothing; show the exact changes that would be committed."
)
@click.option("--watch", is_flag=True, help="Dream now and then again after each interval.")
@click.option(
    "--interval",
    metavar="TIME",
    help="Between two dreams, such as 6h; by default as set in [dream].",
)
@common_options
@click.pass_context
def dream(context: click.Context, /, interval: str | None, **given: bool) -> None:
    """Tidy up: expired memories, skills from corrections, memories to reconsider.

    Each pass that changes something is a commit of its own, which `git revert` undoes for good.
    Exit code 1 when a pass failed.
    """
    session = context.ensure_object(Session)
    session.start_logging()
    stop = _stopped() if given["watch"] else None
    while True:
        report, pause = _once(session, interval, is_trial=given["dry_run"])
        # Text unless JSON is asked for, also in a pipe: a dry run shows a diff.
        click.echo(to_text(to_json(report)) if session.as_json else _text(report))
        if stop is None:
            context.exit(int(any(one.error for one in report.outcomes)))
        if stop.wait(pause):
            return


def _once(session: Session, interval: str | None, *, is_trial: bool) -> tuple[Any, float]:
    """The report of one dream, and the time [s] until the next."""
    start_of = load("mnemos_files.report.duration:start_of")
    work = load(f"mnemos_files.dream.run:{'rehearse' if is_trial else 'dream'}")
    with session.store() as store:
        now = store.now()
        start = start_of("interval", interval or store.settings.dream_interval, now)
        return work(store, now), (now - start).total_seconds()


def _text(report: Any) -> str:  # noqa: ANN401 - of the dream, which loads late
    """The report as lines; what a terminal would obey is shown instead."""
    text = "\n".join(load("mnemos_files.dream.text:lines")(report))
    if not sys.stdout.isatty():
        return text
    return str(load("mnemos_files.cli.display:harmless")(text))


def _stopped() -> threading.Event:
    """Set when the process is told to end: never in the middle of a pass."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop
