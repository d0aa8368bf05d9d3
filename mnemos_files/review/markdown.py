"""A review as the text of a comment on a pull request."""

from collections.abc import Iterator, Sequence

from mnemos_files.review import lines
from mnemos_files.review.escaping import html, inline
from mnemos_files.review.values import Difference, Finding, MemoryChange, Piece, Review

SIZE_MAX = 60_000
"""Characters [1] of a whole comment; forges take 65,536."""

TABLE_SHARE = 2
"""The table may take one part in so many of the whole, the details have what is left."""

MARKER = "<!-- mnemos-files review -->"
"""First line, by which the comment is found again."""

LINE_MAX = 200
"""Characters [1] of a difference that stands in one line."""

_RESERVE = 600
_TAGS = {"=": "", "-": "del", "+": "ins"}
_HEAD = (
    "| change | memory | type | project | who | trust | findings |",
    "|---|---|---|---|---|---|---|",
)
_LEVELS = {"error": "**error**", "warning": "warning", "note": "note"}


def as_markdown(review: Review) -> str:
    """The comment: a table of all memories, then each one in full, as far as there is room."""
    top = [
        MARKER,
        "## Memory review",
        "",
        f"{inline(review.label)}: {lines.size(review)}. **{lines.verdict(review)}**.",
    ]
    table = _fitting([_row(one) for one in review.memories], SIZE_MAX // TABLE_SHARE)
    parts = [*top, ""]
    if review.memories:
        parts += [*_HEAD, *table, *_rest(len(review.memories) - len(table), "row"), ""]
    others = [_finding_line(one, with_path=True) for one in review.other_findings]
    left = SIZE_MAX - _RESERVE - _length(parts)
    kept = _fitting(others, left // TABLE_SHARE)
    if others:
        parts += ["### Other files", "", *kept, *_rest(len(others) - len(kept), "finding"), ""]
    details = ["\n".join(_details(one)) for one in review.memories]
    shown = _fitting(details, SIZE_MAX - _RESERVE - _length(parts))
    return "\n".join([*parts, *shown, *_rest(len(details) - len(shown), "memory")]) + "\n"


def _length(parts: Sequence[str]) -> int:
    return sum(len(part) + 1 for part in parts)


def _fitting(parts: Sequence[str], room: int) -> list[str]:
    """The first parts that fit into so many characters."""
    kept: list[str] = []
    for part in parts:
        room -= len(part) + 1
        if room < 0:
            break
        kept.append(part)
    return kept


def _rest(number: int, noun: str) -> list[str]:
    if not number:
        return []
    return ["", f"{lines.counted(number, noun)} more: run `mnemos-files review` with this range."]


def _row(memory: MemoryChange) -> str:
    levels = [finding.level for finding in memory.findings]
    found = ", ".join(
        f"{levels.count(name)} {shown}" for name, shown in _LEVELS.items() if name in levels
    )
    who = ", ".join(author.name for author in memory.authors) or "not committed"
    cells = (
        ", ".join(memory.kinds),
        inline(memory.title),
        memory.type,
        inline(memory.project or "global"),
        inline(who),
        lines.trust(memory),
        found or "-",
    )
    return f"| {' | '.join(cells)} |"


def _details(memory: MemoryChange) -> Iterator[str]:
    is_open = any(finding.level == "error" for finding in memory.findings)
    yield f"<details{' open' if is_open else ''}>"
    yield f"<summary>{', '.join(memory.kinds)}: {inline(memory.title)}</summary>"
    yield ""
    yield f"{inline(memory.path)}"
    yield ""
    yield f"- who: {inline(lines.who(memory))}"
    yield f"- trust: {lines.trust(memory)}, from {inline(lines.source(memory))}"
    yield from (f"- {verb} {inline(text)}" for verb, text in lines.relations(memory))
    yield from map(_finding_line, memory.findings)
    for difference in memory.differences:
        yield from _difference(difference)
    if not memory.differences and memory.text:
        yield f"\n<pre>{html(memory.text)}</pre>"
    yield ""
    yield "</details>"
    yield ""


def _finding_line(finding: Finding, *, with_path: bool = False) -> str:
    place = finding.place if with_path else f"line {finding.line}"
    where = f" {inline(place)}" if with_path or finding.line else ""
    level = _LEVELS[finding.level]
    return f"- {level} `{finding.rule}`{where}: {inline(finding.message)} {html(finding.remedy)}"


def _difference(difference: Difference) -> Iterator[str]:
    name, texts = inline(difference.name), [piece.text for piece in difference.pieces]
    if sum(map(len, texts)) <= LINE_MAX and not any("\n" in text for text in texts):
        yield f"- {name}: {' '.join(_marked(one, inline(one.text)) for one in difference.pieces)}"
        return
    yield f"\n{name}\n"
    yield f"<pre>{''.join(_marked(one, html(one.text)) for one in difference.pieces)}</pre>\n"


def _marked(piece: Piece, text: str) -> str:
    tag = _TAGS[piece.mark]
    return f"<{tag}>{text}</{tag}>" if tag else text
