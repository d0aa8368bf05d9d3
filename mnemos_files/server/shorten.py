"""An answer that is too large for clients, with its side texts cut."""

TEXT_MAX = 200
ITEMS_MAX = 20
_PAGED = "content"  # has a way to get the rest; cutting it would make that lie


def shorten(value: object) -> object:
    """The JSON value with long texts, names and lists of texts cut, each with "…" where it was.

    What a person's file holds has no bound, and one such file must not spoil a whole search.
    """
    if isinstance(value, str):
        return _clip(value)
    if isinstance(value, list):
        return _few([shorten(item) for item in value])
    if isinstance(value, dict):
        return {_clip(key): part if key == _PAGED else shorten(part) for key, part in value.items()}
    return value


def _few(items: list[object]) -> list[object]:
    rest = len(items) - ITEMS_MAX
    is_cut = rest > 0 and all(isinstance(item, str) for item in items)
    return [*items[:ITEMS_MAX], f"… {rest} more"] if is_cut else items


def _clip(text: str) -> str:
    return text if len(text) <= TEXT_MAX else f"{text[:TEXT_MAX]}…"
