"""Files that one side moved while the other changed or moved them too."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mnemos_files.history.merging import ThreeWay
from mnemos_files.history.trees import Blob

Key = Callable[[str, Blob], str]
"""What tells that two files are one: a path in the repository, a blob."""


@dataclass(frozen=True, slots=True)
class Followed:
    """Three versions of one file, whose `path` is where it is to be; ours lies at `source`."""

    versions: ThreeWay
    source: str
    is_moved: bool = False


def followed(differing: Sequence[ThreeWay], key: Key) -> list[Followed]:
    """Every file once; those that were moved with all their versions together."""
    files = {one.path: Followed(one, one.path) for one in differing}
    gone = {key(one.path, one.base): one for one in differing if one.base and _is_moved(one)}
    if gone:
        ours = _added(differing, lambda one: one.ours, (gone, key))
        theirs = _added(differing, lambda one: one.theirs, (gone, key))
        for name, one in gone.items():
            _put_together(files, one, ours.get(name), theirs.get(name))
    return list(files.values())


def _is_moved(one: ThreeWay) -> bool:
    """True for a file that is gone on one side, while the other has not left it as it was."""
    is_gone = one.ours is None or one.theirs is None
    return is_gone and one.base not in (one.ours, one.theirs)


def _added(
    differing: Sequence[ThreeWay],
    side: Callable[[ThreeWay], Blob | None],
    wanted: tuple[dict[str, ThreeWay], Key],
) -> dict[str, ThreeWay]:
    """New files of one side that were at another path before, by their key."""
    gone, key = wanted
    found = {}
    for one in differing:
        blob = side(one)
        if one.base is None and blob is not None:
            name = key(one.path, blob)
            if name in gone:
                found[name] = one
    return found


def _put_together(
    files: dict[str, Followed], one: ThreeWay, ours: ThreeWay | None, theirs: ThreeWay | None
) -> None:
    """Replace the entries of one file by a single one.

    Where both sides moved it, it goes to the path that comes first: so all machines agree.
    """
    mine = ours or (one if one.ours is not None else None)
    other = theirs or (one if one.theirs is not None else None)
    if mine is None or other is None or mine is other is one:
        return
    is_taken = (mine is not one and mine.theirs) or (other is not one and other.ours)
    if mine.path != other.path and is_taken:
        return  # another file has come to that place
    places = [each.path for each in (ours, theirs) if each is not None]
    target = min(places)
    for each in (one, mine, other):
        files.pop(each.path, None)
    versions = replace(one, path=target, ours=mine.ours, theirs=other.theirs)
    files[target] = Followed(versions, mine.path, is_moved=True)
