"""What a memory of each kind must say to be one."""

from collections.abc import Mapping

from mnemos_files.model.record import Record
from mnemos_files.model.skill import DESCRIPTION_MAX

_ONE_OF: Mapping[str, tuple[str, ...]] = {
    "correction": ("tried", "wrong_because", "fix"),
    "skill": ("procedure", "do"),
}
"""Parts of a kind, one of which must have text."""

_CONTENT: Mapping[str, str] = {
    "convention": "a convention needs its rule as content",
    "skill": "a skill needs a description as content",
}


def lack(record: Record) -> str:
    """What the record must say and does not, as one sentence; "" when it is whole."""
    needed = _ONE_OF.get(record.type, ())
    if needed and not any(record.section(key).strip() for key in needed):
        headings = {section.key: section.heading for section in record.kind.sections}
        named = " or ".join(f"## {headings[key]}" for key in needed)
        return f"a {record.type} needs a text below {named}"
    if not record.content.strip() and (record.type in _CONTENT or not _says_something(record)):
        return _CONTENT.get(record.type, f"a {record.type} needs a text")
    if record.type == "skill" and len(record.content) > DESCRIPTION_MAX:
        return f"the description of a skill has at most {DESCRIPTION_MAX} characters"
    return ""


def _says_something(record: Record) -> bool:
    return any(text.strip() for _, text in record.sections)
