"""`mnemos-files scan`: texts judged by the rules of docs/safety.md; needs no vault."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.errors import InvalidQueryError
from mnemos_files.safety.excerpt import excerpt, line_and_column
from mnemos_files.safety.scan import scan as judge
from mnemos_files.safety.verdict import RISKS, Verdict

_STDIN = "-"


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE...|-]")
@click.option(
    "--source",
    type=click.Choice(["tool", "user"]),
    default="tool",
    show_default=True,
    help="Who wrote it: a person may tell an assistant what to do.",
)
@click.option("--lines", is_flag=True, help="Each input line is one JSON string; so is the answer.")
@common_options
@click.pass_context
def scan(context: click.Context, files: tuple[str, ...], source: str, *, lines: bool) -> None:
    """Look for orders, hidden characters and broken frames; exit code 1 when a risk is high.

    Reads standard input without FILE or with -. Exit code 2: a file cannot be read as text.
    """
    session = context.ensure_object(Session)
    session.start_logging()
    names = files or (_STDIN,)
    risks = _lines(names, source) if lines else _files(session, names, source)
    context.exit(1 if "high" in risks else 0)


def _lines(names: tuple[str, ...], source: str) -> set[str]:
    """The risks of the texts, after a line of JSON for each."""
    risks: set[str] = set()
    for name in names:
        for text in _json_texts(name):
            verdict = judge(text, source=source)
            risks.add(verdict.risk)
            click.echo(json.dumps(_report(text, verdict)))
    return risks


def _files(session: Session, names: tuple[str, ...], source: str) -> set[str]:
    """The risks of the files, after the report of all of them."""
    texts = {name: _text(name) for name in names}
    verdicts = {name: judge(text, source=source) for name, text in texts.items()}
    if session.as_json:
        reports = [{"file": name} | _report(texts[name], verdicts[name]) for name in names]
        click.echo(to_text({"files": reports}))
    else:
        for name in names:
            for line in _told(name, texts[name], verdicts[name], session.verbosity):
                click.echo(line)
        counts = Counter(verdict.risk for verdict in verdicts.values())
        told = ", ".join(f"{counts[risk]} {risk}" for risk in reversed(RISKS) if counts[risk])
        click.echo(f"{len(texts)} scanned: {told}")
    return {verdict.risk for verdict in verdicts.values()}


def _told(name: str, text: str, verdict: Verdict, verbosity: int) -> Iterator[str]:
    """A line for each finding; low ones only when more is asked for."""
    for finding in verdict.findings:
        if verbosity or finding.risk != "low":
            line, column = line_and_column(text, finding.start)
            place = f"{name}:{line}:{column}"
            yield f"{place}: {finding.risk} {finding.rule}: {excerpt(text, finding)}"


def _report(text: str, verdict: Verdict) -> dict[str, object]:
    return {
        "risk": verdict.risk,
        "rules": list(verdict.rules),
        "findings": [
            {
                "rule": finding.rule,
                "risk": finding.risk,
                "start": finding.start,
                "end": finding.end,
                "line": line_and_column(text, finding.start)[0],
                "column": line_and_column(text, finding.start)[1],
                "excerpt": excerpt(text, finding),
            }
            for finding in verdict.findings
        ],
    }


def _json_texts(name: str) -> Iterator[str]:
    """The text of each line; only newlines part the lines."""
    rows = _text(name).split("\n")
    if rows and not rows[-1]:
        rows.pop()
    for number, row in enumerate(rows, 1):
        try:
            text = json.loads(row)
        except ValueError:
            text = None
        if not isinstance(text, str):
            raise InvalidQueryError(
                f"{name}:{number}",
                "not a JSON string",
                remedy='Write each text as one line, like "first\\nsecond".',
            )
        yield text


def _text(name: str) -> str:
    try:
        octets = _stdin().read() if name == _STDIN else Path(name).read_bytes()
    except OSError as error:
        raise InvalidQueryError(
            name, error.strerror or "cannot be read", remedy="Give the path of a text file."
        ) from error
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidQueryError(
            name, f"not UTF-8 at byte {error.start}", remedy="Convert it, or leave it out."
        ) from error


def _stdin() -> BinaryIO:
    return sys.stdin.buffer
