"""The keys of a record's front matter, in the order in which new files have them."""

from mnemos_files.model.record import TIME_FIELDS

KEYS = (
    "id", "type", "title", "project", "tags", "importance", "agent", "session",
    "created", "updated", "valid_from", "valid_until",
    "invalidated", "invalidated_by", "invalidated_reason", "expires",
    "source_kind", "trust_tier",
    "derived_from", "related", "caused_by", "supersedes", "contradicts", "refines",
    "promoted_reason", "flags", "personal",
)  # fmt: skip
"""Every key that fills a field of `Record`; all others are the person's own properties."""

ORDER = {name: place for place, name in enumerate(KEYS)}
TEXT_KEYS = ("project", "agent", "invalidated_reason", "promoted_reason")
TIME_KEYS = TIME_FIELDS
TIME_PROPERTIES = ("ended",)
"""Properties of ours that hold a time and are written like one."""
LINK_KEYS = ("session", "invalidated_by")
LINK_LIST_KEYS = ("derived_from", "related", "caused_by", "supersedes", "contradicts", "refines")
TAG_KEYS = ("tags", "tag")
"""`tag` is an older spelling of Obsidian: it is read, and becomes `tags` when tags change."""
WORD_LIST_KEYS = ("flags", "personal")
LIST_KEYS = frozenset((*TAG_KEYS, *LINK_LIST_KEYS, *WORD_LIST_KEYS))
"""Keys whose single text means a list of one."""
