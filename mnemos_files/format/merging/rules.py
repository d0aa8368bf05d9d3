"""How a key is merged that both sides changed to different values: one row for each. Pure.

A rule sees the newer side first. It gives the value, None for no such key, or a `Clash`: both
values stay then, as a person has to say which is right. Every other rule gives the same whichever
side is ours, so that two machines which merge the same changes get the same file.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from mnemos_files.format.fields import clean_tag, read_time
from mnemos_files.format.flat import Value
from mnemos_files.format.front_matter import as_list
from mnemos_files.format.keys import LINK_LIST_KEYS, TAG_KEYS, TIME_PROPERTIES, WORD_LIST_KEYS
from mnemos_files.format.links import link_target
from mnemos_files.format.skill_fields import FOREIGN
from mnemos_files.model.skill import TEXT_KEY, VERSION_KEY

Values = Mapping[str, Value]
Normal = Callable[[str], str]


class Clash(NamedTuple):
    """Two values that contradict each other; `other` is "" where that side took the key out."""

    kept: Value
    other: Value


Merged = Value | Clash | None


@dataclass(frozen=True, slots=True)
class Sides:
    """What all keys say in the base, on the newer side, and on the other."""

    base: Values
    first: Values
    second: Values

    def of(self, key: str) -> tuple[Value | None, Value | None, Value | None]:
        """The three values of one key."""
        return self.base.get(key), self.first.get(key), self.second.get(key)


Rule = Callable[[str, Sides], Merged]


@dataclass(frozen=True, slots=True)
class FieldRule:
    """The rule of some keys; with a `kind`, of records of this type only."""

    keys: tuple[str, ...]
    rule: Rule
    kind: str = ""


def merge_key(key: str, sides: Sides, kind: str) -> Merged:
    """The value of one key after the merge; a change of one side counts whatever the rule."""
    base, first, second = sides.of(key)
    if second in (first, base):
        return first
    if first == base:
        return second
    name = key.lstrip(FOREIGN)
    rule = _BY_KIND.get((kind, name)) or _BY_KIND.get(("", name)) or _unknown
    return rule(key, sides)


def _unknown(key: str, sides: Sides) -> Merged:
    """A key of the person's own: a set where it is a list, else one text."""
    present = [value for value in sides.of(key) if value is not None]
    return (
        as_set()(key, sides)
        if all(isinstance(each, tuple) for each in present)
        else one_text(key, sides)
    )


def one_text(key: str, sides: Sides) -> Merged:
    """The values contradict each other; a key that was taken out comes back with the change."""
    _, first, second = sides.of(key)
    if first is None:
        return None if second is None else Clash(second, "")
    return Clash(first, "" if second is None else second)


def newest(key: str, sides: Sides) -> Merged:
    """What the newer side says."""
    _, first, second = sides.of(key)
    return second if first is None else first


def as_set(normal: Normal = str) -> Rule:
    """Every item that nobody took out, then those that were added."""

    def rule(key: str, sides: Sides) -> Merged:
        base, first, second = (_items(key, value) for value in sides.of(key))
        old, one, other = ({normal(item) for item in each} for each in (base, first, second))
        gone = (old - one) | (old - other)
        kept = [item for item in base if normal(item) not in gone]
        added = sorted(item for item in (*first, *second) if normal(item) not in old)
        merged = {normal(item): item for item in reversed([*kept, *added])}
        is_wanted = None not in sides.of(key)[1:]
        return tuple(reversed(merged.values())) if merged or is_wanted else None

    return rule


def _items(key: str, value: Value | None) -> tuple[str, ...]:
    return () if value is None else as_list(key, value)


def by_time(choose: Callable[[Iterable[datetime]], datetime]) -> Rule:
    """The earliest or latest time; one that is set stays, though the other side took it out."""

    def rule(key: str, sides: Sides) -> Merged:
        times = {read_time(value): value for value in sides.of(key)[1:] if value is not None}
        return one_text(key, sides) if None in times else times[choose(filter(None, times))]

    return rule


def by_number(choose: Callable[[Iterable[int]], int]) -> Rule:
    """The highest or lowest whole number."""

    def rule(key: str, sides: Sides) -> Merged:
        numbers = [_number(value) for value in sides.of(key)[1:] if value is not None]
        known = [number for number in numbers if number is not None]
        return str(choose(known)) if len(known) == len(numbers) else one_text(key, sides)

    return rule


def total(key: str, sides: Sides) -> Merged:
    """A count: what both sides added to it; without a base the higher one."""
    base, first, second = (None if each is None else _number(each) for each in sides.of(key))
    if first is None or second is None:
        return newest(key, sides)
    return str(max(first, second) if base is None else max(first, second, first + second - base))


def _number(value: Value) -> int | None:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else None


def by_rank(order: Sequence[str], default: str) -> Rule:
    """The value that comes first in the order; a word that is not in it comes last."""
    rank = {word: place for place, word in enumerate(order)}

    def rule(key: str, sides: Sides) -> Merged:
        words = [default if value is None else _line(value) for value in sides.of(key)[1:]]
        return min(words, key=lambda word: (rank.get(word.lower(), len(rank)), word))

    return rule


def both_texts(key: str, sides: Sides) -> Merged:
    """Both reasons, in one text."""
    base, first, second = ("" if each is None else _line(each) for each in sides.of(key))
    changed = [text for text in (second, first) if text != base]
    return _AND.join(dict.fromkeys(part for text in changed for part in text.split(_AND) if part))


def _line(value: Value) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def following(leader: str, leader_rule: Rule) -> Rule:
    """What the side says whose value of another key counts."""

    def rule(key: str, sides: Sides) -> Merged:
        base, first, second = sides.of(leader)
        if second in (first, base):
            return newest(key, sides)
        chosen = second if first == base else leader_rule(leader, sides)
        return sides.second.get(key) if chosen == second else newest(key, sides)

    return rule


_AND = "; "
earliest, latest = by_time(min), by_time(max)
_TIERS = ("raw", "curated", "skill")
_SOURCES = ("import", "tool", "agent_inference", "dream", "user")

FIELD_RULES = (
    FieldRule(TAG_KEYS, as_set(clean_tag)),
    FieldRule(LINK_LIST_KEYS, as_set(link_target)),
    FieldRule(WORD_LIST_KEYS, as_set()),
    FieldRule(("aliases", "cssclasses", "outcome_tags"), as_set()),
    FieldRule(("created", "invalidated"), earliest),
    FieldRule(("updated", *TIME_PROPERTIES), latest),
    # What holds for both sides: the shorter time.
    FieldRule(("valid_from",), latest),
    FieldRule(("valid_until", "expires"), earliest),
    FieldRule(("invalidated_by",), following("invalidated", earliest)),
    FieldRule(("invalidated_reason", "promoted_reason"), both_texts),
    FieldRule(("importance",), by_number(max)),
    # Nothing is trusted more than both sides trust it.
    FieldRule(("trust_tier",), by_rank(_TIERS, "curated")),
    FieldRule(("source_kind",), by_rank(_SOURCES, "user")),
    FieldRule(("agent", "session"), newest),
    FieldRule((VERSION_KEY,), total),
    FieldRule((TEXT_KEY,), newest),
    FieldRule(("status",), following("ended", latest), "session"),
    FieldRule(("status",), by_rank(("resolved", "dismissed", "pending"), "pending"), "rumination"),
    FieldRule(("severity",), by_rank(("high", "medium", "low"), "low"), "rumination"),
    FieldRule(("evidence", "judged_evidence"), by_number(max), "rumination"),
    FieldRule(("judged", "raised"), latest, "rumination"),
    FieldRule(("resolved_by",), following("judged", latest), "rumination"),
    FieldRule(("reason", "evidence_digest", "target"), newest, "rumination"),
)
"""Keys that are not here are the person's own: lists are sets, texts contradict each other."""

_BY_KIND = {(row.kind, key): row.rule for row in FIELD_RULES for key in row.keys}
