"""What the demo does, step by step."""

import os
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import click
from mcp import Client, StdioServerParameters
from mcp_types import Implementation

from mnemos_files.cli.demo_day import AGENT, PROJECT, work_a_day
from mnemos_files.cli.demo_fill import fill
from mnemos_files.cli.demo_output import call, head, search, show_hit, stamp
from mnemos_files.cli.demo_safety import show_safety
from mnemos_files.cli.sample import DEMO, SampleStep, by_title, load_sample
from mnemos_files.cli.sample_work import load_work
from mnemos_files.cli.vault_choice import CACHE_VARIABLE, cache_folder
from mnemos_files.errors import UnavailableError
from mnemos_files.model.kind import SAVED_TYPES
from mnemos_files.store.open import open_store

NEW_TITLE = "Tracking links expire after 30 days"
NEW_CONTENT = "From today on a tracking link dies 30 days after delivery, whatever the carrier."
NEW_REASON = "The data protection review found that nobody opens a link later than that."
_HITS = 3
_COMMITS = 2


def run(root: Path, *, is_kept: bool) -> None:
    """Make the vault, work with it, show what happened; lines go to standard output."""
    now = datetime.now(UTC)
    cache = cache_folder(os.environ) if is_kept else root.parent / "cache"
    steps = load_sample(now)
    begin = time.perf_counter()
    fill(root, cache, [*steps, *load_work(now)])
    head(f"A vault in {root}")
    click.echo(f"   filled in {time.perf_counter() - begin:.1f} s, one commit for each memory")
    _run_client(root, cache, steps)
    _show_log(root, cache)
    if is_kept:
        head(f"The vault stays in {root}: open it in Obsidian or an editor")
        click.echo(f'   mnemos-files search "postcode" --vault "{root}"')


def _run_client(root: Path, cache: Path, steps: list[SampleStep]) -> None:
    try:
        anyio.run(_talk, root, cache, steps)
    except BaseExceptionGroup as group:
        # The client's task groups wrap what goes wrong inside of them.
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from None


async def _talk(root: Path, cache: Path, steps: list[SampleStep]) -> None:
    arguments = ["-m", "mnemos_files", "serve", "--vault", str(root)]
    environ = {**os.environ, CACHE_VARIABLE: str(cache)}
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environ)
    played = Implementation(name=AGENT, version="1")
    async with Client(server, client_info=played) as client:
        tools = await client.list_tools()
        head(f"The MCP server of this vault offers {len(tools.tools)} tools")
        click.echo(f"   {', '.join(tool.name for tool in tools.tools)}")
        await _count(client)
        await work_a_day(client, root)
        await show_safety(client, root)
        await _ask_questions(client)
        await _supersede(client, by_title(steps, DEMO.turn.new).id)
        await _look_back(client, steps)
        await _edit(client, root, by_title(steps, DEMO.edit.title).id)


async def _count(client: Client) -> None:
    stats = await call(client, "stats")
    counts = stats["by_type"]
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in counts if kind in SAVED_TYPES)
    live, every = stats["live_observations"], stats["observations"]
    click.echo(f"   {every} memories, {live} of them hold now: {kinds}")
    click.echo(f"   {stats['sessions']} sessions, {stats['skills']} skills")


async def _ask_questions(client: Client) -> None:
    head("An agent searches, by words and by meaning")
    for question in DEMO.questions:
        for hit in await search(client, question.text, limit=_HITS, explain=True):
            show_hit(hit)
            click.echo(f"         why: {_why(hit['why'])}")


def _why(parts: Mapping[str, float]) -> str:
    """What a score was made of; factors that changed nothing are left out."""
    shown = {name: f"{value:.2f}" for name, value in parts.items()}
    return ", ".join(f"{name} {value}" for name, value in shown.items() if value != "1.00")


async def _supersede(client: Client, old: str) -> None:
    head("The team changes its mind: a new memory supersedes the old one, in one commit")
    saved = await call(
        client,
        "save",
        title=NEW_TITLE,
        content=NEW_CONTENT,
        type="decision",
        rationale=NEW_REASON,
        project=PROJECT,
        agent_id=AGENT,
        supersedes=[old],
    )
    click.echo(f"   saved {saved['path']}")
    click.echo(f"   commit {saved['commit'][:10]}, supersedes {', '.join(saved['superseded'])}")


async def _look_back(client: Client, steps: list[SampleStep]) -> None:
    head("Time is honest: what the vault says now, and what it said then")
    turned = by_title(steps, DEMO.turn.new).created
    first = by_title(steps, DEMO.turn.old).created
    if turned is None or first is None:
        raise UnavailableError("the sample lacks its times")
    click.echo(f'   search "{DEMO.turn.text}"')
    moments = ("", stamp(steps[-1].at), stamp(turned - timedelta(hours=1)))
    for moment in moments:
        answer = await call(client, "search", query=DEMO.turn.text, limit=1, as_of=moment)
        titles = [hit["title"] for hit in answer["results"]] or [answer.get("message", "")]
        click.echo(f"   {'as of ' + moment if moment else 'now':27} {titles[0]}")


async def _edit(client: Client, root: Path, identity: str) -> None:
    head("A person edits a file with any editor; the next search knows")
    note = await call(client, "get", id=identity)
    path = root / note["path"]
    text = path.read_text(encoding="utf-8")
    if DEMO.edit.before not in text:
        raise UnavailableError(f"{note['path']} lacks the sentence that the demo edits")
    path.write_text(text.replace(DEMO.edit.before, DEMO.edit.after), encoding="utf-8")
    click.echo(f"   {note['path']}")
    click.echo(f"   - {DEMO.edit.before}")
    click.echo(f"   + {DEMO.edit.after}")
    for hit in await search(client, DEMO.edit.text, limit=1):
        show_hit(hit)


def _show_log(root: Path, cache: Path) -> None:
    store = open_store(root, cache_folder=cache)
    try:
        revisions = store.history.log(_COMMITS) if store.history else []
    finally:
        store.close()
    head("git log: who believed what, when and why")
    for revision in revisions:
        click.echo(f"\n   commit {revision.commit}")
        click.echo(f"   Author: {revision.author_name} <{revision.author_email}>")
        click.echo(f"   Date:   {stamp(revision.when)}\n")
        trailers = "\n".join(f"{name}: {value}" for name, value in revision.trailers)
        parts = (revision.subject, revision.body.strip(), trailers)
        for line in "\n\n".join(part for part in parts if part).splitlines():
            click.echo(f"       {line}".rstrip())
