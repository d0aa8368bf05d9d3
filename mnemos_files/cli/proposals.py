"""`mnemos-files review list|show|approve|reject`: what agents propose, and the person's answer."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from mnemos_files.cli.lazy import load
from mnemos_files.cli.session import Session, common_options, secret_option
from mnemos_files.errors import InvalidQueryError, MnemosError

if TYPE_CHECKING:  # not at run time: help needs no git
    from mnemos_files.review.values import MemoryChange, Review
    from mnemos_files.store.deciding import Outcome
    from mnemos_files.store.proposals import Inbox, Proposal
    from mnemos_files.store.store import Store

REASON_MIN = 8
"""Characters [1] of a reason: an agent is told it and must learn from it."""

_HELD = 1
Readings = Mapping[tuple[str, str], "MemoryChange"]


def _branch_option(command: Any) -> Any:  # noqa: ANN401 - click's decorators are untyped
    return click.option("--branch", default="", metavar="BRANCH", help="Of this branch only.")(
        command
    )


@click.command("list")
@_branch_option
@common_options
@click.pass_obj
def list_open(session: Session, branch: str) -> None:
    """List the open proposals of all agents."""
    session.start_logging()
    session.is_person = True
    found = _inbox(session, branch)
    with session.store() as store:
        readings = _readings(store, found)
    rows = [_row(one, readings.get((one.branch, str(one.path)))) for one in found.proposals]
    if session.wants_json:
        session.show({"main": found.main.name, "proposals": rows}, "facts")
    else:
        click.echo("\n".join(_lines(found, rows)))


@click.command()
@click.argument("name", metavar="ID")
@_branch_option
@common_options
@click.pass_obj
def show(session: Session, name: str, branch: str) -> None:
    """Show one proposal: what it says, what main says, why, and what is wrong with it.

    ID is an id, the last six letters of one, a path or the name of a file.
    """
    session.start_logging()
    session.is_person = True
    found = _inbox(session, branch)
    wanted = load("mnemos_files.store.proposals:chosen")(found.proposals, [name])
    with session.store() as store:
        readings = _readings(store, found)
    rows = [_row(one, readings.get((one.branch, str(one.path)))) for one in wanted]
    if session.wants_json:
        session.show({"main": found.main.name, "proposals": rows}, "facts")
        return
    for one, row in zip(wanted, rows, strict=True):
        click.echo("\n".join(_shown(row, readings.get((one.branch, str(one.path))))))


@secret_option
@click.command()
@click.argument("names", metavar="[ID]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every open proposal.")
@_branch_option
@click.option(
    "--over-main", is_flag=True, help="Take the proposed text also where main contradicts it."
)
@common_options
@click.pass_context
def approve(
    context: click.Context,
    names: tuple[str, ...],
    branch: str,
    *,
    everything: bool,
    over_main: bool,
) -> None:
    """Take proposals over into main, one commit each; both ends of a supersession in one.

    The author stays the agent. Exit code 1 when some had to stay open.
    """
    _check(names, branch, everything=everything)
    choice = load("mnemos_files.store.deciding:Choice")(names, branch, over_main)
    _decide(context, "approved", lambda deciding, now: deciding.approve(choice, now))


@click.command()
@click.argument("names", metavar="[ID]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every open proposal.")
@_branch_option
@click.option("--reason", required=True, metavar="TEXT", help="Why; agents are told it.")
@common_options
@click.pass_context
def reject(
    context: click.Context, names: tuple[str, ...], branch: str, reason: str, *, everything: bool
) -> None:
    """Take proposals back, and remember why, so that no agent proposes the same again."""
    _check(names, branch, everything=everything)
    text = " ".join(reason.split())
    if len(text) < REASON_MIN:
        problem = f"is too short, at least {REASON_MIN} characters are needed"
        raise InvalidQueryError("reason", problem, remedy="Say what is wrong with it.")
    choice = load("mnemos_files.store.deciding:Choice")(names, branch)
    _decide(context, "rejected", lambda deciding, now: deciding.reject(choice, text, now))


def _check(names: tuple[str, ...], branch: str, *, everything: bool) -> None:
    if names and everything:
        raise InvalidQueryError("ids", "were given with --all", remedy="Give one of both.")
    if not (names or everything or branch):
        raise InvalidQueryError(
            "ids", "none were given", remedy="Name proposals, or give --branch or --all."
        )


def _decide(context: click.Context, verb: str, decide: Any) -> None:  # noqa: ANN401 - of the store
    session = context.ensure_object(Session)
    session.start_logging()
    session.is_person = True
    with session.opened(session.root()) as store:
        outcome: Outcome = decide(store.deciding(), store.now())
    value = {
        verb: [_named(one.proposal) | {"commit": one.commit} for one in outcome.done],
        "open": [
            _named(one.proposal) | {"why": one.why, "remedy": one.remedy} for one in outcome.held
        ],
        "notices": list(outcome.notices),
    }
    if session.wants_json:
        session.show(value, "facts")
    else:
        click.echo("\n".join(_told(verb, value)))
    context.exit(_HELD if outcome.held else 0)


def _inbox(session: Session, branch: str) -> "Inbox":
    found: Inbox = load("mnemos_files.store.proposals:inbox")(session.root(), branch)
    return found


def _readings(store: "Store", found: "Inbox") -> Readings:
    """What the review says of each, by branch and path; nothing where it cannot be had."""
    change_set = load("mnemos_files.store.changeset:change_set")
    review = load("mnemos_files.review.run:review")
    readings = {}
    for branch in dict.fromkeys(one.branch for one in found.proposals):
        try:
            change = change_set(store, f"{found.main.name}...{branch}")
            read: Review = review(change, store.now())
        except MnemosError:  # main without a commit: there is nothing to compare with
            continue
        readings.update({(branch, memory.path): memory for memory in read.memories})
    return readings


def _named(one: "Proposal") -> dict[str, Any]:
    line = load("mnemos_files.review.shown:one_line")
    return {
        "branch": one.branch,
        "id": line(one.id),
        "path": line(str(one.path)),
        "title": line(one.record.title),
    }


def _row(one: "Proposal", reading: "MemoryChange | None") -> dict[str, Any]:
    line = load("mnemos_files.review.shown:one_line")
    findings = [] if reading is None else list(reading.findings)
    made = one.commit
    return _named(one) | {
        "type": one.record.type,
        "change": one.change,
        "agent": line(one.agent),
        "when": None if one.when is None else f"{one.when:%Y-%m-%dT%H:%M:%SZ}",
        "trust_tier": one.record.trust_tier,
        "source_kind": one.record.source_kind,
        "problems": [f"{each.level}: {each.message}" for each in findings],
        "contradicts_main": one.is_conflicting,
        "together_with": [line(str(path)) for path in one.together],
        "needs": [line(str(path)) for path in one.needs],
        "why": "" if made is None else line(made.body),
        "commit": "" if made is None else made.commit,
    }


def _lines(found: "Inbox", rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        yield f"no open proposals to {found.main.name}"
        return
    for branch in dict.fromkeys(row["branch"] for row in rows):
        own = [row for row in rows if row["branch"] == branch]
        yield click.style(f"{branch}: {len(own)} open", bold=True)
        for row in own:
            yield from _brief(row)
    yield f"they go to {found.main.name}: `review show ID` reads one, `approve` and `reject` decide"


def _brief(row: Mapping[str, Any]) -> Iterator[str]:
    yield f"  {_short(row)}  {row['change']} {row['type']}: {row['title']}"
    parts = [f"by {row['agent']}", str(row["when"] or ""), row["trust_tier"]]
    count = len(row["problems"])
    parts += [f"{count} problem{'s' if count > 1 else ''}"] if count else []
    yield click.style(f"          {', '.join(filter(None, parts))}", dim=True)
    yield from (f"          {text}" for text in _relations(row))


def _relations(row: Mapping[str, Any]) -> Iterator[str]:
    if row["contradicts_main"]:
        yield click.style(
            "main has changed it as well, and the two contradict each other", fg="red"
        )
    if row["together_with"]:
        yield f"goes together with {', '.join(row['together_with'])}"
    if row["needs"]:
        yield f"builds on {', '.join(row['needs'])}, not approved yet"


def _shown(row: Mapping[str, Any], reading: "MemoryChange | None") -> Iterator[str]:
    if reading is None:
        yield f"{row['change']} {row['type']}: {row['title']}"
        yield f"  {row['path']}"
    else:
        yield from load("mnemos_files.review.as_text:memory_lines")(reading)
    yield f"  proposed on {row['branch']} as {row['id']}, {row['when']}"
    if row["why"]:
        yield f"  because: {row['why']}"
    yield from (f"  {text}" for text in _relations(row))


def _short(row: Mapping[str, Any]) -> str:
    return str(row["id"])[-6:].lower()


def _told(verb: str, value: Mapping[str, Any]) -> Iterator[str]:
    for row in value[verb]:
        yield f"{verb}: {row['title']} ({row['path']})"
    for row in value["open"]:
        yield click.style(f"still open: {row['title']} ({row['path']})", fg="yellow")
        yield f"  {row['why']}"
        if row["remedy"]:
            yield f"  {row['remedy']}"
    if not value[verb] and not value["open"]:
        yield "there is no such open proposal"
    yield from value["notices"]
