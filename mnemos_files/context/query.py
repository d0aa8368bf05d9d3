"""The block for a question: whole notes, best first, as many as fit."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mnemos_files.context.budget import one_line
from mnemos_files.context.compose import Block, fault
from mnemos_files.context.request import (
    Request,
    catching_up,
    may_show,
    ranked,
    read_note,
    request_of,
    source_of,
)
from mnemos_files.context.surfacing import log_surfaced
from mnemos_files.context.wording import item, part
from mnemos_files.errors import MnemosError
from mnemos_files.model.note import Entry, Note
from mnemos_files.model.query import Query
from mnemos_files.model.record import Record
from mnemos_files.model.tokens import BYTES_PER_TOKEN, estimate_tokens
from mnemos_files.safety.frame import frame
from mnemos_files.safety.present import present
from mnemos_files.safety.verdict import Risk, worst

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

QUERY_TOKENS = 2_000
"""Budget [tokens] where the caller names none."""

CANDIDATES = 50
"""Hits that are tried."""

LEAST_TOKENS = 64
"""With fewer tokens left no other note is tried."""

TITLE_BYTES_MAX = 300
"""Bytes of a title in the list of what a block holds."""

_LINE_END = re.compile(r"\r\n?")
_FORGED = re.compile(r"^([^\S\n]*)(?=##(?!#))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Packed:
    """One note of a block: its text as it stands there, and what names it."""

    id: str
    title: str
    type: str
    importance: int
    text: str
    risk: Risk


@dataclass(frozen=True, slots=True)
class Answered:
    """A block for a question and the notes in it, best first."""

    block: Block
    notes: tuple[Packed, ...]


Fits = Callable[[Answered], bool]
"""Says whether a block and its list fit where they will stand, beside keeping the budget."""


def query_block(  # noqa: PLR0913 - plain facts about who asks what
    store: "Store",
    *,
    query: str,
    project: str = "",
    agent: str = "",
    session_id: str = "",
    max_tokens: int = QUERY_TOKENS,
    fits: Fits = lambda _: True,
) -> Answered:
    """Whole notes that answer a question, as many of the best as fit.

    Raises:
        UnavailableError: the vault is gone.
    """
    request = request_of(store, query, project=project, agent=agent, session=session_id)
    notices = list(catching_up(store))
    asked = Query(
        text=request.text,
        now=request.now,
        project=request.project,
        agent=request.agent,
        limit=CANDIDATES,
    )
    ranking = ranked(store, asked)
    reader = _Reader(store, request, notices)
    found = reader.read([hit.entry for hit in ranking.hits], max_tokens)
    notes = _packed(found, max_tokens, fits)
    block = replace(_block(notes, ranking.total, max_tokens, fits), notices=tuple(notices))
    left = ranking.total - reader.gone
    if left and not notes:
        block = replace(block, notices=(*block.notices, _no_room(left, max_tokens)))
    log_surfaced(store, request, block, "context")
    return Answered(block, tuple(notes))


@dataclass(slots=True)
class _Reader:
    """Reads notes for a block; `gone` counts those that may not be shown or cannot be read."""

    store: "Store"
    request: Request
    notices: list[str]
    gone: int = 0

    def read(self, entries: Sequence[Entry], max_tokens: int) -> Iterator[Packed]:
        """The notes that could fit, each read when it is its turn."""
        for entry in entries:
            try:
                note = read_note(self.store, entry)
            except MnemosError as error:
                self.notices.append(f"a note was left out: {fault(error)}")
                self.gone += 1
                continue
            if not may_show(note.record, self.request.now):
                self.gone += 1
            elif len(note.body) <= max_tokens * BYTES_PER_TOKEN:
                yield _worded(note)


def _packed(found: Iterator[Packed], max_tokens: int, fits: Fits) -> list[Packed]:
    """The notes that fit, in their order; one that is too long leaves its room to the next."""
    notes: list[Packed] = []
    while max_tokens - _framed(notes).token_estimate >= LEAST_TOKENS:
        note = next(found, None)
        if note is None:
            break
        block = _framed([*notes, note])
        if block.token_estimate <= max_tokens and fits(Answered(block, (*notes, note))):
            notes.append(note)
    return notes


def _block(notes: Sequence[Packed], total: int, max_tokens: int, fits: Fits) -> Block:
    """The block of these notes, with a line about the others where there is room for it."""
    left = total - len(notes)
    block = _framed(notes, f"... {left} more: mnemos_search, mnemos_get" if left else "")
    has_room = block.token_estimate <= max_tokens and fits(Answered(block, tuple(notes)))
    return block if has_room else _framed(notes)


def _no_room(total: int, max_tokens: int) -> str:
    return (
        f"{total} found, but none fits whole into {max_tokens} tokens and one answer: "
        "mnemos_search names them, mnemos_get reads one in pages"
    )


def _framed(notes: Sequence[Packed], closing: str = "") -> Block:
    if not notes:
        return Block()
    text = frame("\n\n".join([*(note.text for note in notes), *[closing] * bool(closing)]))
    return Block(
        text=text,
        token_estimate=estimate_tokens(text),
        section_count=len(notes),
        safety_risk=worst(note.risk for note in notes),
        surfaced=tuple(dict.fromkeys(note.id for note in notes)),
    )


def _worded(note: Note) -> Packed:
    """The note under a heading that nothing in its text can repeat."""
    record = note.record
    source = source_of(note)
    tags = f" [{one_line(','.join(record.tags))}]" if record.tags else ""
    heading = f"{one_line(record.title)} ({record.type}){tags}"
    shown = present(f"{heading}\n{_whole(record)}", source=source)
    first, _, body = _LINE_END.sub("\n", shown.text).partition("\n")
    body = _FORGED.sub(lambda blanks: blanks.group() + "\\", body)
    text = f"## {first}\n{body}".rstrip()
    title = item(part(record.title, TITLE_BYTES_MAX), source).text
    return Packed(record.id, title, record.type, record.importance, text, shown.risk)


def _whole(record: Record) -> str:
    """The content and the parts after it, each behind its name."""
    headings = {section.key: section.heading for section in record.kind.sections}
    parts = [f"**{headings.get(key, key)}:** {text.strip()}" for key, text in record.sections]
    return "\n\n".join([record.content.strip()] * bool(record.content.strip()) + parts)
