"""A memory that deserves a second thought, as a value and as a record."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from mnemos_files.errors import InvalidRecordError
from mnemos_files.model.record import Record

TYPE = "rumination"
STATUSES = ("pending", "resolved", "dismissed")
SEVERITIES = ("low", "medium", "high")
TARGET_KINDS = ("skill", "observation")
REVISED_TAG = "ruminated-from:"
"""Begins a tag that names the candidate which a memory answers."""

HOW_TO_JUDGE = (
    "Does the target still hold? Weigh the evidence, then set `status` to `resolved` (the target "
    "was replaced or mended) or `dismissed` (it is right as it is), and say below why."
)
"""The content of a new file, for the person who opens it."""

ID_DIGITS = 12
DIGEST_DIGITS = 12
AGENT = "dream"
AGENT_NAMELESS = "default"
"""Agent of a record whose writer gave no name."""

_EVIDENCE = re.compile(r"- ([^:\n]+): (.*?)(?: \(\[\[([^\[\]\n]+)\]\]\))?")
_LINK = re.compile(r"\s*\[\[([^\[\]\n|#]+)[^\[\]\n]*\]\]\s*")
_MARKS = str.maketrans({"[": "(", "]": ")", "`": "'"})
"""Signs that would make a link or code of a quoted text."""

Properties = tuple[tuple[str, str | tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that speaks against the target; `source` is a link to where it stands, or ""."""

    label: str
    content: str
    source: str = ""

    @property
    def line(self) -> str:
        """The item of the list in the file: one line, in which nothing but the source is a link."""
        content = " ".join(self.content.split()).translate(_MARKS)
        source = f" ([[{self.source}]])" if self.source else ""
        return f"- {self.label}: {content}{source}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A target that a monitor doubts, and what became of the doubt.

    `target` is the id of the memory, `link` the way to its file, `name` its title. `count` says how
    much evidence there is, `judged_evidence` how much there was when it was judged. `raised` is the
    time at which it was last raised again, None when it never was. `digest` is that of the facts
    as the monitor wrote them last: a file that says something else was edited by a person.

    Raises:
        InvalidRecordError: severity, status or kind of the target are none of ours.
    """

    monitor: str
    target: str
    target_kind: str
    severity: str
    reason: str
    evidence: tuple[Evidence, ...] = ()
    count: int = 1
    detected: datetime | None = None
    raised: datetime | None = None
    status: str = "pending"
    resolved_by: str = ""
    judged: datetime | None = None
    judged_evidence: int = 0
    judgement: str = ""
    name: str = ""
    link: str = ""
    project: str = ""
    digest: str = ""
    record_id: str = ""

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("severity", self.severity, SEVERITIES),
            ("status", self.status, STATUSES),
            ("target_kind", self.target_kind, TARGET_KINDS),
        ):
            if value not in choices:
                raise InvalidRecordError(name, f"must be one of {', '.join(choices)}")

    @property
    def id(self) -> str:
        """Its id: that of its file where there is one, else the one of monitor and target."""
        return self.record_id or candidate_id(self.monitor, self.target)

    @property
    def is_pending(self) -> bool:
        """True while nobody has judged it."""
        return self.status == "pending"

    @property
    def since(self) -> datetime | None:
        """When it was raised, the last time."""
        return self.raised or self.detected

    @property
    def facts(self) -> str:
        """Digest [hex digits] of what the monitor says."""
        lines = [self.severity, self.reason, str(self.count), self.link]
        text = "\n".join([*lines, *(each.line for each in self.evidence)])
        return sha256(text.encode("utf-8", "replace")).hexdigest()[:DIGEST_DIGITS]


def candidate_id(monitor: str, target: str) -> str:
    """The one id of a monitor's doubt about a target (its id)."""
    digest = sha256(f"{monitor}|{target}".encode("utf-8", "replace")).hexdigest()
    return f"{TYPE}-{digest[:ID_DIGITS]}"


def to_record(candidate: Candidate) -> Record:
    """The record of a candidate that has no file yet; `link` must be set."""
    record = Record(
        id=candidate.id,
        type=TYPE,
        title=f"{candidate.monitor}: {candidate.name or candidate.target}",
        content=HOW_TO_JUDGE,
        project=candidate.project,
        agent=AGENT,
        created=candidate.detected and candidate.detected.replace(microsecond=0),
        source_kind="dream",
        properties=(
            ("monitor", candidate.monitor),
            ("target", f"[[{candidate.link}]]"),
            ("target_id", candidate.target),
            ("target_kind", candidate.target_kind),
        ),
    )
    return with_facts(record, candidate)


def with_facts(record: Record, found: Candidate) -> Record:
    """The record with what the monitor says now; lines of others in the evidence stay."""
    ours = [each.line for each in found.evidence]
    labels = tuple(f"- {label}: " for label in dict.fromkeys(e.label for e in found.evidence))
    old = record.section("evidence").split("\n")
    others = [line for line in old if line.strip() and not line.startswith(labels or ("\0",))]
    after = _with_section(record, "evidence", "\n".join([*ours, *others]))
    status = from_record(record).status
    changes = {
        "severity": found.severity,
        "reason": found.reason,
        "evidence": str(found.count),
        "target": f"[[{found.link}]]",
        "status": status,
        "evidence_digest": found.facts,
    }
    return replace(after, properties=_with(after.properties, changes))


def with_judgement(  # noqa: PLR0913 - one judgement, all of it facts
    record: Record,
    status: str,
    text: str,
    *,
    now: datetime,
    resolved_by: str = "",
    judged_evidence: int,
) -> Record:
    """The record with this end and a line about it below what its judgement says already."""
    link = f"[[{resolved_by}]]" if resolved_by else ""
    said = f"{status} by {link}: {text}" if link else f"{status}: {text}"
    changes = {
        "status": status,
        "resolved_by": link,
        "judged": _written(now),
        "judged_evidence": str(judged_evidence),
    }
    after = with_line(record, said, now)
    return replace(after, properties=_with(after.properties, changes))


def raised_again(record: Record, found: Candidate, news: str, *, now: datetime) -> Record:
    """The record pending once more, with a line that tells what is new; its history stays."""
    after = with_facts(with_line(record, f"raised again: {news}", now), found)
    changes = {
        "status": "pending",
        "resolved_by": "",
        "judged": "",
        "judged_evidence": "",
        "raised": _written(now),
    }
    return replace(after, properties=_with(after.properties, changes))


def with_line(record: Record, text: str, now: datetime) -> Record:
    """The record with one more dated item in its judgement."""
    line = f"- {now.astimezone(UTC):%Y-%m-%d} {' '.join(text.split())}"
    old = record.section("judgement").rstrip("\n")
    last = old.rpartition("\n")[2]
    gap = "\n" if last.startswith("- ") else "\n\n"
    return _with_section(record, "judgement", f"{old}{gap}{line}" if old.strip() else line)


def from_record(record: Record) -> Candidate:
    """The candidate that a file describes, whatever a person made of it.

    A status, severity or kind that is none of ours counts as pending, low and observation.
    """
    properties = dict(record.properties)
    status, severity = _word(properties, "status"), _word(properties, "severity")
    kind = _word(properties, "target_kind")
    count = _number(properties, "evidence", 1)
    return Candidate(
        record_id=record.id,
        monitor=_text(properties, "monitor"),
        target=_text(properties, "target_id") or _target(_text(properties, "target")),
        target_kind=kind if kind in TARGET_KINDS else "observation",
        severity=severity if severity in SEVERITIES else "low",
        reason=_text(properties, "reason") or record.title,
        evidence=_evidence(record.section("evidence")),
        count=count,
        detected=record.created,
        raised=_time(_text(properties, "raised")),
        status=status if status in STATUSES else "pending",
        resolved_by=_target(_text(properties, "resolved_by")),
        judged=_time(_text(properties, "judged")),
        judged_evidence=_number(properties, "judged_evidence", count),
        judgement=record.section("judgement"),
        name=record.title.partition(": ")[2] or record.title,
        link=_target(_text(properties, "target")),
        project=record.project,
        digest=_text(properties, "evidence_digest"),
    )


def by_urgency(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The severest first, then the one raised last, then by id."""
    ordered = sorted(candidates, key=lambda each: each.id)
    first = datetime.min.replace(tzinfo=UTC)
    ordered.sort(key=lambda each: each.since or first, reverse=True)
    return sorted(ordered, key=lambda each: -SEVERITIES.index(each.severity))


def revised(tags: Iterable[str]) -> list[str]:
    """Ids of the candidates that a memory with these tags answers."""
    named = [tag[len(REVISED_TAG) :] for tag in tags if tag.startswith(REVISED_TAG)]
    return [each.strip() for each in named if each.strip()]


def _evidence(section: str) -> tuple[Evidence, ...]:
    found = (_EVIDENCE.fullmatch(line.rstrip()) for line in section.split("\n"))
    return tuple(Evidence(match[1], match[2], match[3] or "") for match in found if match)


def _with_section(record: Record, key: str, text: str) -> Record:
    known = {**dict(record.sections), key: text}
    keys = [section.key for section in record.kind.sections]
    return replace(record, sections=tuple((each, known[each]) for each in keys if known.get(each)))


def _with(properties: Properties, changes: Mapping[str, str]) -> Properties:
    """Properties with other values; an empty one is left out."""
    merged = {**dict(properties), **changes}
    return tuple((key, value) for key, value in merged.items() if value or key not in changes)


def _text(properties: Mapping[str, str | tuple[str, ...]], key: str) -> str:
    value = properties.get(key, "")
    return value.strip() if isinstance(value, str) else " ".join(value).strip()


def _word(properties: Mapping[str, str | tuple[str, ...]], key: str) -> str:
    return _text(properties, key).lower()


def _number(properties: Mapping[str, str | tuple[str, ...]], key: str, default: int) -> int:
    text = _text(properties, key)
    is_count = text.isascii() and text.isdigit() and len(text) <= 9  # noqa: PLR2004 - no more evidence than that
    return int(text) if is_count else default


def _target(text: str) -> str:
    match = _LINK.fullmatch(text)
    return match[1].strip() if match else text


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _time(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
