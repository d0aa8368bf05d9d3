"""Things that are imported when they are used: a command must not load what it does not need."""

from importlib import import_module
from typing import Any


def load(place: str) -> Any:  # noqa: ANN401 - the caller knows what it names
    """The object at ``module:name``, its module being imported now."""
    module, name = place.split(":")
    return getattr(import_module(module), name)
