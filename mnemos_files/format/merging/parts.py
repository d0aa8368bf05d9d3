"""The body of a record merged part by part: the content, then `## Why` and its like. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from mnemos_files.format.body import part_lines
from mnemos_files.format.fences import closed_fences
from mnemos_files.format.merging.blocks import BETWEEN
from mnemos_files.format.merging.text import TextMerge, pick
from mnemos_files.model.kind import Kind

CONTENT = ""
"""Key of what stands before the first part."""

_BLANKS = " \t\n"


@dataclass(frozen=True, slots=True)
class Part:
    """The line of a heading ("" for the content), the text below it, and the blanks around that.

    `gap` is what parts the heading from the text, `tail` what follows; None at the end of a body.
    """

    heading: str
    gap: str
    text: str
    tail: str | None


_NONE = Part("", "", "", None)


@dataclass(frozen=True, slots=True)
class Body:
    """Parts by their key, in file order, and what ends the body."""

    parts: dict[str, Part]
    end: str


@dataclass(frozen=True, slots=True)
class BodyMerge:
    """Merges bodies of one kind; `replaced` are parts that a program writes anew as a whole."""

    texts: TextMerge
    kind: Kind
    replaced: frozenset[str] = frozenset()

    def merge(self, base: str | None, first: str, second: str) -> str:
        """One body [LF line ends] of both; `first` is the newer. No base: both are new."""
        if second in (first, base):
            return first
        if first == base:
            return second
        old, one, other = self._split(base or ""), self._split(first), self._split(second)
        parts = []
        for key in self._order(list(old.parts), list(one.parts), list(other.parts)):
            sides = (old.parts.get(key), one.parts.get(key), other.parts.get(key))
            part = self._part(key, sides, is_new=base is None)
            if part is not None:
                parts.append(part)
        return _joined(parts, pick(old.end, one.end, other.end))

    def _split(self, body: str) -> Body:
        rows = body.split("\n")
        starts = [(0, CONTENT), *part_lines(rows, self.kind, closed_fences(rows)).items()]
        limits = [at for at, _ in starts[1:]] + [len(rows)]
        found, end = {}, ""
        for (start, key), limit in zip(starts, limits, strict=True):
            whole = "".join(f"{row}\n" for row in rows[start + bool(key) : limit])
            text = whole.strip(_BLANKS)
            gap = whole[: len(whole) - len(whole.lstrip("\n"))] if text else ""
            end = whole[len(gap) + len(whole[len(gap) :].rstrip(_BLANKS)) :]
            text = whole[len(gap) : len(whole) - len(end)]
            tail = None if limit == len(rows) else end
            found[key] = Part(rows[start] if key else "", gap, text, tail)
        # The last row has no line end: the one that was added above goes again.
        return Body(found, end[:-1])

    def _order(self, old: list[str], one: list[str], other: list[str]) -> list[str]:
        """Parts in the order of the side that changed it, new ones where their kind has them."""
        usual = [CONTENT, *(section.key for section in self.kind.sections)]
        known = {*old, *one, *other}
        if all(keys == sorted(keys, key=usual.index) for keys in (old, one, other)):
            return [key for key in usual if key in known]
        shared = [key for key in old if key in one and key in other]
        has_moved = [key for key in one if key in shared] != shared
        order = one if has_moved else other
        return [*order, *(key for key in usual if key in known and key not in order)]

    def _part(
        self, key: str, sides: tuple[Part | None, Part | None, Part | None], *, is_new: bool
    ) -> Part | None:
        old, one, other = (each or _NONE for each in sides)
        texts = TextMerge(_newer) if key in self.replaced else self.texts
        text = texts.merge(None if is_new else old.text, one.text, other.text)
        is_there = [each is not None for each in sides]
        if not text and not (is_there[2] if is_there[1] == is_there[0] else is_there[1]):
            return None
        heading = pick(old.heading, one.heading, other.heading) or one.heading or other.heading
        gap = pick(old.gap, one.gap, other.gap) if all(is_there[1:]) else one.gap or other.gap
        tail = other.tail if one.tail in (None, old.tail) else one.tail
        return Part(heading, gap, text, tail)


def _newer(first: str, second: str) -> str:  # noqa: ARG001 - one of several ways to show two texts
    return first


def _joined(parts: Sequence[Part], end: str) -> str:
    pieces = []
    for place, part in enumerate(parts):
        heading = f"{part.heading}\n" if part.heading else ""
        tail = part.tail or (BETWEEN if heading or part.text else "")
        pieces += [heading, part.gap, part.text, end if place == len(parts) - 1 else tail]
    return "".join(pieces)
