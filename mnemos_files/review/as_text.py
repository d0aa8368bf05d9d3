"""A review as lines for a terminal; what is styled says how, the caller paints it."""

from collections.abc import Callable, Iterator

from mnemos_files.review import lines
from mnemos_files.review.escaping import flat, plain
from mnemos_files.review.values import Difference, Finding, MemoryChange, Piece, Review

Paint = Callable[[str, str], str]
"""Gives a text in a style: `title`, `kind`, `dim`, `error`, `warning`, `note`, `+` or `-`."""

_BARE = {"=": ("", ""), "-": ("[-", "-]"), "+": ("{+", "+}")}
"""Marks of `git diff --word-diff`, so that colours are no need."""


def unpainted(text: str, _style: str) -> str:
    """The text as it is."""
    return text


def as_text(review: Review, paint: Paint = unpainted) -> str:
    """All of it: the sum first, then each memory, then the other files, then the verdict."""
    return "\n".join(_all(review, paint))


def memory_lines(memory: MemoryChange, paint: Paint = unpainted) -> Iterator[str]:
    """The lines of one memory."""
    return _memory(memory, paint)


def _all(review: Review, paint: Paint) -> Iterator[str]:
    yield paint(flat(f"{review.label}: {lines.size(review)}"), "title")
    for memory in review.memories:
        yield ""
        yield from _memory(memory, paint)
    if review.other_findings:
        yield ""
        yield paint("other files", "title")
        for finding in review.other_findings:
            yield from _finding(finding, paint, f"{finding.place}: ")
    yield ""
    yield lines.verdict(review)


def _memory(memory: MemoryChange, paint: Paint) -> Iterator[str]:
    scope = f"{memory.type}, {memory.project or 'global'}"
    kinds = paint(", ".join(memory.kinds), "kind")
    yield f"{kinds}: {paint(flat(memory.title), 'title')} ({flat(scope)})"
    # Never first in a line: a file may be called like a command of the runner of a workflow.
    yield paint(f"  in {flat(memory.path)}", "dim")
    yield f"  by {flat(lines.who(memory))}"
    yield f"  {lines.trust(memory)}, from {flat(lines.source(memory))}"
    for verb, text in lines.relations(memory):
        yield f"  {verb} {flat(text)}"
    for difference in memory.differences:
        yield from _difference(difference, paint)
    if not memory.differences and memory.text:
        yield from (f"  | {line}" for line in plain(memory.text).split("\n"))
    for finding in memory.findings:
        yield from _finding(finding, paint, f"line {finding.line}: " if finding.line else "")


def _difference(difference: Difference, paint: Paint) -> Iterator[str]:
    text = "".join(_piece(piece, paint) for piece in difference.pieces)
    first, *others = text.split("\n")
    yield f"  {flat(difference.name)}: {first.strip()}"
    yield from (f"  | {line}" for line in others)


def _piece(piece: Piece, paint: Paint) -> str:
    """A piece between its marks; white space stays outside of them."""
    begin, end = _BARE[piece.mark]
    text = plain(piece.text)
    bare = text.strip()
    if not begin or not bare:
        return text
    lead, trail = text[: text.index(bare)], text[text.index(bare) + len(bare) :]
    return f"{lead}{paint(f'{begin}{bare}{end}', piece.mark)}{trail}"


def _finding(finding: Finding, paint: Paint, place: str) -> Iterator[str]:
    level = paint(finding.level, finding.level)
    yield f"  {level} {finding.rule}: {flat(place)}{flat(finding.message)}"
    yield paint(f"    {finding.remedy}", "dim")
