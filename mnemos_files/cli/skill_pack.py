"""`mnemos-files skill-pack`: skills of one vault for another, as one JSON file."""

import sys
from pathlib import Path

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, secret_option, to_text
from mnemos_files.errors import InvalidQueryError
from mnemos_files.operations.schema import to_json
from mnemos_files.operations.scope import AGENT_DEFAULT

BYTES_MAX = 20_000_000
"""Longest pack [bytes] that is read."""

_STDIN = "-"
_REMOTE = ("http://", "https://")


@click.group("skill-pack")
@common_options
def skill_pack() -> None:
    """Take skills to another vault, or from one, as a JSON file."""


@skill_pack.command("export")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--agent", default="", help="Only skills of this agent.")
@click.option("--out", metavar="FILE", help="Write it there instead of to standard output.")
@click.option("--source", default="", help="Name of where the pack comes from.")
@click.option("--url", default="", help="Address of where the pack comes from.")
@click.option("--project", default="", help="Project that the pack comes from.")
@common_options
@click.pass_obj
def export(session: Session, /, names: tuple[str, ...], agent: str, **given: str | None) -> None:
    """Print skills as a pack: those with these names or ids, or all that are not quarantined.

    A pack has no ids, counts, versions or sessions. What looks like a secret is masked.
    """
    session.start_logging()
    source = load("mnemos_files.report.pack:Source")(
        name=given["source"], url=given["url"], project=given["project"]
    )
    with session.store() as store:
        found = load("mnemos_files.report.packing:exported")(store, names, agent, source)
        text = load("mnemos_files.report.pack:render")(found.pack, store.now())
    out = given["out"]
    if out is None:
        click.echo(text, nl=False)
    else:
        Path(out).write_text(text, encoding="utf-8", newline="\n")
        click.echo(f"written: {len(found.pack.skills)} skills to {out}", err=True)
    for notice in found.notices:
        click.echo(f"note: {notice}", err=True)


@click.command("import")
@click.argument("source", metavar="FILE|-")
@click.option("--agent", default=AGENT_DEFAULT, show_default=True, help="Whose skills they become.")
@common_options
@click.pass_obj
def import_(session: Session, source: str, agent: str) -> None:
    """Save the skills of a pack in one commit: new ones, or the next versions of their names.

    They are quarantined until you promote them. FILE: a pack, - reads standard input.
    """
    session.start_logging()
    pack = load("mnemos_files.report.pack:parse")(_text(source))
    with session.store() as store:
        who = agent.strip() or AGENT_DEFAULT
        done = load("mnemos_files.report.unpacking:imported")(store, pack, who)
    if session.as_json:
        click.echo(to_text(to_json(done)))
        return
    for skill in done.skills:
        flags = f", flagged: {' '.join(skill.flags)}" if skill.flags else ""
        told = f"{skill.status}: {skill.name} (version {skill.version}, {skill.trust_tier}{flags})"
        click.echo(f"{told}  {skill.id}")
    click.echo(done.message + (f" in commit {done.commit[:10]}" if done.commit else ""))
    for notice in done.notices:
        click.echo(f"note: {notice}")


skill_pack.add_command(secret_option(import_))


def _text(source: str) -> str:
    if source.startswith(_REMOTE):
        remedy = "Fetch it yourself, look at it, and give the file."
        raise InvalidQueryError("source", "nothing is fetched from the network", remedy=remedy)
    try:
        octets = _read(source)
    except OSError as error:
        problem = f"{source}: {error.strerror or 'cannot be read'}"
        raise InvalidQueryError("source", problem, remedy="Give the path of a pack.") from error
    if len(octets) > BYTES_MAX:
        raise InvalidQueryError("source", f"{source} is longer than {BYTES_MAX} bytes")
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"{source}: not UTF-8 at byte {error.start}"
        raise InvalidQueryError("source", problem, remedy="Give the path of a pack.") from error


def _read(source: str) -> bytes:
    if source == _STDIN:
        return sys.stdin.buffer.read(BYTES_MAX + 1)
    with Path(source).open("rb") as file:
        return file.read(BYTES_MAX + 1)
