"""A dream that changed something leaves a memory that says what."""

from hashlib import sha256

from mnemos_files.dream.proposal import Deed, Outcome, Proposal, Scene
from mnemos_files.model.record import Record
from mnemos_files.model.ulid import make_ulid
from mnemos_files.store.edits import Add

IMPORTANCE = 3
TAGS = ("consolidation", "dream")
AGENT = "default"
LINES_MAX = 20
"""Deeds [1] of one pass that are told one by one."""


def record(scene: Scene) -> Proposal:
    """One observation of type dream about the passes before; none when they changed nothing."""
    changed = [one for one in scene.before if one.done]
    if not changed:
        return Proposal()
    text = "\n\n".join(map(_paragraph, changed))
    digest = sha256(text.encode("utf-8", "replace"))
    title = f"dream pass {scene.now:%Y-%m-%d %H:%M}"
    made = Record(
        id=make_ulid(scene.now, digest.digest()),
        type="dream",
        title=title,
        content=text,
        tags=TAGS,
        importance=IMPORTANCE,
        agent=AGENT,
        created=scene.now.replace(microsecond=0),
        source_kind="dream",
    )
    deed = Deed(f"record:{made.id}", title, (Add(made),))
    return Proposal(f"dream(dream): {title}", (deed,))


def _paragraph(outcome: Outcome) -> str:
    lines = [f"- {line}" for line in outcome.done[:LINES_MAX]]
    more = len(outcome.done) - LINES_MAX
    if more > 0:
        lines.append(f"- and {more} more")
    held = f", {len(outcome.held)} not yet" if outcome.held else ""
    return "\n".join([f"{outcome.step}: {len(outcome.done)} done{held}", "", *lines])
