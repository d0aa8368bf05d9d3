"""Links in texts and in values: wikilinks, and those of markdown to files of the vault. Pure."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from mnemos_files.format.fences import closed_fences, may_have_fences

_LINK = re.compile(r"(?<!\\)\[\[([^\[\]\n]+)\]\]")
_VALUE = re.compile(r"\s*!?\[\[([^\[\]\n]+)\]\]\s*")
_INLINE = re.compile(
    r"""
    (?<!\\)\]\([ ]*
    (?: <([^<>\n]+)> | ((?: [^\s()<>\\] | \\. | \([^\s()]*\) )+) )   # the destination
    (?: [ ]+ (?: "[^"\n]*" | '[^'\n]*' ) )? [ ]*\)              # and a title
    """,
    re.VERBOSE,
)
_OUTSIDE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_RELATIVE = ("./", "../")
SUFFIX = ".md"
HERE = "./"
"""Behind the folder of the note in which a relative link stands, before what the link says."""

_CUT = re.compile(r"\\?\||#")
_TICKS = re.compile(r"(?<!\\)`+")
_INDENTED = re.compile(r"(?: {4}| {0,3}\t)")
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)")


def link_target(text: str) -> str:
    """Target of `[[target#heading|shown text]]`, or the text itself when it is no wikilink."""
    match = _VALUE.fullmatch(text)
    return _target(match[1]) if match else text


def is_link(text: str) -> bool:
    """True when the whole text is one wikilink."""
    return _VALUE.fullmatch(text) is not None


def write_link(target: str) -> str:
    """The target in double brackets; bare when it holds signs that have a meaning there."""
    link = f"[[{target}]]"
    return link if link_target(link) == target else target


def find_links(text: str, folder: str | None = None) -> tuple[str, ...]:
    """Targets of the links outside of code, in order of appearance, each once.

    Given the folder of the note ("" = the top), links of markdown to `.md` files count, too, and
    links that are relative to it are written as `relative_link` does. Else only wikilinks do.
    """
    return links_in(without_code(text), folder) if "[[" in text or "](" in text else ()


def links_in(prose: str, folder: str | None = None) -> tuple[str, ...]:
    """Targets of the links in a text that has no code."""
    places = [(match.start(), _target(match[1])) for match in _LINK.finditer(prose)]
    if folder is not None:
        places = [(at, _from(folder, name)) for at, name in places]
        if "](" in prose:
            inline = ((one.start(), _path(one[1] or one[2])) for one in _INLINE.finditer(prose))
            places += [(at, relative_link(folder, path)) for at, path in inline if path]
            places.sort()
    return tuple(dict.fromkeys(target for _, target in places if target))


def relative_link(folder: str, path: str) -> str:
    """A link that is meant from this folder, "" when it leads out of the vault.

    One that begins with `/` is meant from the top.
    """
    if path.startswith("/"):
        return path.lstrip("/")
    link = f"{folder}/{HERE}{path}" if folder else f"{HERE}{path}"
    return link if joined(folder, path) else ""


def joined(folder: str, path: str) -> str:
    """The path from the top of the vault, "" when it leads out of it."""
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == ".." and not parts:
            return ""
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _from(folder: str, target: str) -> str:
    return relative_link(folder, target) if target.startswith(_RELATIVE) else target


def _path(destination: str) -> str:
    """The file that a link of markdown leads to, "" when it is no note of the vault."""
    if _OUTSIDE.match(destination):
        return ""
    path = unquote(destination.partition("#")[0].partition("?")[0].replace("\\", ""))
    return path if path.lower().endswith(SUFFIX) and "\0" not in path else ""


def without_code(text: str) -> str:
    """The text without its code: fenced, indented and inline."""
    return text if not _may_have_code(text) else "\n\n".join(_without_code(text))


def _target(inner: str) -> str:
    return _CUT.split(inner, maxsplit=1)[0].strip()


def _may_have_code(text: str) -> bool:
    return "`" in text or "~~~" in text or "    " in text or "\t" in text


def _without_code(text: str) -> Iterator[str]:
    """Paragraphs of the text without fenced, indented and inline code."""
    lines = text.split("\n")
    fences = closed_fences(lines) if may_have_fences(text) else {}
    for paragraph in _paragraphs(lines, fences):
        yield _without_spans(paragraph) if "`" in paragraph else paragraph


def _paragraphs(lines: list[str], fences: dict[int, int]) -> Iterator[str]:
    """Runs of lines that are neither blank nor code.

    Indented lines are code after a blank line, unless a list is open that they may belong to.
    """
    taken: list[str] = []
    in_list = False
    index = 0
    while index < len(lines):
        line = lines[index]
        is_fence = index in fences
        if is_fence or not line.strip() or (not taken and not in_list and _INDENTED.match(line)):
            yield "\n".join(taken)
            taken = []
        else:
            in_list = _LIST_ITEM.match(line) is not None or (in_list and line[0] in " \t")
            taken.append(line)
        index = fences[index] + 1 if is_fence else index + 1
    yield "\n".join(taken)


def _without_spans(paragraph: str) -> str:
    """The paragraph without inline code: a run of backticks up to the next run as long."""
    runs = list(_TICKS.finditer(paragraph))
    later: dict[int, list[int]] = {}
    for place in range(len(runs) - 1, -1, -1):
        later.setdefault(len(runs[place][0]), []).append(place)
    kept, start, place = [], 0, 0
    while place < len(runs):
        same = later[len(runs[place][0])]
        while same and same[-1] <= place:
            same.pop()
        if same:
            kept.append(paragraph[start : runs[place].start()])
            start = runs[same[-1]].end()
            place = same[-1]
        place += 1
    return " ".join([*kept, paragraph[start:]])
