"""Rules on who says so and how far it is trusted, on times, and on what others say."""

from collections.abc import Iterator

from mnemos_files.model.record import TRUST_TIERS
from mnemos_files.review.pairs import Pair, Side
from mnemos_files.review.scene import Hit, Scene

QUARANTINED = ("tool", "agent_inference", "import")
"""Sources whose word enters as `raw`."""

_NO_AGENTS = ("", "default", "user")


def no_source(_scene: Scene, pair: Pair) -> Iterator[Hit]:
    """A fact of an agent that names nothing that it rests on."""
    if pair.before is not None or pair.after is None or not pair.after.note.is_ours:
        return
    record = pair.after.record
    is_agent = pair.is_of_agent or record.agent not in _NO_AGENTS
    is_told = pair.after.has("source_kind") and record.source_kind != "agent_inference"
    named = record.derived_from or record.session or dict(record.properties).get("source")
    if is_agent and record.kind.is_saved and not is_told and not named:
        yield Hit(0, "an agent says so, without source, session or what it is derived from")


def trust_raised(_scene: Scene, pair: Pair) -> Iterator[Hit]:
    """An agent made a memory more trusted and gives no reason."""
    if pair.before is None or pair.after is None or not pair.is_of_agent:
        return
    old, new = pair.before.record, pair.after.record
    is_higher = TRUST_TIERS.index(new.trust_tier) > TRUST_TIERS.index(old.trust_tier)
    if is_higher and new.promoted_reason in ("", old.promoted_reason):
        message = f"an agent raised it from {old.trust_tier} to {new.trust_tier} without a reason"
        yield Hit(pair.after.line("trust_tier"), message)


def quarantine_bypass(_scene: Scene, pair: Pair) -> Iterator[Hit]:
    """What a tool or a guess brought in, made to count as curated from the start."""
    if pair.after is None:
        return
    new = pair.after.record
    if pair.before is None:
        is_out = new.source_kind in QUARANTINED and new.trust_tier != "raw"
        if pair.after.note.is_ours and is_out and not new.promoted_reason:
            message = f"source_kind {new.source_kind} enters as raw, this one as {new.trust_tier}"
            yield Hit(pair.after.line("trust_tier"), message)
        return
    old = pair.before.record
    if old.source_kind in QUARANTINED and new.source_kind not in QUARANTINED and pair.is_of_agent:
        message = f"an agent changed its source_kind from {old.source_kind} to {new.source_kind}"
        yield Hit(pair.after.line("source_kind"), message)


def own_note(_scene: Scene, pair: Pair) -> Iterator[Hit]:
    """An agent changed, moved or deleted a note of the person's own."""
    if pair.before is not None and not pair.before.note.is_ours and pair.is_of_agent:
        what = "deleted" if pair.after is None else "changed"
        yield Hit(0, f"an agent {what} a note of a person's own")


def convention_deleted(_scene: Scene, pair: Pair) -> Iterator[Hit]:
    """A convention is gone."""
    if pair.before is not None and pair.before.record.type == "convention" and pair.after is None:
        yield Hit(0, "a convention was deleted: agents will no longer be told of it")


def ended(scene: Scene, side: Side) -> Iterator[Hit]:
    """It ends in the past, and nothing says that it was found wrong."""
    for key in ("expires", "valid_until"):
        moment = getattr(side.record, key)
        if moment is not None and moment <= scene.now and side.record.invalidated is None:
            yield Hit(side.line(key), f"{key} is {moment:%Y-%m-%d}: nobody will be told of it")


def contradiction(scene: Scene, pair: Pair) -> Iterator[Hit]:
    """A memory that holds gives another value for the same thing."""
    for alike in scene.similar.get(pair.path, ()):
        if alike.conflict is not None:
            mine, theirs = alike.conflict.mine, alike.conflict.theirs
            yield Hit(0, f"says {mine!r}, but {alike.path} says {theirs!r}")


def near_duplicate(scene: Scene, pair: Pair) -> Iterator[Hit]:
    """A new memory that says nearly what another one says already."""
    if pair.before is None:
        for alike in scene.similar.get(pair.path, ()):
            if alike.conflict is None:
                yield Hit(0, f"says nearly the same as {alike.path}")
                return
