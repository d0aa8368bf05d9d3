"""How the demo calls a tool, and how it prints what came back."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import click
from mcp import Client
from mcp_types import CallToolResult, TextContent

from mnemos_files.errors import UnavailableError

Answer = Mapping[str, Any]
LINE_MAX = 90
"""Characters of a snippet that fit a terminal."""


async def call(client: Client, tool: str, **arguments: object) -> Answer:
    """The structured answer of a tool; arguments that are "" are left out.

    Raises:
        UnavailableError: the tool refused.
    """
    result = await _result(client, tool, arguments)
    if result.is_error:
        raise UnavailableError(_text(result))
    answer: Answer = result.structured_content
    return answer


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    """The text with which a tool refuses.

    Raises:
        UnavailableError: the tool did what it should refuse.
    """
    result = await _result(client, tool, arguments)
    if not result.is_error:
        raise UnavailableError(f"{tool} did what it should have refused")
    return _text(result)


async def search(client: Client, text: str, **arguments: object) -> list[Answer]:
    """The hits of a search, whose question and time are printed."""
    begin = time.perf_counter()
    answer = await call(client, "search", query=text, **arguments)
    spent = (time.perf_counter() - begin) * 1000
    click.echo(f'\n   search "{text}"   ({answer["retrieval_mode"]}, {spent:.0f} ms)')
    hits: list[Answer] = answer["results"]
    return hits


def show_hit(hit: Answer) -> None:
    """Print a hit: score, title and the beginning of its passage."""
    click.echo(f"   {hit['score']:.2f}  {hit['title']}  ({hit['type']})")
    click.echo(f"         {clip(hit['snippet'])}")


def head(text: str) -> None:
    """Print the heading of a step."""
    click.secho(f"\n{text}", bold=True)


def show(text: str) -> None:
    """Print lines, moved to the right."""
    for line in text.splitlines():
        click.echo(f"   {line}".rstrip())


def clip(text: str) -> str:
    """The beginning of a text as one line of a terminal."""
    line = " ".join(text.split())
    return line if len(line) <= LINE_MAX else f"{line[: LINE_MAX - 1]}..."


def stamp(moment: datetime) -> str:
    """A time in UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


async def _result(client: Client, tool: str, arguments: Mapping[str, object]) -> CallToolResult:
    given = {name: value for name, value in arguments.items() if value != ""}
    return await client.call_tool(f"mnemos_{tool}", given)


def _text(result: CallToolResult) -> str:
    return " ".join(part.text for part in result.content if isinstance(part, TextContent))
