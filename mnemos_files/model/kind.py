"""The kinds of memory: which folder they lie in and which parts their text has."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the text under a level-two heading of its own."""

    key: str
    heading: str


@dataclass(frozen=True, slots=True)
class Kind:
    """One type of memory: its name, its top folder in the vault and its parts after the content."""

    name: str
    folder: str
    sections: tuple[Section, ...]


_WHY = Section("rationale", "Why")
_CORRECTION = (
    Section("tried", "Tried"),
    Section("wrong_because", "Wrong because"),
    Section("fix", "Fix"),
    Section("trigger_context", "When this applies"),
    _WHY,
)
_CONVENTION = (_WHY, Section("example", "Example"))

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            Kind("decision", "observations", (_WHY,)),
            Kind("bugfix", "observations", (_WHY,)),
            Kind("pattern", "observations", (_WHY,)),
            Kind("preference", "observations", (_WHY,)),
            Kind("context", "observations", (_WHY,)),
            Kind("architecture", "observations", (_WHY,)),
            Kind("episodic", "observations", (_WHY,)),
            Kind("semantic", "observations", (_WHY,)),
            Kind("procedural", "observations", (_WHY,)),
            Kind("dream", "observations", (_WHY,)),
            Kind("correction", "corrections", _CORRECTION),
            Kind("convention", "conventions", _CONVENTION),
        )
    }
)
"""Every type that `save` takes, by name."""

PLAIN = Kind("context", "", ())
"""A note of the person's own: no parts, its whole body is the content."""
