"""The kinds of memory: which folder they lie in and which parts their text has."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_TITLED = frozenset({"title"})
_JUDGED = frozenset({"title", "importance", "source_kind", "trust_tier"})


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the text under a level-two heading of its own."""

    key: str
    heading: str


@dataclass(frozen=True, slots=True)
class Kind:
    """One type of memory: its name, its top folder in the vault and its parts after the content.

    `is_saved` is false for those that have tools of their own: `save` does not take them and a
    search finds them only when it asks for the type. `always` are the keys that are written even
    with their default.
    """

    name: str
    folder: str
    sections: tuple[Section, ...]
    is_saved: bool = True
    always: frozenset[str] = _JUDGED


_WHY = Section("rationale", "Why")
_CORRECTION = (
    Section("tried", "Tried"),
    Section("wrong_because", "Wrong because"),
    Section("fix", "Fix"),
    Section("trigger_context", "When this applies"),
    _WHY,
)
_CONVENTION = (_WHY, Section("example", "Example"))
_SESSION = (
    Section("saved", "Saved"),
    Section("touched", "Touched"),
    Section("summary", "Summary"),
    Section("reflection", "Reflection"),
)
_RUMINATION = (Section("evidence", "Evidence"), Section("judgement", "Judgement"))
_SKILL = (
    Section("procedure", "Procedure"),
    Section("pitfalls", "Pitfalls"),
    Section("trigger_context", "When this applies"),
    Section("avoid", "Avoid"),
    Section("do", "Do"),
)

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
            Kind("session", "sessions", _SESSION, is_saved=False, always=_TITLED),
            Kind("skill", "skills", _SKILL, is_saved=False),
            Kind("rumination", "ruminations", _RUMINATION, is_saved=False, always=_TITLED),
        )
    }
)
"""Every type by name."""

SAVED_TYPES = tuple(kind.name for kind in KINDS.values() if kind.is_saved)
"""The types that `save` takes."""

PLAIN = Kind("context", "", ())
"""A note of the person's own: no parts, its whole body is the content."""
