"""Results of looking back, for people: versions, origins, news."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from mnemos_files.cli.harmless import harmless

Row = Mapping[str, Any]
_ID = 10
_INDENT = "  "
_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def history(result: Row) -> None:
    """The versions of a note, each with its reason and, when asked for, what it changed."""
    console = _console()
    gone = " (deleted)" if result["deleted"] else ""
    _say(console, f"{result['title']}{gone}", "bold")
    _say(console, f"{result['id']}  {result['path']}", "dim")
    for row in result["versions"]:
        _say(console, "")
        _say(console, _headline(row), "bold")
        for line in _version(row):
            _say(console, f"{_INDENT}{line}")
        _difference(console, row)
    _end(console, result, len(result["versions"]))


def changes(result: Row) -> None:
    """News, a paragraph for each memory, then what is not committed."""
    console = _console()
    for row in result["changes"]:
        raw = " (raw)" if row["raw"] else ""
        _say(console, f"{', '.join(row['what'])}: {row['title']}{raw}", "bold")
        _say(console, f"{_INDENT}{_when(row)}  {', '.join(row['authors'])}  {row['commit'][:_ID]}")
        if "renamed_from" in row:
            _say(console, f"{_INDENT}from {row['renamed_from']}")
        for reason in row["why"]:
            _say(console, f"{_INDENT}{_one_line(reason)}")
        _say(console, f"{_INDENT}{row['id']}  {row['path']}", "dim")
    _uncommitted(console, result)
    if result.get("message"):
        _say(console, result["message"])
    counts = ", ".join(f"{number} {kind}" for kind, number in result["counts"].items())
    _say(console, f"{counts or 'no news'}; up to commit {result['commit'][:_ID] or 'none'}", "dim")
    _end(console, result, len(result["changes"]))


def provenance(result: Row) -> None:
    """Where a memory came from, part by part; empty ones are left out."""
    console = _console()
    gone = " (deleted)" if result["deleted"] else ""
    _say(console, f"{result['title']}{gone}", "bold")
    _say(console, f"{result['id']}  {result['path']}", "dim")
    _say(console, f"{result['type']}, {result['trust_tier']}, from {result['source_kind']}")
    for name in ("agent_id", "session_title", "source", "promoted_reason"):
        if result.get(name):
            _say(console, f"{name.replace('_', ' ')}: {result[name]}")
    made = [result["made"]] if "made" in result else []
    for title, lines in (
        ("commits", map(_commit, [*result["changes"], *made])),
        ("tiers", map(_tier, result["tiers"])),
        ("comes from", map(_source, result["sources"])),
        ("went into", map(_source, result["derived"])),
        ("links", map(_link, result["links"])),
        ("linked from", map(_link, result["backlinks"])),
        ("lines", _lines(result["blame"])),
    ):
        _part(console, title, list(lines))
    _end(console, result, len(result["blame"]))


def _headline(row: Row) -> str:
    who = f"{row['author']} ({row['by']})" if "author" in row else "not committed"
    name = row.get("commit", row.get("version", ""))[:_ID]
    return f"{_when(row)}  {row['what']}  +{row['added']} -{row['removed']}  {who}  {name}"


def _version(row: Row) -> Iterator[str]:
    if "renamed_from" in row:
        yield f"{row['renamed_from']} -> {row['path']}"
    if row.get("subject"):
        yield row["subject"]
    if row.get("why"):
        yield from row["why"].splitlines()


def _difference(console: Console, row: Row) -> None:
    for line in row.get("diff", "").splitlines():
        _say(console, f"{_INDENT}{line}", _STYLES.get(line[:1]))
    if row.get("diff_cut"):
        _say(console, f"{_INDENT}(cut)", "dim")


def _uncommitted(console: Console, result: Row) -> None:
    if result["uncommitted"]:
        _say(console, f"not committed ({result['uncommitted_total']}):", "bold")
    for row in result["uncommitted"]:
        _say(console, f"{_INDENT}{row['what']}: {row['path']}")


def _part(console: Console, title: str, lines: Sequence[str]) -> None:
    if lines:
        _say(console, "")
        _say(console, title, "bold")
    for line in lines:
        _say(console, f"{_INDENT}{line}")


def _commit(row: Row) -> str:
    why = f": {_one_line(row['why'])}" if "why" in row else ""
    who = f"{row['author']} ({row['by']})"
    return f"{_when(row)}  {row['what']}  {who}  {row['commit'][:_ID]}  {row['subject']}{why}"


def _tier(row: Row) -> str:
    who = f"{row['author']} ({row['by']})"
    return f"{_when(row)}  {row['from_tier']} -> {row['to_tier']}  {who}: {_one_line(row['why'])}"


def _source(row: Row) -> str:
    name = row["title"] or row["id"]
    facts = [row.get("state"), row.get("type"), row.get("trust_tier"), row.get("source_kind")]
    told = ", ".join(fact for fact in facts if fact)
    return f"{_INDENT * (row['depth'] - 1)}{name} ({told})"


def _link(row: Row) -> str:
    return f"{row['type']}: {row.get('title') or row['link']}"


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        place = f"{row['first']}-{row['last']}" if row["last"] > row["first"] else row["first"]
        who = f"{row['author']} ({row['by']})" if "author" in row else "not committed"
        when = f"{_when(row)}  " if "when" in row else ""
        yield f"{place}  {when}{who}  {row.get('commit', '')[:_ID]}  {_one_line(row['text'])}"


def _when(row: Row) -> str:
    return str(row["when"])[:16].replace("T", " ")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _end(console: Console, result: Row, count: int) -> None:
    if "next_offset" in result:
        total = f" of {result['total']}" if "total" in result else ""
        _say(console, f"{count}{total}, next: --offset {result['next_offset']}", "dim")
    for notice in result.get("notices", []):
        _say(console, f"note: {notice}", "yellow")


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def _say(console: Console, text: object, style: str | None = None) -> None:
    console.print(Text(harmless(text)), style=style, soft_wrap=True)
