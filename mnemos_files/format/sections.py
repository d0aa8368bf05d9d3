"""Other text in one place of a file; every byte outside of that place stays. Pure.

A place is the content, a part of the kind, or what stands below a heading. In a record the new
text is written with the escapes of `format/body.py`, so that what goes in comes out; in a note of
the person's own (a kind without parts) it stands as given.
"""

from dataclasses import dataclass

from mnemos_files.errors import InvalidRecordError
from mnemos_files.format.append import insert, tidy, without_end
from mnemos_files.format.body import escape
from mnemos_files.format.conflict import find_conflicts
from mnemos_files.format.front_matter import BOM, check_editable, decode, read
from mnemos_files.format.outline import PART, Place, named, outline
from mnemos_files.format.scalar import check_text
from mnemos_files.model.kind import Kind, Section

HEADINGS_SHOWN = 20
"""Headings [1] that an error names."""

_LEVEL = 2
_LEVEL_MAX = 6
_BLANKS = " \t\r\n"
_OPEN_FENCE = "Close each ``` and ~~~ that is opened, in the text and in the file."


@dataclass(frozen=True, slots=True)
class Body:
    """A file that can be changed: `head` and `text` join to it, `places` are its headings."""

    data: bytes
    path: str
    head: str
    text: str
    newline: str
    kind: Kind
    places: tuple[Place, ...]

    @property
    def parts(self) -> tuple[Place, ...]:
        """The parts of the kind that are there, in file order."""
        return tuple(place for place in self.places if place.level == PART)

    @property
    def content_end(self) -> int:
        """Where the first part begins."""
        return self.parts[0].start if self.parts else len(self.text)


def open_body(data: bytes, kind: Kind, path: str) -> Body:
    """The body of a file; `kind` is that of its record, one without parts for a person's own.

    Raises:
        CorruptError: the file is not UTF-8, its front matter is broken or has no end, or a merge
            conflict is open in it.
    """
    text = decode(data, path)
    front = read(text, path)
    check_editable(front, text, path)
    body = front.body
    head = text[: len(text) - len(body)]
    if front.split.fence and not head.endswith("\n"):
        head += front.split.newline
    return Body(data, path, head, body, front.split.newline, kind, outline(body, kind))


def part_of(kind: Kind, name: str) -> Section | None:
    """The part that a name means: its key, or its heading with or without `##`."""
    plain = name.strip().removeprefix("## ").strip().casefold()
    named_so = (each for each in kind.sections if plain in (each.key, each.heading.casefold()))
    return next(named_so, None)


def set_content(body: Body, new: str) -> bytes:
    """The file with another content; the parts below it stay.

    Raises:
        InvalidRecordError: the text cannot be stored, or would be read as front matter.
    """
    text = _escaped(body, _content(new))
    return _joined(body, _put(body, 0, body.content_end, text))


def set_body(body: Body, new: str) -> bytes:
    """The file with another body as a whole, parts included, written as it stands in a file.

    Raises:
        InvalidRecordError: as for `set_content`.
    """
    return _joined(body, _put(body, 0, len(body.text), _content(new)))


def set_part(body: Body, section: Section, new: str) -> bytes:
    """The file with another text in one part of its kind, which is added where it belongs.

    Raises:
        InvalidRecordError: the text cannot be stored.
    """
    row = f"## {section.heading}"
    text = _escaped(body, _without_heading(_clean(new), row))
    for place in body.parts:
        if place.heading == section.heading:
            return _joined(body, _put(body, place.text, place.end, text))
    return _joined(body, _insert(body, _part_place(body, section), f"{row}\n\n{text}"))


def set_section(body: Body, name: str, new: str, *, create: bool = False) -> bytes:
    """The file with another text below a heading, in place of all that stands there.

    `create` adds a heading that is missing. The heading itself may stand at the top of the text.

    Raises:
        InvalidRecordError: no heading or several are called so, or the text would change what
            stands outside of it.
    """
    part, place = part_of(body.kind, name), _find(body, name)
    if part is not None and ((place is None and create) or place in body.parts):
        return set_part(body, part, new)
    if place is None:
        return _created(body, name, new, create=create)
    text = _escaped(body, _without_heading(_clean(new), place.name))
    changed = _put(body, place.text, place.end, text)
    _check_outline(body, changed, place)
    return _joined(body, changed)


def add_text(body: Body, new: str) -> bytes:
    """The file with a text at the end of the content; of the file, where there is no content.

    Raises:
        InvalidRecordError: the text cannot be stored, or would change what stands above it.
    """
    has_content = body.text[: body.content_end].strip(_BLANKS)
    end = body.content_end if has_content else len(body.text)
    names = frozenset(place.heading for place in body.parts)
    text = escape(_clean(new), names) if body.kind.sections else _clean(new)
    changed = _insert(body, end, text)
    _check_above(body, changed, sum(place.start < end for place in body.places))
    return _joined(body, changed)


def add_to_section(body: Body, name: str, new: str, *, create: bool = False) -> bytes:
    """The file with a text at the end of what stands below a heading.

    It comes before nested headings, but for a text that begins with a heading itself.

    Raises:
        InvalidRecordError: as for `set_section`.
    """
    part, place = part_of(body.kind, name), _find(body, name)
    if place is None and part is not None and create:
        return set_part(body, part, new)
    if place is None:
        return _created(body, name, new, create=create)
    text = _escaped(body, _clean(new))
    is_nested = any(each.start == 0 for each in outline(text, body.kind))
    changed = _insert(body, place.end if is_nested else place.own, text)
    _check_outline(body, changed, place)
    return _joined(body, changed)


def _find(body: Body, name: str) -> Place | None:
    part = part_of(body.kind, name)
    if part is not None:
        for place in body.parts:
            if place.heading == part.heading:
                return place
    found = named(body.places, name)
    if len(found) > 1:
        lines = [str(1 + (body.head + body.text[: each.start]).count("\n")) for each in found]
        problem = f"{body.path} has {len(found)} such headings, in lines {', '.join(lines)}"
        remedy = "Put the heading above it in front: Parent > Heading."
        raise InvalidRecordError("section", problem, remedy=remedy)
    return found[0] if found else None


def _created(body: Body, name: str, new: str, *, create: bool) -> bytes:
    """The file with a new section at the end of its content.

    Raises:
        InvalidRecordError: none is wanted, or the name cannot be a heading.
    """
    if not create:
        raise _missing(body, name)
    marks = name.strip()[: len(name.strip()) - len(name.strip().lstrip("#"))]
    plain = name.strip()[len(marks) :].strip()
    if not plain or any(sign in plain for sign in "\r\n") or len(marks) > _LEVEL_MAX:
        raise InvalidRecordError("section", "must be one line of text", remedy="Shorten it.")
    row = f"{marks or '#' * _LEVEL} {plain}"
    return add_text(body, f"{row}\n\n{_without_heading(_clean(new), row)}")


def _missing(body: Body, name: str) -> InvalidRecordError:
    known = list(dict.fromkeys(place.name for place in body.places))
    more = f" and {len(known) - HEADINGS_SHOWN} more" if len(known) > HEADINGS_SHOWN else ""
    shown = ", ".join(known[:HEADINGS_SHOWN]) or "none"
    return InvalidRecordError(
        "section",
        f"{body.path} has no heading {name.strip()!r}; its headings: {shown}{more}",
        remedy="Use one of these, or pass create_section to add it.",
    )


def _clean(text: str) -> str:
    check_text("text", text)
    return tidy(text)


def _content(text: str) -> str:
    """A text for a whole body.

    Raises:
        InvalidRecordError: it has front matter of its own, or no file can hold it.
    """
    clean = _clean(text)
    if read(clean).values:
        raise _front_matter()
    return clean


def _without_heading(text: str, row: str) -> str:
    """The text without the heading of its own section at its top, which many writers repeat."""
    first, _, rest = text.partition("\n")
    return tidy(rest) if first.rstrip(_BLANKS) == row else text


def _escaped(body: Body, text: str) -> str:
    if not body.kind.sections:
        return text
    return escape(text, frozenset(section.heading for section in body.kind.sections))


def _part_place(body: Body, section: Section) -> int:
    """Where a new part goes: before the parts that come after it."""
    later = body.kind.sections[body.kind.sections.index(section) + 1 :]
    names = [each.heading for each in later]
    starts = [place.start for place in body.parts if place.heading in names]
    return min(starts, default=len(body.text))


def _put(body: Body, start: int, end: int, new: str) -> str:
    """The body with a tidy text in place of another; blank lines around that one stay."""
    old, line_end = body.text[start:end], body.newline
    if tidy(old) == new:
        return body.text
    before, below = body.text[:start], body.text[end:]
    before += line_end if before and not before.endswith("\n") else ""
    lead, tail = (line_end if before else ""), line_end * (2 if below else 1)
    if old.strip(_BLANKS):
        first = len(old) - len(old.lstrip(_BLANKS))
        lead = old[: old.rfind("\n", 0, first) + 1]
        tail = old[len(without_end(old)) :] or line_end
    return before + lead + new.replace("\n", line_end) + tail + below


def _insert(body: Body, place: int, new: str) -> str:
    """The body with a tidy text below what ends at this place."""
    if not new.strip():
        return body.text
    changed = insert(body.head + body.text, len(body.head) + place, new, body.newline)
    return changed[len(body.head) :]


def _check_outline(body: Body, changed: str, place: Place) -> None:
    """Let pass a change that leaves the headings before and behind a section as they were.

    Raises:
        InvalidRecordError: a fence in the text hides some, or its own headings are too high.
    """
    index = body.places.index(place) + 1
    nested = sum(place.start < each.start < place.end for each in body.places)
    behind = _from_end(body.places[index + nested :], body.text)
    found = outline(changed, body.kind)
    last = len(found) - len(behind)
    _check_above(body, changed, index)
    if last < index or _from_end(found[last:], changed) != behind:
        problem = "the text leaves a code fence open, which would hide headings below it"
        raise InvalidRecordError("section", problem, remedy=_OPEN_FENCE)
    if any(each.level <= place.level for each in found[index:last]):
        problem = f"the text has a heading that would end {place.name}"
        remedy = "Use deeper headings in it, or change the content as a whole."
        raise InvalidRecordError("section", problem, remedy=remedy)


def _check_above(body: Body, changed: str, count: int) -> None:
    found = outline(changed, body.kind)[:count]
    if [_mark(each) for each in found] != [_mark(each) for each in body.places[:count]]:
        problem = "a code fence above is left open, and the text would close it"
        raise InvalidRecordError("text", problem, remedy=_OPEN_FENCE)


def _mark(place: Place) -> tuple[int, int, str]:
    return place.start, place.level, place.heading


def _from_end(places: tuple[Place, ...], text: str) -> list[tuple[int, int, str]]:
    return [(len(text) - each.start, each.level, each.heading) for each in places]


def _joined(body: Body, changed: str) -> bytes:
    """The file with another body.

    Raises:
        InvalidRecordError: the body would be taken for front matter or for an open conflict.
    """
    if changed == body.text:
        return body.data
    text = body.head + changed
    front = read(text, body.path)
    if front.body != changed or (body.head in ("", BOM) and front.problems):
        raise _front_matter()
    if find_conflicts(text):
        problem = "has the lines of an open merge conflict"
        raise InvalidRecordError("content", problem, remedy="Put them into a code fence.")
    return text.encode("utf-8")


def _front_matter() -> InvalidRecordError:
    problem = "begins with ---, and would be taken for front matter"
    remedy = "Give the text below the front matter only; set changes its keys."
    return InvalidRecordError("content", problem, remedy=remedy)
