"""`mnemos-files resolve`: a choice between two versions of a note."""

from typing import Any

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.errors import InvalidQueryError

_LONG = 12
_EX_OPEN = 1


@click.command()
@click.argument("name", metavar="[ID|PATH]", required=False)
@click.option("--take", type=click.IntRange(min=1), metavar="N", help="Keep version N.")
@click.option("--both", is_flag=True, help="Keep both texts, one below the other.")
@click.option("--edit", is_flag=True, help="Open the note in your editor.")
@common_options
@click.pass_context
def resolve(
    context: click.Context, name: str | None, take: int | None, *, both: bool, edit: bool
) -> None:
    """Show what is open after a merge, or choose: one version, both, or by hand.

    Without a name it lists every note in which something is open; exit code 1 when there is one.
    """
    session = context.ensure_object(Session)
    session.start_logging()
    if sum((take is not None, both, edit)) > 1:
        raise InvalidQueryError("--take", "only one of --take, --both and --edit can be given")
    with session.store() as store:
        if name is None:
            found = store.conflicts.all()
        elif take is not None or both:
            _choose(session, store, name, 0 if both else take or 0)
            return
        else:
            found = [store.conflicts.of(name)]
            if edit:
                click.edit(filename=str(store.place.vault.root / str(found[0].path)))
                found = [store.conflicts.of(name)]
    found = [each for each in found if each.conflicts]
    _show(session, found)
    context.exit(_EX_OPEN if found else 0)


def _choose(session: Session, store: Any, name: str, number: int) -> None:  # noqa: ANN401 - loads late
    agent = None if store.agent == load("mnemos_files.store.plans:AGENT_DEFAULT") else store.agent
    done = store.conflicts.resolve(name, number, agent)
    value = {
        "path": str(done.path),
        "deleted": done.is_deleted,
        "commit": done.receipt.commit,
        "notices": list(done.receipt.notices),
    }
    if session.wants_json:
        click.echo(to_text(value))
    else:
        click.echo(f"{done.path}: {'deleted' if done.is_deleted else 'resolved'}")
        click.echo("".join(f"note: {notice}\n" for notice in done.receipt.notices), nl=False)


def _show(session: Session, found: list[Any]) -> None:
    if session.wants_json:
        click.echo(to_text({"notes": [_row(each) for each in found]}))
        return
    harmless = load("mnemos_files.cli.display:harmless")
    for each in found:
        click.echo(harmless(f"{each.path}: {each.title}"))
        for conflict in each.conflicts:
            click.echo(harmless(f"  {conflict.name}:"))
            for number, version in enumerate(conflict.versions, 1):
                lines = version.split("\n")
                shown = [*lines[:_LONG], *(["..."] if len(lines) > _LONG else [])]
                click.echo(harmless("\n".join(f"    {number}| {line}" for line in shown)))
    if found:
        click.echo("Choose: mnemos-files resolve PATH --take 1 | --take 2 | --both | --edit")
    else:
        click.echo("nothing is open")


def _row(each: Any) -> dict[str, object]:  # noqa: ANN401 - of the store, which loads late
    return {
        "path": str(each.path),
        "title": each.title,
        "conflicts": [
            {"what": conflict.name, "versions": list(conflict.versions)}
            for conflict in each.conflicts
        ],
    }
