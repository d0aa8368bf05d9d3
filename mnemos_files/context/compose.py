"""Sections -> one block inside a budget of tokens. Pure: texts are made by the sections' items."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mnemos_files.context.budget import clip, room_of
from mnemos_files.errors import MnemosError
from mnemos_files.model.tokens import byte_count, estimate_tokens
from mnemos_files.safety.verdict import Risk, worst

ITEM_MIN = 32
"""Bytes to which the only line of a section may be cut; with less room the section is left out."""

_TRIES = 6  # a frame that lengthens what it escapes is measured again

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a section: its text as it may be shown, and the record that it shows.

    `id` is "" when no record is surfaced.
    """

    text: str
    risk: Risk = "none"
    id: str = ""


Make = Callable[[], Item | None]
"""Reads and words one item when it is wanted; None when there is nothing to show after all."""


@dataclass(frozen=True, slots=True)
class Section:
    """What one part of a block could hold, best first.

    `total` counts all that there is, also beyond `items`; `more` says how to get the rest.
    """

    title: str
    items: Sequence[Make]
    total: int
    more: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A text for a model: `token_estimate` of all of it, frame included; "" with nothing to tell.

    `surfaced` are the ids of the records that stand in it; `notices` say what could not be read.
    `verdict` is the sentence of a premortem that finds no failure.
    """

    text: str = ""
    token_estimate: int = 0
    section_count: int = 0
    safety_risk: Risk = "none"
    surfaced: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    verdict: str = ""


Fits = Callable[[Block], bool]
"""Says whether a block fits where it will stand, beside keeping its budget."""


def always(_: Block) -> bool:
    """There is room for every block."""
    return True


@dataclass(frozen=True, slots=True)
class _Filled:
    """A section as it will stand, ending in a line end."""

    text: str
    items: tuple[Item, ...]


class _Source:
    """Items of a section, made one after the other and only as far as they are asked for."""

    def __init__(self, section: Section, notices: list[str]) -> None:
        self.section = section
        self._notices = notices
        self._waiting = list(section.items)
        self._made: list[Item] = []
        self._gone = 0

    def item(self, number: int) -> Item | None:
        """The item of this number, from 0; None when there are fewer."""
        while len(self._made) <= number and self._waiting:
            item = self._make(self._waiting.pop(0))
            if item is not None and item.text:
                self._made.append(item)
            else:
                self._gone += 1
        return self._made[number] if number < len(self._made) else None

    def left(self, shown: int) -> int:
        """How many there are beyond the first ones."""
        return max(self.section.total - self._gone - shown, 0)

    def _make(self, make: Make) -> Item | None:
        try:
            return make()
        except Exception as error:  # noqa: BLE001 - no fault in a note may cost a start its block
            _log.warning("an item of %s was left out", self.section.title, exc_info=True)
            self._notices.append(f"an item of {self.section.title} was left out: {fault(error)}")
            return None


def fault(error: Exception) -> str:
    """What a notice says of an error: never a path of this machine."""
    return error.message if isinstance(error, MnemosError) else type(error).__name__


def compose(sections: Sequence[Section], max_tokens: int, wrap: Callable[[str], str]) -> Block:
    """The block of these sections, most relevant first, that costs at most `max_tokens`.

    Every section gets an equal share; what one does not need goes to the earlier ones. Lines stay
    whole, but for the only line of a section. `wrap` puts the frame around the text. A notice says
    when there is something to tell and no room for any of it.
    """
    notices: list[str] = []
    sources = [source for each in sections if (source := _Source(each, notices)).item(0)]
    room = room_of(max_tokens)
    inside = room - byte_count(wrap(""))
    for _ in range(_TRIES):
        parts, closing = _fitted(sources, inside)
        text = wrap(_joined(parts, closing)) if parts else ""
        if byte_count(text) <= room:
            if sources and not text:
                notices.append(no_room(max_tokens))
            return _block(text, parts, notices)
        inside = inside * room // byte_count(text)
    return _block("", (), notices)


def no_room(max_tokens: int) -> str:
    """The notice of a block that is empty although there was something to tell."""
    return f"{max_tokens} tokens have no room for what was found: raise max_tokens"


def _block(text: str, parts: Sequence[_Filled], notices: Sequence[str]) -> Block:
    items = [item for part in parts for item in part.items]
    return Block(
        text=text,
        token_estimate=estimate_tokens(text),
        section_count=len(parts),
        safety_risk=worst(item.risk for item in items),
        surfaced=tuple(dict.fromkeys(item.id for item in items if item.id)),
        notices=tuple(notices),
    )


def _joined(parts: Sequence[_Filled], closing: str) -> str:
    return "\n".join([part.text for part in parts] + [closing] * bool(closing)).rstrip("\n")


def _fitted(sources: Sequence[_Source], room: int) -> tuple[Sequence[_Filled], str]:
    """As many sections as fit from the first on, and the line that names the others."""
    choices = [(count, _closing(sources[count:])) for count in range(len(sources), 0, -1)]
    for count, closing in [*choices, (1, "")][: len(choices) + 1]:
        parts = _shared(sources[:count], room - byte_count(closing) - bool(closing))
        if parts:
            return parts, closing
    return (), ""


def _closing(left_out: Sequence[_Source]) -> str:
    names = ", ".join(source.section.title for source in left_out)
    return f"... no room for {names}: raise max_tokens\n" if left_out else ""


def _shared(sources: Sequence[_Source], room: int) -> Sequence[_Filled]:
    """Every section with at least one item, or nothing when there is no room for that."""
    room -= len(sources) - 1  # the blank lines between them
    filled = [_fill(source, room // max(len(sources), 1)) for source in sources]
    spare = room - sum(map(_size, filled))
    starved = [number for number, part in enumerate(filled) if part is None]
    for turn, number in enumerate(starved):
        filled[number] = _fill(sources[number], spare // (len(starved) - turn))
        spare -= _size(filled[number])
    parts = [part for part in filled if part is not None]
    if len(parts) < len(filled):
        return ()
    for number, part in enumerate(parts):
        parts[number] = _fill(sources[number], _size(part) + spare) or part
        spare -= _size(parts[number]) - _size(part)
    return parts


def _size(part: _Filled | None) -> int:
    return byte_count(part.text) if part is not None else 0


def _fill(source: _Source, room: int) -> _Filled | None:
    """What of a section fits: how to get the rest is told where there is room for that, too."""
    return _lines(source, room, source.section.more) or _lines(source, room, "")


def _lines(source: _Source, room: int, more: str) -> _Filled | None:
    text = f"## {source.section.title}\n"
    items: list[Item] = []
    while (item := source.item(len(items))) is not None:
        rest = source.left(len(items) + 1)
        spare = room - byte_count(text) - byte_count(_rest(rest, more))
        line = f"- {item.text}\n"
        if byte_count(line) > spare:
            line = "" if items else _cut(item.text, spare)
        if not line:
            break
        text += line
        items.append(item)
    rest = source.left(len(items))
    return _Filled(text + _rest(rest, more), tuple(items)) if items else None


def _cut(text: str, room: int) -> str:
    """The line of a text that is longer than the room; "" when too little of it would be left."""
    cut = clip(text, room - len("- \n"))
    return f"- {cut}\n" if byte_count(cut) >= ITEM_MIN else ""


def _rest(count: int, more: str) -> str:
    """The line about what is not shown."""
    if not count:
        return ""
    return f"... {count} more: {more}\n" if more else f"... {count} more\n"
