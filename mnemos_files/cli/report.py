"""`mnemos-files report` and `mnemos-files canvas`: a vault to look at."""

import webbrowser
from pathlib import Path

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.errors import InvalidQueryError
from mnemos_files.operations.schema import to_json

STDOUT = "-"


@click.command()
@click.option("--open", "opens", is_flag=True, help="Show it in the browser.")
@click.option(
    "--out", metavar="FILE", help="Where to; by default beside the vault. - = standard output."
)
@click.option("--project", default="", help="Only its memories and those of all projects.")
@click.option("--since", help="Where the timeline begins: s, m, h, d, w. By default at the start.")
@click.option("--force", is_flag=True, help="Replace a file that is no earlier report.")
@common_options
@click.pass_obj
def report(  # noqa: PLR0913 - the options of one command
    session: Session, *, opens: bool, out: str | None, project: str, since: str | None, force: bool
) -> None:
    """Write a page to look at: timeline, links, what needs a look, what is used, every memory.

    One HTML file that needs no network and no script.
    """
    session.start_logging()
    root = session.root()
    file = (
        Path(out) if out is not None else load("mnemos_files.report.page_file:default_place")(root)
    )
    with session.store() as store:
        if out != STDOUT:
            load("mnemos_files.report.page_file:check_outside")(store, file)
        start = None
        if since is not None:
            start = load("mnemos_files.report.duration:start_of")("since", since, store.now())
        page = load("mnemos_files.report.page_facts:facts")(
            store, project=project.strip(), since=start
        )
    text = load("mnemos_files.report.page:render")(page)
    if out == STDOUT:
        click.echo(text, nl=False)
        return
    is_report = load("mnemos_files.report.page_file:is_report")
    load("mnemos_files.report.page_file:write")(file, text, is_ours=is_report, force=force)
    size = len(text.encode("utf-8", "replace"))
    if session.as_json:
        facts = {"file": str(file), "bytes": size, "memories": page.total, "shown": page.shown}
        click.echo(to_text(to_json(facts)))
    else:
        shown = f"{page.shown} of {page.total} memories, {size / 1e6:.1f} MB"
        click.echo(f"written: {file} ({shown})")
    if opens and not webbrowser.open(file.resolve().as_uri()):
        click.echo("note: no browser could be started", err=True)


@click.command()
@click.argument("name", metavar="ID")
@click.option("--out", metavar="FILE", help="Write it there; a name ending in .canvas.")
@click.option("--force", is_flag=True, help="Replace a file that is no earlier canvas.")
@common_options
@click.pass_obj
def canvas(session: Session, *, name: str, out: str | None, force: bool) -> None:
    """Print what replaced what around a memory as a canvas that Obsidian opens.

    ID: id, path or link name of any memory of the supersession. A canvas that a person has
    changed is not replaced without --force.
    """
    session.start_logging()
    if out is not None and Path(out).suffix.lower() != ".canvas":
        problem = f"{out!r} does not end in .canvas"
        raise InvalidQueryError("--out", problem, remedy="Obsidian opens only such files.")
    folder = load("mnemos_files.report.canvas:folder_in_obsidian")(session.root())
    with session.store() as store:
        chain = load("mnemos_files.report.canvas:chain")(store, name)
    text = load("mnemos_files.report.canvas:canvas")(chain, folder)
    if out is None:
        click.echo(text, nl=False)
        return
    is_ours = load("mnemos_files.report.canvas:is_untouched")
    load("mnemos_files.report.page_file:write")(Path(out), text, is_ours=is_ours, force=force)
    click.echo(f"written: {out} ({len(chain.paths)} memories)")
