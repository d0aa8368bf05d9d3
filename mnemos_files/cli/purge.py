"""`mnemos-files purge`: a memory or a text is taken out of the whole history."""

import sys
from typing import TYPE_CHECKING

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, to_text
from mnemos_files.errors import InvalidQueryError

if TYPE_CHECKING:  # not at run time: help needs no store
    from mnemos_files.store.purging import Plan, Wanted
    from mnemos_files.store.store import Store

_WORD = "purge"
_SHOWN = 10
_STDIN = "-"
_EX_USAGE = 2


@click.command()
@click.argument("names", nargs=-1, metavar="[ID|PATH...]")
@click.option("--pattern", "patterns", multiple=True, metavar="TEXT", help="- asks for it.")
@click.option("--regex", "is_regex", is_flag=True, help="The texts are regular expressions.")
@click.option("--dry-run", is_flag=True, help="Show what would happen; change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--finish", "finishes", is_flag=True, help="End a purge that was cut short.")
@common_options
@click.pass_context
def purge(  # noqa: PLR0913 - the options of the command
    context: click.Context,
    names: tuple[str, ...],
    patterns: tuple[str, ...],
    *,
    is_regex: bool,
    dry_run: bool,
    yes: bool,
    finishes: bool,
) -> None:
    """Take memories (all their versions) or texts out of every commit, for good.

    Shows what that comes to and asks before it does it. Commits get new ids: every clone must be
    made anew and every remote be pushed to with force, by you. Needs git-filter-repo:
    `pip install 'mnemos-files[purge]'`.
    """
    session = context.ensure_object(Session)
    session.start_logging()
    with session.store() as store:
        if finishes:
            is_done = load("mnemos_files.store.purging:finish")(store)
            click.echo("The purge is finished." if is_done else "No purge was cut short.")
            return
        wanted = load("mnemos_files.store.purging:Wanted")(names, _texts(patterns), is_regex)
        if not (wanted.names or wanted.texts):
            raise InvalidQueryError("ID", "is required", remedy="Give an id, path or --pattern.")
        context.exit(_run(session, store, wanted, dry_run=dry_run, yes=yes))


def _run(session: Session, store: "Store", wanted: "Wanted", *, dry_run: bool, yes: bool) -> int:
    with load("mnemos_files.store.purging:purging")(store, wanted) as purging:
        plan: Plan = purging.plan
        if session.as_json is not True:
            click.echo("\n".join(_lines(plan)))
        is_wanted = not dry_run and (yes or _is_confirmed())
        if is_wanted:
            purging.carry_out()
    if session.as_json is True:
        click.echo(to_text(_report(plan, is_done=is_wanted)))
    elif is_wanted:
        click.echo(_DONE)
    elif not dry_run:
        click.echo("Nothing was changed.", err=True)
        return _EX_USAGE
    return 0


_DONE = """
Purged; no object of this repository holds it any more. What is left to you:
- push with force, or the remote keeps it: git push --force --all; then --force --tags
- have every clone made anew, and caches and pull requests of the forge cleared
- restart servers that run on this vault
- a secret that others may have seen: rotate it"""


def _lines(plan: "Plan") -> list[str]:
    changed, gone = plan.commits
    lines = [f"{changed} commits change ({gone} of them go): all of them get new ids."]
    for title, paths in (
        ("Taken out of every commit", plan.files),
        ("Deleted today", plan.files_deleted),
        ("Text changed today", plan.files_changed),
        ("Branches and tags that move", plan.refs),
        ("Forgotten here, the remote still has it", plan.remote_refs),
        ("Hold it even so (purge such files by their path)", plan.left),
        ("Hold it, but are not in git, so they stay as they are", plan.loose),
    ):
        if paths:
            more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
            lines.append(f"{title}: {', '.join(paths[:_SHOWN])}{more}")
    lines.append(
        "Lost with it: the reflog, commits that no branch or tag names, all signatures, and git "
        "notes on the commits that change."
    )
    return lines


def _report(plan: "Plan", *, is_done: bool) -> dict[str, object]:
    return {
        "purged": is_done,
        "commits_changed": plan.commits[0],
        "commits_dropped": plan.commits[1],
        "files": list(plan.files),
        "files_deleted": list(plan.files_deleted),
        "files_changed": list(plan.files_changed),
        "refs": list(plan.refs),
        "remote_refs": list(plan.remote_refs),
        "left": list(plan.left),
        "not_in_git": list(plan.loose),
    }


def _texts(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The texts; `-` is asked for, so that a secret need not stand in the shell's history."""
    return tuple(
        (
            click.prompt("Text to purge", hide_input=True, err=True)
            if text == _STDIN and sys.stdin.isatty()
            else sys.stdin.readline().rstrip("\n")
            if text == _STDIN
            else text
        )
        for text in patterns
    )


def _is_confirmed() -> bool:
    if not sys.stdin.isatty():
        click.echo("Say --yes to do it.", err=True)
        return False
    answer: str = click.prompt(f"Type {_WORD} to do it", default="", show_default=False, err=True)
    return answer.strip() == _WORD
