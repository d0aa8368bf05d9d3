"""Rules on links: where they lead with the change, and what a deletion leaves behind."""

from collections.abc import Iterator

from mnemos_files.model.record import LINK_TYPES
from mnemos_files.review.pairs import Pair, Side
from mnemos_files.review.scene import Hit, Scene
from mnemos_files.review.shown import one_line

RELATIONS = (*LINK_TYPES, "derived_from", "invalidated_by", "session")
"""Properties that name other memories."""

_FOUND_MAX = 5


def broken_relation(scene: Scene, side: Side) -> Iterator[Hit]:
    """A property that names a memory which is not there."""
    for key, link in _relations(side):
        if key not in ("supersedes", "session") and not scene.change.resolve(link):
            yield Hit(side.line(key), f"{key}: nothing is called [[{one_line(link)}]]")


def broken_link(scene: Scene, side: Side) -> Iterator[Hit]:
    """A link in the text, or in a property of the person's own, to a note that is not there."""
    named = {link for _, link in _relations(side)}
    for link in side.note.outgoing:
        if link not in named and not scene.change.resolve(link):
            yield Hit(_line(side, link), f"nothing is called [[{one_line(link)}]]")


def ambiguous_link(scene: Scene, side: Side) -> Iterator[Hit]:
    """A link that fits several notes."""
    for link in side.note.outgoing:
        paths = scene.change.resolve(link)
        if len(paths) > 1:
            shown = ", ".join(paths[:_FOUND_MAX])
            yield Hit(_line(side, link), f"[[{one_line(link)}]] fits several notes: {shown}")


def supersedes_nothing(scene: Scene, side: Side) -> Iterator[Hit]:
    """It claims to replace a memory that is not there."""
    for link in side.record.supersedes:
        if not scene.change.resolve(link):
            message = f"it supersedes [[{one_line(link)}]], and nothing is called so"
            yield Hit(side.line("supersedes"), message)


def supersedes_elsewhere(scene: Scene, side: Side) -> Iterator[Hit]:
    """It claims to replace a memory of another project."""
    project = side.record.project
    for link in side.record.supersedes:
        for entry in scene.targets(link):
            if entry.record.project != project:
                theirs, mine = (name or "global" for name in (entry.record.project, project))
                message = f"it is of {mine}, and what it supersedes of {theirs}: {entry.path}"
                yield Hit(side.line("supersedes"), message)


def left_dangling(scene: Scene, pair: Pair) -> Iterator[Hit]:
    """Links of other memories that led to one which is gone, or has another name now."""
    if pair.before is None or (pair.after is not None and pair.path == pair.before_path):
        return
    names = _names(pair.before)
    links = [link for link in scene.linked_from if link.removesuffix(".md").casefold() in names]
    lost = [link for link in links if not scene.change.resolve(link)]
    paths = sorted({path for link in lost for path in scene.linked_from[link]} - {pair.path})
    if paths:
        more = f" and {len(paths) - _FOUND_MAX} more" if len(paths) > _FOUND_MAX else ""
        yield Hit(0, f"links lead nowhere now in {', '.join(paths[:_FOUND_MAX])}{more}")


def _names(side: Side) -> frozenset[str]:
    """What links call a note: each end of its path, and its id."""
    parts = side.note.path.with_suffix("").parts
    paths = ("/".join(parts[start:]) for start in range(len(parts)))
    return frozenset(name.casefold() for name in (*paths, side.record.id))


def _relations(side: Side) -> Iterator[tuple[str, str]]:
    for key in RELATIONS:
        value = getattr(side.record, key)
        links = (value,) if isinstance(value, str) else value
        yield from ((key, link) for link in links if link)


def _line(side: Side, link: str) -> int:
    """Line of the first place where a link stands [from 1], 0 when it is written otherwise."""
    at = side.text.find(f"[[{link}")
    return side.text.count("\n", 0, at) + 1 if at >= 0 else 0
