"""The lines between the fences of two versions brought together. Pure."""

from collections.abc import Mapping, Sequence

from mnemos_files.format.block import read_block
from mnemos_files.format.merging.rules import Values
from mnemos_files.format.merging.three_way import Origin, common, three_way
from mnemos_files.format.rewrite import Segment, place_of, segments


def merge_blocks(base: str | None, first: str, second: str) -> str:
    """Lines of both [LF line ends]; where both changed the same ones, those of the newer side.

    Comments of the other side stay.
    """
    one, other = (text.splitlines(keepends=True) for text in (first, second))
    old = common(one, other) if base is None else base.splitlines(keepends=True)
    rows: list[str] = []
    for region in three_way(old, one, other):
        taken = other[region.second] if region.origin is Origin.SECOND else one[region.first]
        rows += taken
        if region.origin is Origin.CLASH:
            known = {*taken, *old[region.base]}
            rows += [row for row in other[region.second] if row[0] == "#" and row not in known]
    return "".join(rows)


def with_rows_of(text: str, donors: Sequence[str], wanted: Values) -> str:
    """The block with the lines of another one for each key where only those say what is wanted."""
    block = read_block(text[:-1], "")
    if block is None or block.is_broken or block.doubled:
        return text
    missing = [key for key, value in wanted.items() if block.values.get(key) != value]
    if not missing:
        return text
    found = segments(text, block)
    for other in donors:
        donor = read_block(other[:-1], "")
        if donor is not None and not donor.is_broken:
            taken = [key for key in missing if donor.values.get(key) == wanted[key]]
            missing = [key for key in missing if key not in taken]
            _take(found, dict(segments(other, donor)), taken)
    return "".join(row for _, rows in found for row in rows)


def _take(found: list[Segment], rows: Mapping[str | None, list[str]], keys: Sequence[str]) -> None:
    places = {name: place for place, (name, _) in enumerate(found)}
    for key in sorted(keys, key=lambda key: key not in places):
        if key in places:
            found[places[key]] = (key, rows[key])
        else:
            found.insert(place_of(found, key), (key, rows[key]))
