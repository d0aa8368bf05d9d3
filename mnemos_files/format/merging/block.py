"""The lines between the fences of two versions brought together. Pure."""

from mnemos_files.format.block import Block, read_block
from mnemos_files.format.flat import Value
from mnemos_files.format.merging.rules import Values
from mnemos_files.format.merging.three_way import Origin, common, three_way
from mnemos_files.format.rewrite import place_of, segments


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


def with_rows_of(text: str, other: str, wanted: Values) -> str:
    """The block with the lines of another one for each key where only those say what is wanted."""
    block, donor = read_block(text[:-1], ""), read_block(other[:-1], "")
    if block is None or donor is None or block.is_broken or donor.is_broken or block.doubled:
        return text
    rows = dict(segments(other, donor))
    found = segments(text, block)
    for key, value in wanted.items():
        if _says(block, key) != value and _says(donor, key) == value:
            if key in block.values:
                at = next(place for place, (name, _) in enumerate(found) if name == key)
                found[at] = (key, rows[key])
            else:
                found.insert(place_of(found, key), (key, rows[key]))
    return "".join(row for _, taken in found for row in taken)


def _says(block: Block, key: str) -> Value | None:
    return block.values.get(key)
