"""Files that are no notes, merged by lines: journals, settings, any other text. Pure."""

import re
import tomllib
from collections.abc import Iterator

from mnemos_files.format.merging.three_way import Origin, Region, three_way
from mnemos_files.format.merging.values import FILE, TEXT, Merged

_OURS, _MIDDLE, _THEIRS = "<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n"
_SETTING = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")


def merge_journal(base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """The lines of both, none twice; what both added is in the order of its time.

    Events begin with their time, so the order of bytes is that of time.
    """
    old, one, other = (_rows(each or b"") for each in (base, ours, theirs))
    gone = (set(old) - set(one)) | (set(old) - set(other))
    kept = [row for row in old if row not in gone]
    added = sorted({*one, *other} - set(old))
    return Merged(b"".join([*kept, *added]))


def _rows(data: bytes) -> list[bytes]:
    return [row + b"\n" for row in data.split(b"\n") if row]


def merge_lines(base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """As git merges text: what both changed, or what touches, stands between markers."""
    texts = _texts(base, ours, theirs)
    if texts is None:
        return Merged(ours, (FILE,), is_settled=False)
    old, one, other = (_split(text) for text in texts)
    merged, clashes = list[str](), 0
    for region in three_way(old, one, other, gap=True):
        mine, yours = one[region.first], other[region.second]
        if region.origin is Origin.CLASH:
            clashes += 1
            merged += [show_markers("".join(mine), "".join(yours))]
        else:
            merged += yours if region.origin is Origin.SECOND else mine
    data = "".join(merged).encode("utf-8")
    return Merged(data, (TEXT,), is_settled=False) if clashes else Merged(data)


def show_markers(ours: str, theirs: str) -> str:
    """Both texts between the markers of git."""
    return f"{_OURS}{_ended(ours)}{_MIDDLE}{_ended(theirs)}{_THEIRS}"


def _ended(text: str) -> str:
    return f"{text}\n" if text and not text.endswith("\n") else text


def _texts(*versions: bytes | None) -> list[str] | None:
    """The versions as texts, None when one of them is none."""
    try:
        texts = [(each or b"").decode("utf-8") for each in versions]
    except UnicodeDecodeError:
        return None
    return None if any("\0" in text for text in texts) else texts


def _split(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def merge_settings(base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """Settings merged key by key; of one that both set otherwise, the smaller text counts.

    The other stays as a comment in the line below.
    """
    texts = _texts(base, *sorted((ours, theirs)))
    if texts is None:
        return Merged(ours, (FILE,), is_settled=False)
    old, one, other = (_split(_ended(text)) for text in texts)
    merged, clashes = list[str](), list[str]()
    for region in three_way(old, one, other):
        merged += _settings(region, (one[region.first], other[region.second]), clashes)
    data = "".join(merged).encode("utf-8")
    if not _is_toml(data):
        return merge_lines(base, ours, theirs)
    return Merged(data, tuple(clashes))


def _settings(
    region: Region, sides: tuple[list[str], list[str]], clashes: list[str]
) -> Iterator[str]:
    one, other = sides
    if region.origin is not Origin.CLASH:
        yield from other if region.origin is Origin.SECOND else one
        return
    yield from one
    keys = {match[1] for row in one if (match := _SETTING.match(row))}
    for row in other:
        match = _SETTING.match(row)
        if match is not None and match[1] in keys and row not in one:
            clashes.append(match[1])
            yield f"# conflict, the other value: {row.strip()}\n"
        elif row not in one or not row.strip():
            yield row


def _is_toml(data: bytes) -> bool:
    try:
        tomllib.loads(data.decode("utf-8"))
    except tomllib.TOMLDecodeError:
        return False
    return True
