"""Skills in a vault, for packs of them."""

from mnemos_files.model.kind import KINDS
from mnemos_files.model.record import Record
from mnemos_files.store.store import Store


def save_skill(store: Store, name: str, **fields: object) -> Record:
    """A skill whose parts may be given by their keys."""
    keys = [section.key for section in KINDS["skill"].sections]
    parts = {"procedure": f"1. {name}."} | {key: fields.pop(key) for key in keys if key in fields}
    given = {"content": f"About {name}.", "agent": "codex"} | fields
    sections = tuple((key, parts[key]) for key in keys if key in parts)
    record = Record(id="", type="skill", title=name, sections=sections, **given)
    return store.skills.save(store.fresh(record)).record
