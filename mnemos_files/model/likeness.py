"""How two texts relate: what each says of the other, and which value differs. Pure."""

from dataclasses import dataclass
from functools import lru_cache

from mnemos_files.model.claims import Claim, Number, claims, root
from mnemos_files.model.record import Record

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


@dataclass(frozen=True, slots=True)
class Text:
    """The claims of a record, all its words, and those of its title that tell what it is about."""

    title: str
    claims: tuple[Claim, ...]
    words: Words
    subject: Words


def likeness(older: Record, newer: Record) -> Likeness:
    """How two records relate, by title, text and parts."""
    one, other = _text(older), _text(newer)
    shared = len(one.words & other.words)
    return Likeness(
        older_in_newer=shared / max(len(one.words), 1),
        newer_in_older=shared / max(len(other.words), 1),
        shared=shared,
        difference=difference(one, other),
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


def difference(older: Text, newer: Text) -> Difference | None:
    """The first value that two texts give differently for the same thing."""
    for one in older.claims:
        for other in newer.claims:
            # Cheap, and true of few: apart from one name the smaller must be in the larger.
            least = min(len(one.words), len(other.words)) - 1
            if len(one.words & other.words) >= max(least, SHARED_MIN) and _differ(
                (older, one), (newer, other)
            ):
                kind, _ = _conflict(one, other, SHARED_MIN)
                return Difference(kind, one.text, other.text)
    return None


def _differ(older: tuple[Text, Claim], newer: tuple[Text, Claim]) -> bool:
    """True when a claim of one text is none of the other's, which gives another value there."""
    (text, one), (other_text, other) = older, newer
    is_title = text.title == one.text or other_text.title == other.text
    kind, values = _conflict(one, other, SHARED_MIN_TITLE if is_title else SHARED_MIN)
    return (
        bool(kind)
        and _is_alone(one, other_text)
        and _is_alone(other, text)
        and _same_subject(text, other_text, values)
    )


def _is_alone(one: Claim, other: Text) -> bool:
    """True for a claim that the other text, below its title, does not make as well."""
    return not any(_agree(one, each) for each in other.claims if each.text != other.title)


def _agree(one: Claim, other: Claim) -> bool:
    """True when the other sentence says all that the one says."""
    is_all = one.words <= other.words and one.values <= other.values
    return is_all and one.is_denied == other.is_denied and not _is_swap(one, other)


def _text(record: Record) -> Text:
    return _read(record.title, record.content, record.sections)


@lru_cache(maxsize=1_000)
def _read(title: str, content: str, sections: tuple[tuple[str, str], ...]) -> Text:
    found = claims("\n".join((title, content, *(text for _, text in sections))))
    words = frozenset[str]().union(*(one.content for one in found))
    subject = frozenset[str]().union(*(one.words for one in claims(title)))
    return Text(title, tuple(found), words, subject - _MEASURES)


def _same_subject(older: Text, newer: Text, values: Words) -> bool:
    """False when each title names something of which the other text does not speak."""
    lost, new = older.subject - newer.words - values, newer.subject - older.words - values
    return not (lost and new)


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
