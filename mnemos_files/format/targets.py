"""What files are called, and what a link says of the file that it means. Pure."""

import unicodedata
from typing import NamedTuple

from mnemos_files.format.links import link_target
from mnemos_files.model.record import Record

SUFFIX = ".md"
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
    """What a link may mean; one in double brackets means what stands between them."""
    name = link_target(link)
    path = name if name.lower().endswith(SUFFIX) else f"{name}{SUFFIX}"
    stem = path.rpartition("/")[2][: -len(SUFFIX)]
    end = fold(f"/{path}") if "/" in path else ""
    tail = stem[-ID_TAIL:].lower() if "-" in stem else ""
    return Target(path, fold(stem), end, fold(name), tail, name)


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
