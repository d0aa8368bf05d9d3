"""How two texts relate: what each says of the other, and which value differs. Pure."""

from dataclasses import dataclass

from mnemos_files.model.record import Record
from mnemos_files.rumination.claims import Claim, Number, claims, root

SHARED_MIN, SHARED_MIN_TITLE = 2, 3
"""Words [1] that two sentences share at least when they speak of the same; titles are short, and
often name a thing without saying what holds of it."""

_MEASURES = frozenset().union(
    *(
        one.words
        for one in claims(
            "limit max maximum min minimum lifetime long length gate threshold kept keep retention "
            "release version tool size count number rate timeout default choice library policy "
            "setting value rule location place kind type"
        )
    )
)
"""Words of a title that tell which value it is about, not of what."""

WORDS_MIN = 3
"""Words [1] that two texts share at least to be linked: shorter ones are alike by chance."""

LIKE_MIN = 0.75
"""Share [1] of the words of each of two related texts that the other has, at least."""

MORE_MIN = 2
"""Words [1] that a text which refines another one says beside all of the other's: one may be the
title's."""

Words = frozenset[str]
Titled = tuple[str, list[Claim]]


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that two texts give differently: its kind, and both sentences."""

    kind: str
    older: str
    newer: str


@dataclass(frozen=True, slots=True)
class Likeness:
    """Shares [1] of the older text's words that the newer has, and the other way round.

    `shared` is the number of words that both have.
    """

    older_in_newer: float
    newer_in_older: float
    shared: int
    difference: Difference | None = None


def likeness(older: Record, newer: Record) -> Likeness:
    """How two records relate, by title, text and parts."""
    one, other = _text(older), _text(newer)
    known, new = _words(one), _words(other)
    shared = len(known & new)
    return Likeness(
        older_in_newer=shared / max(len(known), 1),
        newer_in_older=shared / max(len(new), 1),
        shared=shared,
        difference=difference((older.title, one), (newer.title, other)),
    )


def relation(found: Likeness) -> str:
    """The link that says how the newer text stands to the older: `refines`, `related` or ""."""
    if found.difference is not None:
        return "related"
    if found.shared < WORDS_MIN:
        return ""
    if found.older_in_newer == 1 and found.shared / found.newer_in_older - found.shared >= MORE_MIN:
        return "refines"
    lower, higher = sorted((found.older_in_newer, found.newer_in_older))
    return "related" if lower >= LIKE_MIN or higher == 1 else ""


def difference(older: Titled, newer: Titled) -> Difference | None:
    """The first value that two titled texts give differently for the same thing."""
    for one in _alone(older, newer):
        for other in _alone(newer, older):
            needed = (
                SHARED_MIN_TITLE if older[0] == one.text or newer[0] == other.text else SHARED_MIN
            )
            kind, values = _conflict(one, other, needed)
            if kind and _same_subject(older, newer, values):
                return Difference(kind, one.text, other.text)
    return None


def _alone(some: Titled, others: Titled) -> list[Claim]:
    """The claims of a text that the other, below its title, does not make as well."""
    below = [other for other in others[1] if other.text != others[0]]
    return [one for one in some[1] if not any(_agree(one, other) for other in below)]


def _agree(one: Claim, other: Claim) -> bool:
    """True when the other sentence says all that the one says."""
    is_all = one.words <= other.words and one.values <= other.values
    return is_all and one.is_denied == other.is_denied and not _is_swap(one, other)


def _text(record: Record) -> list[Claim]:
    parts = (record.title, record.content, *(text for _, text in record.sections))
    return claims("\n".join(parts))


def _words(found: list[Claim]) -> Words:
    return frozenset().union(*(one.content for one in found))


def _same_subject(older: Titled, newer: Titled, values: Words) -> bool:
    """False when each title names something of which the other text does not speak."""
    lost = _title_words(older[0]) - _words(newer[1]) - values
    new = _title_words(newer[0]) - _words(older[1]) - values
    return not (lost and new)


def _title_words(title: str) -> Words:
    return frozenset().union(*(one.words for one in claims(title))) - _MEASURES


def _conflict(one: Claim, other: Claim, needed: int) -> tuple[str, Words]:
    """The kind of value in which two sentences about the same differ, and the values' words."""
    names = _other_choice(one, other)
    numbers = _numbers(one, other)
    if numbers is None or not _speak_of_one(one, other, names, needed):
        return "", names
    if numbers:
        return "number", names
    if one.is_denied != other.is_denied and _same_axis(one, other):
        return "negation", names
    return ("name" if names else ""), names


def _speak_of_one(one: Claim, other: Claim, names: Words, needed: int) -> bool:
    """True when only one of two sentences says more than the other, and not on a condition."""
    lost, new = one.words - other.words - names, other.words - one.words - names
    shared = len(one.words & other.words)
    is_one = not (lost and new) and one.is_conditional == other.is_conditional
    return is_one and shared >= needed and len(lost | new) <= shared


def _numbers(one: Claim, other: Claim) -> bool | None:
    """True when a number of the same thing differs; None when they speak of different events."""
    lost = [n for n in one.numbers if (n.kind, n.value) not in other.values]
    come = [n for n in other.numbers if (n.kind, n.value) not in one.values]
    if any(n.is_name for n in (*lost, *come)):
        return None
    return any(_same_measure(a, b) for a in lost for b in come)


def _same_measure(one: Number, other: Number) -> bool:
    if one.kind or other.kind:
        return one.kind == other.kind
    pairs = zip(one.around, other.around, strict=True)
    return any(a and a == b for a, b in pairs)


def _same_axis(one: Claim, other: Claim) -> bool:
    """True when a plain negation makes the difference, or both answer with yes or no."""
    return not (one.signs or other.signs) or bool(one.signs and other.signs) or _plain(one, other)


def _plain(one: Claim, other: Claim) -> bool:
    return one.negations % 2 != other.negations % 2


def _other_choice(one: Claim, other: Claim) -> Words:
    """Roots of the names that two sentences choose in the same place, when they differ."""
    for slot, name in one.choices:
        for other_slot, other_name in other.choices:
            is_other = slot == other_slot and root(name) != root(other_name)
            if is_other and (_is_swap(one, other) or _are_apart(name, other_name, one, other)):
                return frozenset({root(name), root(other_name)})
    return frozenset()


def _are_apart(name: str, other_name: str, one: Claim, other: Claim) -> bool:
    return root(name) not in other.words and root(other_name) not in one.words


def _is_swap(one: Claim, other: Claim) -> bool:
    mine, yours = dict(one.choices), dict(other.choices)
    first = mine.get("use")
    return (
        first is not None
        and first == yours.get("over") != mine.get("over")
        and mine.get("over") == yours.get("use")
    )
