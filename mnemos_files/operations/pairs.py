"""Front matter keys with their values as a caller writes them: `key: value`."""

from mnemos_files.errors import InvalidRecordError
from mnemos_files.format.flat import LINK, Value, read_item, read_value
from mnemos_files.format.keys import LINK_LIST_KEYS
from mnemos_files.format.spelling import read_flow

_REMEDY = 'Write it like "status: done" or "aliases: [a, b]".'


def read_pairs(texts: tuple[str, ...]) -> tuple[tuple[str, Value], ...]:
    """Keys and values; `[a, b]` is a list, all else one text, in quotes or not.

    Raises:
        InvalidRecordError: a text is not of this form, or has no value.
    """
    return tuple(_pair(text) for text in texts)


def _pair(text: str) -> tuple[str, Value]:
    name, colon, rest = text.partition(":")
    if not colon or not name.strip():
        raise InvalidRecordError("set", f"{text[:60]!r} is no key with a value", remedy=_REMEDY)
    key, value = name.strip(), rest.strip()
    if not value:
        raise InvalidRecordError("set", f"{key} has no value", remedy="To take it out use unset.")
    return key, _value(key, value)


def _value(key: str, text: str) -> Value:
    if key in LINK_LIST_KEYS and LINK.match(text):
        return tuple(LINK.findall(text))
    flow = read_flow(text) if text[0] == "[" and not LINK.match(text) else None
    if flow is not None and flow.end == len(text):
        items = [read_item(item) for item in flow.items]
        if None not in items:
            return tuple(str(item) for item in items)
    value = read_value(text)
    return text if value is None else value
