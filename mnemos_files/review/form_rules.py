"""Rules on how a file is written: its front matter, its encoding, its identity."""

from collections.abc import Iterator

from mnemos_files.format.front_matter import read
from mnemos_files.model.ulid import is_ulid
from mnemos_files.review.pairs import Pair, Side
from mnemos_files.review.scene import Hit, Scene, SideFinder


def fault(*names: str) -> SideFinder:
    """Finds problems of the format (docs/format.md, 10) by their names."""

    def found(_scene: Scene, side: Side) -> Iterator[Hit]:
        for problem in side.note.problems:
            if problem.rule in names:
                remedy = f" ({problem.remedy})" if problem.remedy else ""
                yield Hit(problem.line, f"{problem.message}{remedy}")

    return found


def front_matter_gone(_scene: Scene, pair: Pair) -> Iterator[Hit]:
    """A memory that is none any more: its front matter, or what made it ours in it, is gone."""
    if pair.before is None or pair.after is None or not pair.before.note.is_ours:
        return
    if not pair.after.note.is_ours and not pair.after.note.problems:
        front = read(pair.after.text, pair.path)
        what = "its front matter is gone" if not front.values else "its id and type are gone"
        yield Hit(
            1, f"{what}: it is an ordinary note now, and the id {pair.before.record.id} is lost"
        )


def identity_changed(_scene: Scene, pair: Pair) -> Iterator[Hit]:
    """Another id or another time of its making under the same memory."""
    if pair.before is None or pair.after is None or not pair.after.note.is_ours:
        return
    old, new = pair.before.record, pair.after.record
    if is_ulid(old.id) and old.id != new.id:
        yield Hit(pair.after.line("id"), f"its id was {old.id}")
    if old.created is not None and old.created != new.created:
        yield Hit(pair.after.line("created"), f"it was created at {old.created:%Y-%m-%dT%H:%M:%SZ}")


def duplicate_id(scene: Scene, side: Side) -> Iterator[Hit]:
    """An id that another file has too."""
    if not is_ulid(side.record.id):
        return
    path = str(side.note.path)
    others = [other for other in scene.change.after.by_id(side.record.id) if other != path]
    if others:
        yield Hit(side.line("id"), f"the id {side.record.id} is also that of {others[0]}")
