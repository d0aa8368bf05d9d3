"""The text of a skill that is made from corrections, also of one that a person has edited. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mnemos_files.model.skill import DESCRIPTION_MAX

ENTRY_MAX = 400
"""Longest entry [characters] of a list."""

PARTS = ("pitfalls", "trigger_context", "avoid", "do")
"""Parts of a skill that corrections fill, in its order."""

_BULLET = "- "


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What one correction says; every part may be missing. `content` is its free text."""

    tried: str = ""
    wrong_because: str = ""
    fix: str = ""
    when: str = ""
    content: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a skill says: its description, and the entries of each of `PARTS` that has some."""

    description: str
    entries: Mapping[str, tuple[str, ...]]


def draft(about: str, project: str, lessons: Sequence[Lesson]) -> Draft:
    """A skill from what its corrections say, in their order; what is said twice stands once.

    A correction without parts gives its free text as a thing to do.
    """
    entries = {
        "pitfalls": _distinct(one.wrong_because for one in lessons),
        "trigger_context": tuple(sorted(_distinct(one.when for one in lessons))),
        "avoid": _distinct(
            f"{_line(one.tried)} — {_line(one.wrong_because)}"
            for one in lessons
            if one.tried.strip() and one.wrong_because.strip()
        ),
        "do": _distinct(one.fix if one.fix.strip() else _free(one) for one in lessons),
    }
    found = {part: items for part, items in entries.items() if items}
    return Draft(_description(about, project, len(lessons), entries["trigger_context"]), found)


def sections(made: Draft) -> tuple[tuple[str, str], ...]:
    """The parts as texts."""
    return tuple((part, "\n".join(_listed(made.entries[part]))) for part in made.entries)


def merged(
    present: tuple[str, Mapping[str, str]], before: Draft, after: Draft, order: Sequence[str]
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Description and parts of a skill that a person has edited, with what is new in `after`.

    `present` are its description and parts as they are, `before` is what was written last. Lines
    of the person stay, and lines that the person has removed stay away; of ours those go that
    `after` has not. `order` is that of the parts.
    """
    description, parts = present
    texts = dict(parts)
    for part in PARTS:
        text = _merged(
            texts.get(part, ""),
            _listed(before.entries.get(part, ())),
            _listed(after.entries.get(part, ())),
        )
        texts[part] = text
    is_ours = description == before.description
    kept = tuple((part, texts[part]) for part in order if texts.get(part, "").strip())
    return after.description if is_ours else description, kept


def _merged(present: str, before: Sequence[str], after: Sequence[str]) -> str:
    if list(before) == list(after):
        return present
    lines = [line for line in present.splitlines() if line not in before or line in after]
    lines += [line for line in after if line not in before and line not in lines]
    return "\n".join(lines)


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    lines = map(_line, texts)
    return tuple(dict.fromkeys(line for line in lines if line))


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= ENTRY_MAX else f"{line[: ENTRY_MAX - 1].rstrip()}…"


def _free(lesson: Lesson) -> str:
    """The free text of a correction that has no parts."""
    has_parts = any(part.strip() for part in (lesson.tried, lesson.wrong_because, lesson.when))
    return "" if has_parts else lesson.content


def _listed(entries: Sequence[str]) -> list[str]:
    return [_BULLET + entry for entry in entries]


def _description(about: str, project: str, count: int, when: Sequence[str]) -> str:
    """What the skill is and when to use it, as clients choose by."""
    where = f" in {project}" if project else ""
    text = f"Auto-promoted from {count} corrections{where}: {about}."
    for each in when:
        longer = f"{text} Use when: {each}" if each is when[0] else f"{text}; {each}"
        if len(longer) > DESCRIPTION_MAX - 1:
            break
        text = longer
    return " ".join(text.split())[:DESCRIPTION_MAX]
