"""What the demo does, step by step."""

import os
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import click
from mcp import Client, StdioServerParameters
from mcp_types import TextContent

from mnemos_files.cli.sample import DEMO, Question, SampleStep, by_title, load_sample
from mnemos_files.cli.template import template
from mnemos_files.cli.vault_choice import CACHE_VARIABLE, cache_folder
from mnemos_files.errors import UnavailableError
from mnemos_files.store.create import create_vault
from mnemos_files.store.open import open_store

NEW_TITLE = "Tracking links expire after 30 days"
NEW_CONTENT = "From today on a tracking link dies 30 days after delivery, whatever the carrier."
NEW_REASON = "The data protection review found that nobody opens a link later than that."
_HITS = 3
_COMMITS = 2
Answer = Mapping[str, Any]


def run(root: Path, *, is_kept: bool) -> None:
    """Make the vault, work with it, show what happened; lines go to standard output."""
    now = datetime.now(UTC)
    cache = cache_folder(os.environ) if is_kept else root.parent / "cache"
    steps = load_sample(now)
    begin = time.perf_counter()
    _fill(root, cache, steps)
    _head(f"A vault in {root}")
    click.echo(f"   filled in {time.perf_counter() - begin:.1f} s, one commit for each memory")
    _run_client(root, cache, steps)
    _show_log(root, cache)
    if is_kept:
        _head(f"The vault stays in {root}: open it in Obsidian or an editor")
        click.echo(f'   mnemos-files search "postcode" --vault "{root}"')


def _fill(root: Path, cache: Path, steps: list[SampleStep]) -> None:
    """Save the sample with the times at which its agents learned it."""
    moments = [steps[0].at - timedelta(days=1)]
    create_vault(root, template(), moments[0])
    store = open_store(root, cache_folder=cache, clock=lambda: moments[-1])
    try:
        for step in steps:
            moments.append(step.at)
            for record in step.created:
                old = [closed.id for closed in step.changed]
                store.put(replace(record, supersedes=()), supersedes=old)
    finally:
        store.close()


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
    async with Client(server) as client:
        tools = await client.list_tools()
        _head(f"The MCP server of this vault offers {len(tools.tools)} tools")
        click.echo(f"   {', '.join(tool.name for tool in tools.tools)}")
        await _count(client)
        await _ask_questions(client)
        await _supersede(client, by_title(steps, DEMO.turn.new).id)
        await _look_back(client, steps)
        await _edit(client, root, by_title(steps, DEMO.edit.title).id)


async def _count(client: Client) -> None:
    stats = await _call(client, "stats")
    kinds = ", ".join(f"{count} {kind}" for kind, count in stats["by_type"].items())
    live, every = stats["live_observations"], stats["observations"]
    click.echo(f"   {every} memories, {live} of them hold now: {kinds}")


async def _ask_questions(client: Client) -> None:
    _head("An agent searches, by words and by meaning")
    for question in DEMO.questions:
        await _show_search(client, question)


async def _show_search(client: Client, question: Question) -> None:
    begin = time.perf_counter()
    answer = await _call(client, "search", query=question.text, limit=_HITS, explain=True)
    spent = (time.perf_counter() - begin) * 1000
    click.echo(f'\n   search "{question.text}"   ({answer["retrieval_mode"]}, {spent:.0f} ms)')
    for hit in answer["results"]:
        click.echo(f"   {hit['score']:.2f}  {hit['title']}  ({hit['type']})")
        click.echo(f"         {_clip(hit['snippet'])}")
        parts = ", ".join(f"{name} {value:.2f}" for name, value in hit["why"].items())
        click.echo(f"         why: {parts}")


async def _supersede(client: Client, old: str) -> None:
    _head("The team changes its mind: a new memory supersedes the old one, in one commit")
    saved = await _call(
        client,
        "save",
        title=NEW_TITLE,
        content=NEW_CONTENT,
        type="decision",
        rationale=NEW_REASON,
        project="harbour-api",
        agent_id="demo",
        supersedes=[old],
    )
    click.echo(f"   saved {saved['path']}")
    click.echo(f"   commit {saved['commit'][:10]}, supersedes {', '.join(saved['superseded'])}")


async def _look_back(client: Client, steps: list[SampleStep]) -> None:
    _head("Time is honest: what the vault says now, and what it said then")
    turned = by_title(steps, DEMO.turn.new).created
    first = by_title(steps, DEMO.turn.old).created
    if turned is None or first is None:
        raise UnavailableError("the sample lacks its times")
    click.echo(f'   search "{DEMO.turn.text}"')
    moments = ("", _stamp(steps[-1].at), _stamp(turned - timedelta(hours=1)))
    for moment in moments:
        answer = await _call(client, "search", query=DEMO.turn.text, limit=1, as_of=moment)
        titles = [hit["title"] for hit in answer["results"]] or [answer.get("message", "")]
        click.echo(f"   {'as of ' + moment if moment else 'now':27} {titles[0]}")


async def _edit(client: Client, root: Path, identity: str) -> None:
    _head("A person edits a file with any editor; the next search knows")
    note = await _call(client, "get", id=identity)
    path = root / note["path"]
    text = path.read_text(encoding="utf-8")
    if DEMO.edit.before not in text:
        raise UnavailableError(f"{note['path']} lacks the sentence that the demo edits")
    path.write_text(text.replace(DEMO.edit.before, DEMO.edit.after), encoding="utf-8")
    click.echo(f"   {note['path']}")
    click.echo(f"   - {DEMO.edit.before}")
    click.echo(f"   + {DEMO.edit.after}")
    answer = await _call(client, "search", query=DEMO.edit.text, limit=1)
    click.echo(f'\n   search "{DEMO.edit.text}"')
    for hit in answer["results"]:
        click.echo(f"   {hit['score']:.2f}  {hit['title']}")
        click.echo(f"         {_clip(hit['snippet'])}")


def _show_log(root: Path, cache: Path) -> None:
    store = open_store(root, cache_folder=cache)
    try:
        revisions = store.history.log(_COMMITS) if store.history else []
    finally:
        store.close()
    _head("git log: who believed what, when and why")
    for revision in revisions:
        click.echo(f"\n   commit {revision.commit}")
        click.echo(f"   Author: {revision.author_name} <{revision.author_email}>")
        click.echo(f"   Date:   {_stamp(revision.when)}\n")
        trailers = "\n".join(f"{name}: {value}" for name, value in revision.trailers)
        parts = (revision.subject, revision.body.strip(), trailers)
        for line in "\n\n".join(part for part in parts if part).splitlines():
            click.echo(f"       {line}".rstrip())


async def _call(client: Client, tool: str, **arguments: object) -> Answer:
    given = {name: value for name, value in arguments.items() if value != ""}
    result = await client.call_tool(f"mnemos_{tool}", given)
    if result.is_error:
        texts = [part.text for part in result.content if isinstance(part, TextContent)]
        raise UnavailableError(" ".join(texts))
    answer: Answer = result.structured_content
    return answer


def _head(text: str) -> None:
    click.secho(f"\n{text}", bold=True)


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 90 else f"{line[:89]}..."  # noqa: PLR2004 - fits a terminal


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
