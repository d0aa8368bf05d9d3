"""Texts and lists that come with a call: their bounds, and what is left of them."""

from typing import Annotated

from mnemos_files.errors import InvalidRecordError
from mnemos_files.operations.arguments import Param

CONTENT_MAX = 4_000_000
TITLE_MAX = 500
TAG_MAX = 100
PART_MAX = 100_000
"""Longest reason or other part beside the content [characters]."""

QUERY_MAX = 20_000
TIME_MAX = 40
LIST_MAX = 100
"""Most tags or ids of a call; the answer repeats the ids and must stay in its size."""

Texts = tuple[str, ...]
Title = Annotated[str, Param("short scannable label", max_length=TITLE_MAX)]
Reason = Annotated[
    str, Param("why it matters; kept in the file and the commit", max_length=PART_MAX)
]
Tags = Annotated[Texts, Param("short labels", max_length=TAG_MAX, max_items=LIST_MAX)]


def required(name: str, text: str, limit: int = CONTENT_MAX) -> str:
    """The text itself.

    Raises:
        InvalidRecordError: it is blank, or longer than the limit [characters].
    """
    if not text.strip():
        raise InvalidRecordError(name, "is required", remedy=f"Give a {name} with some text.")
    if len(text) > limit:
        raise InvalidRecordError(name, f"is longer than {limit} characters", remedy="Shorten it.")
    return text


def clean_list(items: Texts) -> Texts:
    """Items without blanks around them and without `#` before them, each once, none empty."""
    clean = (item.strip().lstrip("#") for item in items)
    return tuple(dict.fromkeys(item for item in clean if item))
