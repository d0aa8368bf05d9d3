"""One memory, as a value that is valid once built."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from mnemos_files.errors import InvalidRecordError
from mnemos_files.model.kind import KINDS, Kind

SOURCE_KINDS = ("user", "tool", "agent_inference", "dream", "import")
TRUST_TIERS = ("raw", "curated", "skill")
LINK_TYPES = ("related", "caused_by", "supersedes", "contradicts", "refines")
IMPORTANCE_DEFAULT = 5

Link = str
"""Target of a link as it stands between ``[[`` and ``]]``: a stem, a path, an id, or a title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One memory.

    Text fields are kept exactly as given. `sections` holds the parts that the kind names, in the
    kind's order, empty ones left out. Times are UTC. `flags` are rules of the safety scan that the
    text met when it was saved, `personal` the kinds of personal data in it. `properties` are front
    matter keys that are not ours, as text or lists of text, in the order of the file.

    Raises:
        InvalidRecordError: a field has an impossible value; the error names it.
    """

    id: str
    type: str
    title: str
    content: str
    sections: tuple[tuple[str, str], ...] = ()
    project: str = ""
    tags: tuple[str, ...] = ()
    importance: int = IMPORTANCE_DEFAULT
    agent: str = ""
    session: Link = ""
    created: datetime | None = None
    updated: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    invalidated: datetime | None = None
    invalidated_by: Link = ""
    invalidated_reason: str = ""
    expires: datetime | None = None
    source_kind: str = "user"
    trust_tier: str = "curated"
    derived_from: tuple[Link, ...] = ()
    related: tuple[Link, ...] = ()
    caused_by: tuple[Link, ...] = ()
    supersedes: tuple[Link, ...] = ()
    contradicts: tuple[Link, ...] = ()
    refines: tuple[Link, ...] = ()
    promoted_reason: str = ""
    flags: tuple[str, ...] = ()
    personal: tuple[str, ...] = ()
    properties: tuple[tuple[str, str | tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        if self.source_kind not in SOURCE_KINDS:
            raise InvalidRecordError("source_kind", f"must be one of {', '.join(SOURCE_KINDS)}")
        if self.trust_tier not in TRUST_TIERS:
            raise InvalidRecordError("trust_tier", f"must be one of {', '.join(TRUST_TIERS)}")
        if not 1 <= self.importance <= 10:  # noqa: PLR2004 - the scale is 1 to 10 in every document
            raise InvalidRecordError("importance", "must be 1..10")
        for name in TIME_FIELDS:
            moment = getattr(self, name)
            if moment is not None and moment.utcoffset() != _NO_OFFSET:
                raise InvalidRecordError(name, "must be a time in UTC")

    @property
    def kind(self) -> Kind:
        """Row of `KINDS`; a type that is none of ours is treated as `context`."""
        return KINDS.get(self.type, KINDS["context"])

    def section(self, key: str) -> str:
        """Text of one part, or "" when the record has none."""
        return dict(self.sections).get(key, "")

    def links(self, link_type: str) -> tuple[Link, ...]:
        """Targets of one type of link (`LINK_TYPES` or `derived_from`), in file order."""
        targets: tuple[Link, ...] = getattr(self, link_type)
        return targets

    def linked(self, link_type: str, target: Link) -> "Record":
        """This record with one more link of a type of `LINK_TYPES`."""
        links = {link_type: (*self.links(link_type), target)}
        return replace(self, **links)  # type: ignore[arg-type]  # the names are tuple fields

    def is_live(self, at: datetime) -> bool:
        """True when the record is neither invalidated nor outdated nor expired at this time."""
        ends = (self.invalidated, self.valid_until, self.expires)
        return all(end is None or end > at for end in ends)

    def held(self, moment: datetime, known: datetime) -> bool:
        """True when it held in the world at a moment, as far as was known at another.

        Without `valid_from` it holds from when it was made. What was invalidated and neither
        replaced nor said to have held until some time has held at no time.
        """
        begin = self.valid_from or self.created
        is_wrong = (
            self.invalidated is not None
            and self.invalidated <= known
            and self.is_retracted
            and self.valid_until is None
        )
        return self.is_live(moment) and not is_wrong and (begin is None or begin <= moment)

    @property
    def is_retracted(self) -> bool:
        """True when it was invalidated and nothing took its place."""
        return self.invalidated is not None and not self.invalidated_by

    def can_end(self, other: "Record") -> bool:
        """True when the other one ends where this one says that it supersedes it.

        What is quarantined ends only what is quarantined, what was retracted nothing.
        """
        is_trusted = self.trust_tier != "raw" or other.trust_tier == "raw"
        return is_trusted and not self.is_retracted


TIME_FIELDS = ("created", "updated", "valid_from", "valid_until", "invalidated", "expires")
_NO_OFFSET = datetime(2000, 1, 1, tzinfo=UTC).utcoffset()
