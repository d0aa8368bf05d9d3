"""What is wrong with a file that was read. Pure."""

from collections.abc import Iterator

from mnemos_files.format.conflict import conflict_problems
from mnemos_files.format.contradiction import versions_problems
from mnemos_files.format.front_matter import FrontMatter
from mnemos_files.format.keys import LINK_KEYS, TEXT_KEYS, TIME_KEYS
from mnemos_files.format.salvage import RULE as INVALID_RULE
from mnemos_files.model.kind import KINDS
from mnemos_files.model.problem import Problem

_SHOWN_MAX = 60

_WANTED = {
    "id": "one text",
    "title": "one text",
    "type": f"one of {', '.join(KINDS)}",
    "importance": "a whole number from 1 to 10",
    "source_kind": "one of user, tool, agent_inference, dream, import",
    "trust_tier": "one of raw, curated, skill",
    **dict.fromkeys(TEXT_KEYS, "one text"),
    **dict.fromkeys(LINK_KEYS, "one link"),
    **dict.fromkeys(TIME_KEYS, "a time such as 2026-12-01T10:04:11Z or 2026-12-01"),
}


def faults(front: FrontMatter, text: str, name: str, bad: list[str]) -> tuple[Problem, ...]:
    """Problems of a file by line: values that cannot be read, conflicts, what the block has."""
    if not (bad or front.problems or _is_suspect(text)):
        return ()
    conflicts = conflict_problems(text, name)
    versions = versions_problems(text, front.block.lines, name)
    problems = [*conflicts, *versions, *_bad_values(front, name, bad)]
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        message = "the text has a NUL character"
        problems.append(Problem(name, line, "nul", message, "Take the character out."))
    is_explained = any(problem.line <= front.last_line for problem in conflicts)
    problems += [p for p in front.problems if not (is_explained and p.rule == INVALID_RULE)]
    return tuple(sorted(problems, key=lambda problem: problem.line))


def _is_suspect(text: str) -> bool:
    """False for nearly every file: nothing in it that could be a conflict or a NUL."""
    return "<<<<<<< " in text or "conflict" in text or "\0" in text


def _bad_values(front: FrontMatter, name: str, bad: list[str]) -> Iterator[Problem]:
    for key in bad:
        value = front.values[key]
        shown = value if isinstance(value, str) else ", ".join(value)
        message = f"{key} cannot be {_beginning(shown)!r}; the default counts"
        yield Problem(name, front.block.lines[key], "bad-value", message, f"Write {_WANTED[key]}.")


def _beginning(text: str) -> str:
    """The first words of a long value: half of a word could be half of a secret."""
    if len(text) <= _SHOWN_MAX:
        return text
    words, _, _ = text[: _SHOWN_MAX + 1].rpartition(" ")
    return f"{words}…"
