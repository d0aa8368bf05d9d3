"""Sentences as claims: what they speak of, and the values that they give it. Pure."""

import re
import unicodedata
from dataclasses import dataclass

TEXT_MAX = 4_000
"""So much of a text [characters] is compared: what a memory claims stands early in it."""

CLAIMS_MAX = 16
"""Sentences [1] of a text that are compared, so that two long texts cost milliseconds."""

_STOP_TEXT = (
    "a about after again all also am an and any are as at be because been before being below "
    "between both but by can could did do does doing done down during each ever few for from "
    "further get got had has have having he her here him his how i in into is it its itself just "
    "let longer made make may might more most much must need now of off on once one onto or our "
    "out own per please same set she should so some still such than that the their them then "
    "there these they this those through to too under until up upon used very via was we were "
    "what which while who whose why will with within would you your instead over"
)
STOP_WORDS = frozenset(_STOP_TEXT.split())
"""Words that tell nothing of what a sentence speaks of."""

NEGATIONS = frozenset(
    ["not", "never", "no", "cannot", "nor", "neither", "without", "none", "nobody", "nothing"]
)
"""Words that turn a sentence round; two of them turn it back."""

AXES = (
    ("enabled enable enables active activated true", "disabled disable disables inactive false"),
    ("on", "off"),
    ("allowed permitted allow", "forbidden prohibited disallowed banned forbid"),
    ("required mandatory", "optional"),
    ("public", "private"),
    ("synchronous sync", "asynchronous async"),
)
"""Words for yes and for no, a row for each question that they answer."""

_SIGN = {word: sign for sides in AXES for sign, side in enumerate(sides) for word in side.split()}
CHOICES = {"use": "use", "uses": "use", "using": "use", "prefer": "use", "prefers": "use"} | {
    "with": "with",
    "over": "over",
}
"""Words after which the name of a choice stands, and the slot that the name fills."""

_CONDITIONS = frozenset(["unless", "except", "when", "if", "only", "while", "until", "otherwise"])
_ARTICLES = frozenset(["a", "an", "the", "our"])
_COUNTED = frozenset(
    [
        "release",
        "issue",
        "bug",
        "run",
        "ticket",
        "pr",
        "build",
        "incident",
        "step",
        "phase",
        "sprint",
    ]
)
"""A number after one of these names a thing; it is no value of it."""

_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
    if word != "one"  # more often a pronoun
}
_UNITS = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), ("time", 0.001)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("time", 1.0)),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), ("time", 60.0)),
    **dict.fromkeys(("h", "hour", "hours"), ("time", 3_600.0)),
    **dict.fromkeys(("d", "day", "days"), ("time", 86_400.0)),
    **dict.fromkeys(("week", "weeks"), ("time", 604_800.0)),
    **dict.fromkeys(("kb", "kib"), ("size", 1e3)),
    **dict.fromkeys(("mb", "mib"), ("size", 1e6)),
    **dict.fromkeys(("gb", "gib"), ("size", 1e9)),
    **dict.fromkeys(("%", "percent"), ("share", 1.0)),
}
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CODE = re.compile(r"```.*?```", re.DOTALL)
_TOKEN = re.compile(
    r"\d{4}-\d{2}-\d{2}|#\d+|v?\d+(?:[.,]\d+)*(?:%|[a-z]{0,2}(?![^\W_]))|[^\W_]+(?:[-_./'\u2019][^\W_]+)*|%"
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|#\d+")
_NUMBER = re.compile(r"v?(\d+(?:[.,]\d+)*)(%|[a-z]{1,2})?")
_HEX = re.compile(r"(?=.*\d)[0-9a-f]{7,40}")
_NOT = re.compile(r"(\w+)n['\u2019]t")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_SUFFIXES = ("ing", "ies", "ied", "ed", "es", "s", "y", "e")
_ROOT_MIN = 3


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a sentence: what it measures, its value there, and the text as it stands.

    `kind` is "time", "size" or "share" for known units, else "". `around` are the words before
    and after it. `is_name` is true for dates and numbers that only name a thing.
    """

    value: str
    text: str
    kind: str = ""
    around: tuple[str, str] = ("", "")
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence: the roots of its words without values, and its values.

    `choices` are the names that stand after the words of `CHOICES`, by slot. `negations` counts
    the words that turn it round, `signs` are its words for yes (0) and no (1) with their sign.
    """

    text: str
    words: frozenset[str]
    numbers: tuple[Number, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    negations: int = 0
    signs: tuple[tuple[str, int], ...] = ()
    is_conditional: bool = False

    @property
    def is_denied(self) -> bool:
        """True when the sentence as a whole says no."""
        return (self.negations + sum(sign for _, sign in self.signs)) % 2 == 1

    @property
    def values(self) -> frozenset[tuple[str, str]]:
        """Its numbers as kind and value."""
        return frozenset((number.kind, number.value) for number in self.numbers)

    @property
    def content(self) -> frozenset[str]:
        """Everything that it says, values too: to see whether another text says it all."""
        denied = {"not"} if self.is_denied else set()
        return self.words | {":".join(value) for value in self.values} | denied


def claims(text: str) -> list[Claim]:
    """The sentences of a text that speak of something, in their order; code blocks are left out."""
    plain = unicodedata.normalize("NFKC", _CODE.sub("\n", text[:TEXT_MAX]))
    found = (claim(sentence) for sentence in _SENTENCE.split(plain))
    return [one for one in found if one.words or one.numbers][:CLAIMS_MAX]


def claim(sentence: str) -> Claim:
    """What one sentence says."""
    tokens = _tokens(sentence.lower())
    words, numbers = set(), []
    for at, token in enumerate(tokens):
        number = _number(tokens, at)
        if number is not None:
            numbers.append(number)
        elif _is_content(token, tokens[at - 1] if at else ""):
            words.add(root(token))
    return Claim(
        text=" ".join(sentence.split()).strip("-*# "),
        words=frozenset(words),
        numbers=tuple(numbers),
        choices=tuple(_choices(tokens)),
        negations=sum(token in NEGATIONS for token in tokens),
        signs=tuple((token, _SIGN[token]) for token in tokens if token in _SIGN),
        is_conditional=any(token in _CONDITIONS for token in tokens),
    )


def root(word: str) -> str:
    """The word without a common English ending."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _ROOT_MIN:
            return word[: -len(suffix)]
    return word


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    for token in _TOKEN.findall(text):
        denied = _NOT.fullmatch(token)
        if denied:
            found += [denied[1], "not"]
        else:
            found.append(token.removesuffix("'s").removesuffix("\u2019s"))
    return found


def _is_content(token: str, before: str) -> bool:
    is_unit = token in _UNITS and _is_number(before)
    skipped = token in STOP_WORDS or token in NEGATIONS or token in _SIGN or token in CHOICES
    return not (is_unit or skipped or token in _CONDITIONS or token in ("yes", "%"))


def _is_number(token: str) -> bool:
    return token in _NUMBER_WORDS or _NUMBER.fullmatch(token) is not None


def _number(tokens: list[str], at: int) -> Number | None:
    token = tokens[at]
    if _DATE.fullmatch(token) or _HEX.fullmatch(token):
        return Number(token, token, is_name=True)
    match = _NUMBER.fullmatch(_NUMBER_WORDS.get(token, token))
    if match is None:
        return None
    digits = match[1].replace(",", "") if _THOUSANDS.fullmatch(match[1]) else match[1]
    before, after = _before(tokens, at), tokens[at + 1] if at + 1 < len(tokens) else ""
    unit = match[2] or after
    text = token if match[2] else f"{token} {after}".strip()
    if unit in _UNITS and digits.replace(".", "", 1).isdigit():
        kind, scale = _UNITS[unit]
        return Number(f"{float(digits) * scale:g}", text, kind)
    around = (root(before), "" if after in STOP_WORDS else root(after))
    return Number(digits, token, "", around, is_name=before in _COUNTED)


def _before(tokens: list[str], at: int) -> str:
    """The word of content before a place."""
    for token in reversed(tokens[:at]):
        if token not in STOP_WORDS:
            return token
    return ""


def _choices(tokens: list[str]) -> list[tuple[str, str]]:
    found = []
    for at, token in enumerate(tokens):
        names = [each for each in tokens[at + 1 : at + 3] if each not in _ARTICLES]
        if token in CHOICES and names and _is_content(names[0], "") and not _is_number(names[0]):
            found.append((CHOICES[token], names[0]))
    return found
