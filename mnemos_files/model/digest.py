"""When two records say the same, and git's name for bytes."""

import hashlib

from mnemos_files.model.record import Record


def content_digest(record: Record) -> str:
    """SHA-256 [64 hex digits] over type, title, content and parts, each trimmed and NUL-ended.

    Tags, importance, validity, tier, source and session are not part of it: saving the same
    thought with other tags is the same thought.
    """
    parts = [record.type, record.title, record.content]
    parts += [
        text
        for section in record.kind.sections
        for text in (section.key, record.section(section.key))
    ]
    joined = "".join(part.strip() + "\0" for part in parts)
    return hashlib.sha256(joined.encode("utf-8")).hexdigest()


def blob_id(data: bytes) -> str:
    """Git's SHA-1 name [40 hex digits] of a file with these bytes and no filter."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
