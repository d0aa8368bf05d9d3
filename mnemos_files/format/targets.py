"""What files are called, and what a link says of the file that it means. Pure."""

import unicodedata
from typing import NamedTuple

from mnemos_files.format.links import HERE, SUFFIX, joined, link_target
from mnemos_files.model.record import Record

ID_TAIL = 6
ALIAS_KEYS = ("aliases", "alias")
"""Properties of Obsidian that give a note further names; `alias` is the older one."""


class Target(NamedTuple):
    """The ways in which a link can be meant, in the order in which they are tried.

    `path` is a path as it stands, `stem` the folded name of a file; with folders in the link the
    folded path of the file must end in `end` ("" = none). `alias` is a folded further name, `tail`
    the end of an id ("" = the link does not end so), `name` the link as it stands: an id.
    """

    path: str
    stem: str
    end: str
    alias: str
    tail: str
    name: str


def read_target(link: str) -> Target:
    """What a link may mean; one in double brackets means what stands between them.

    A relative one (`links.relative_link`) means the file at that path, else one whose path ends as
    the link is written: that is how Obsidian writes short links of markdown.
    """
    name = link_target(link)
    folder, here, written = name.rpartition(f"/{HERE}") if f"/{HERE}" in name else ("", "", name)
    if here or name.startswith(HERE):
        written = written.removeprefix(HERE)
        path, name = joined(folder, written), written.lstrip("./")
    else:
        path = name
    path, written = _with_suffix(path), _with_suffix(name)
    stem = written.rpartition("/")[2][: -len(SUFFIX)]
    end = fold(f"/{written}") if "/" in written else ""
    tail = stem[-ID_TAIL:].lower() if "-" in stem else ""
    return Target(path, fold(stem), end, fold(name), tail, name)


def shown_link(link: str) -> str:
    """A link as it is written in the note."""
    return link.rpartition(f"/{HERE}")[2].removeprefix(HERE)


def _with_suffix(path: str) -> str:
    return path if path.lower().endswith(SUFFIX) else f"{path}{SUFFIX}"


def fold(name: str) -> str:
    """A name in one Unicode form and case: equal ones are the same to a link."""
    return unicodedata.normalize("NFC", name).casefold()


def file_stem(path: str) -> str:
    """Name of a file without its ending."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def aliases_of(record: Record) -> tuple[str, ...]:
    """Further names that a person gave a note; one text holds several between commas."""
    values = dict(record.properties)
    found: dict[str, None] = {}
    for key in ALIAS_KEYS:
        value = values.get(key, ())
        texts = value.split(",") if isinstance(value, str) else value
        found.update(dict.fromkeys(text.strip() for text in texts))
    found.pop("", None)
    return tuple(found)
