"""Results for people, as tables.

Note text is shown as it is, never read as markup or as orders to the terminal.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mnemos_files.cli import display_past
from mnemos_files.cli.harmless import harmless

__all__ = ["harmless", "show"]

_LONG = 12  # rows of a mapping that are shown
Row = Mapping[str, Any]


def search(result: Row) -> None:
    """Hits, best first, each with the passage that fits and, when asked for, why."""
    console = _console()
    if result["results"]:
        table = Table("score", "memory", "type", "created", expand=True)
        for hit in result["results"]:
            table.add_row(*_hit_cells(hit))
        console.print(table)
    _say(console, _summary(result), "dim")
    _notices(console, result)


def get(result: Row) -> None:
    """One memory: its facts as a table, then its text."""
    console = _console()
    facts = {key: value for key, value in result.items() if key not in _TEXTS}
    console.print(_facts(facts))
    _say(console, result["content"] + "\n")
    for name, text in result.get("sections", {}).items():
        _say(console, name, "bold")
        _say(console, text + "\n")


def facts(result: Row) -> None:
    """Any result: its fields as a table."""
    _console().print(_facts(result))


def save(result: Row) -> None:
    """What became of a save, in a line, and where it lies."""
    done = "already known" if result["deduped"] else "saved"
    console = _console()
    _say(console, f"{done}: {result['title']}")
    _say(console, f"{result['id']}  {result['path']}", "dim")
    if result["trust_clamped"]:
        _say(console, "kept as raw: text of this source is quarantined")
    _notices(console, result)


def message(result: Row) -> None:
    """The message of a result, or a table of its fields where it has none."""
    console = _console()
    if "message" in result:
        _say(console, result["message"])
    else:
        console.print(_facts({key: value for key, value in result.items() if key != "notices"}))
    _notices(console, result)


def block(result: Row) -> None:
    """The text that an agent would be given, then the other fields."""
    console = _console()
    shown = result.get("prewarm", result)
    _say(console, shown.get("text") or result.get("verdict", "nothing is stored for this"))
    rest = {key: value for key, value in result.items() if key not in _BLOCK}
    if rest:
        console.print(_facts(rest))
    _notices(console, result)


def matches(result: Row) -> None:
    """Skills that fit, best first, with their procedures."""
    console = _console()
    for skill in result["matches"]:
        heading = f"{skill['name']}  (version {skill['version']}, {skill['use_count']} uses)"
        _say(console, heading, "bold")
        _say(console, f"{skill['description']}\n\n{skill['procedure']}\n")
        _say(console, skill["id"], "dim")
    if not result["matches"]:
        _say(console, "no skill fits")
    _notices(console, result)


def show(name: str, result: Row) -> None:
    """Print the result of an operation."""
    _DISPLAYS.get(name, message)(result)


def init(result: Row) -> None:
    """What was added to a vault, and how a client reaches it."""
    console = _console()
    root = result["vault"]
    _say(console, f"vault: {root}")
    if result["made_repository"]:
        _say(console, "made a git repository")
    for path in result["added"]:
        _say(console, f"  added {path}")
    if not result["added"]:
        _say(console, "nothing was missing; nothing was changed")
    _say(console, f"for your MCP client: {shlex.join(result['server'])}")
    _notices(console, result)


_DISPLAYS: Mapping[str, Callable[[Row], None]] = {
    "save": save,
    "search": search,
    "get": get,
    "init": init,
    "facts": facts,
    "stats": facts,
    "session_start": block,
    "context": block,
    "premortem": block,
    "skill_match": matches,
    "history": display_past.history,
    "provenance": display_past.provenance,
    "changes": display_past.changes,
}
"""How results are shown; `message` shows the others."""

_TEXTS = ("content", "sections")
_BLOCK = ("text", "verdict", "prewarm", "notices")


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def _say(console: Console, text: object, style: str | None = None) -> None:
    """A line as it is: a path that is broken over two lines cannot be copied."""
    console.print(_plain(text), style=style, soft_wrap=True)


def _plain(text: object) -> Text:
    return Text(harmless(text))


def _hit_cells(hit: Row) -> list[Text]:
    memory = _plain(hit["title"])
    memory.stylize("bold")
    if hit["trust_tier"] == "raw":
        memory.append(" (raw)", style="yellow")
    if "invalidated_at" in hit:
        memory.append(" (superseded)", style="yellow")
    memory.append_text(Text("\n") + _plain(hit["snippet"]))
    if "why" in hit:
        parts = "  ".join(f"{name} {value:.3g}" for name, value in hit["why"].items())
        memory.append_text(Text("\n") + _plain(parts))
    memory.append(f"\n{hit['id']}", style="dim")
    created = str(hit.get("created_at", ""))[:10]
    score = f"{hit['score']:.3f}"
    return [_plain(score), memory, _plain(hit["type"]), _plain(created)]


def _summary(result: Row) -> str:
    if not result["results"]:
        return str(result.get("message", "nothing found"))
    more = f", next: --offset {result['next_offset']}" if "next_offset" in result else ""
    found = f"{len(result['results'])} of {result['total']}"
    return f"{found} ({result['retrieval_mode']}){more}"


def _facts(values: Row) -> Table:
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in values.items():
        if value not in ([], {}, ""):
            table.add_row(_plain(name), _cell(value))
    return table


def _cell(value: object) -> Text:
    if isinstance(value, Mapping):
        pairs = list(value.items())
        return _plain(", ".join(f"{name}: {part}" for name, part in pairs[:_LONG]))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return Text("\n").join(_cell(part) for part in value)
    return _plain(value)


def _notices(console: Console, result: Row) -> None:
    for notice in result.get("notices", []):
        _say(console, f"note: {notice}", "yellow")
