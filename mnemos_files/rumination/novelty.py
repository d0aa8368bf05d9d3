"""Whether a reason names something that the old text did not say. Deterministic, no model.

Only words are compared, by their stems: a synonym counts as new. It stops a text that says the
same in another order or praises itself, not one that means to deceive.
"""

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import Stemmer

NEW_MIN = 3
"""New words that a reason must have; one is enough when it holds a digit, as a value does."""

LOOKED_AT = 200_000
"""Characters of the old text that count."""

LETTERS_MIN = 2
SAME_PREFIX = 5
SAME_REST = 4
"""Two stems are forms of one word that share so many first letters and differ in so few more."""

_PLAIN = (
    "a about after afterwards again ahead all along already also although always among an and "
    "another any anything are around as at back be because been before beforehand being below "
    "beside besides between bit both but by can cannot come comes could did do does doing done "
    "down during each either else ever every everything few fewer finally first follow followed "
    "following follows for from further get gets given gives got had has have having he hence "
    "her here his how however i if in including instead into is it its itself just keep last "
    "later least let like lot many may me might more most much must my need needs never next no "
    "nor not nothing now of off often on once one only or other otherwise our out over own part "
    "per perhaps quite rather same several shall she should since so some something soon still "
    "such than that the their them then there thereby therefore these they this those though "
    "through thus to together too toward towards under unless until up upon us use used uses "
    "using usually very via want was way ways we well were what whatever when whenever where "
    "whereas wherever whether which while who whom whose why will with within without would yet "
    "you your"
)
_PRAISE = (
    "accurate accurately actionable add added adding adds adjust adjusted ambiguity ambiguous "
    "applied applies apply articulate articulates aspect attention beginner beginners best "
    "better brief briefly broader capture captured captures careful carefully change changed "
    "changes clarified clarifies clarify clarity clean cleaned cleaner clear clearer clearly "
    "cohesive communicate communicates compact complete completely comprehend comprehensive "
    "concept concise confusing confusion consistent content convey conveys core correct "
    "corrected corrections correctly crisp current deeper describe described describes detail "
    "detailed details direct directly easier easily easy edited effective effectively efficient "
    "elaborate elegant emphasis emphasise emphasize enhanced enough essence essential exact "
    "exactly excellent explain explained explains explicit explicitly express expressed "
    "expresses fail failed fails failure failures fix fixed fixes flow flows focus focused "
    "focuses form format formatted formatting formulated formulation fresh friendly fuller "
    "general generally gist good grammar great greatly guidance guide harder help helpful helps "
    "idea ideas important impression improve improved improvement improvements improves "
    "information insight insightful instruction instructions intent intention intuitive "
    "involved know language lead leads leave leaves length less level light logical long longer "
    "made make makes making mean meaning means memory mention mentioned mentions "
    "misinterpretation mistake mistakes misunderstanding modern namely natural neater new newer "
    "nicer note nuance nuanced observation obvious old older order organisation organised "
    "organized original outdated overall overhaul phrase phrased phrasing pleasant please point "
    "points polish polished practical precise precisely previous previously procedure "
    "professional proper properly provide provides punctuation quality read readable reader "
    "readers really reason record refine refined refines reflect reflects reliable reliably "
    "reorganised reorganized rephrase rephrased replace replaced replaces resolve resolved "
    "restate restructured reviewed revise revised revision reword reworded rewrite rewritten "
    "right robust room rule say saying says sentence sentences sharper shorter significance "
    "similar simple simpler simplified simply skill smoother solid sound specific specifically "
    "spelled spelling state stated statement states steps strength strengthen strengthened "
    "strong stronger structure structured style success successes successful succinct summarise "
    "summarize tells terse text thing things thorough thoroughly tidied tidy tight tightened "
    "tighter tone typo typos unambiguous unclear understand understandable understood update "
    "updated updates upgrade upgraded useful vague valuable value verbose version wording words "
    "work worked working works write writing written wrong"
)

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
)
_STEMMER = Stemmer.Stemmer("english")
_STEMMER_LOCK = threading.Lock()  # a stemmer object keeps state between calls


def new_words(reason: str, old: str) -> tuple[str, ...]:
    """Words of the reason that say something and that the old text has in no form, each once."""
    known = {stem for _, stem in _words(old[:LOOKED_AT])}
    starts = _by_start(known)
    found: dict[str, str] = {}
    for word, stem in _words(reason):
        is_known = stem in known or any(_is_form(stem, other) for other in starts.get(stem[:5], ()))
        if not is_known:
            found.setdefault(stem, word)
    return tuple(found.values())


def says_something_new(words: tuple[str, ...]) -> bool:
    """True when such new words are enough for a new statement."""
    return len(words) >= NEW_MIN or any(sign.isdigit() for word in words for sign in word)


def _words(text: str) -> Iterator[tuple[str, str]]:
    """Words that say something with their stems; of scripts without blanks pairs of letters."""
    for word in _WORD.findall(_folded(text)):
        if _UNSPACED.search(word):
            yield from ((one + other, one + other) for one, other in pairwise(word))
            continue
        plain = word.partition("'")[0].partition("\u2019")[0]
        has_digit = any(sign.isdigit() for sign in plain)
        if has_digit or (len(plain) >= LETTERS_MIN and plain not in _SAYING_NOTHING):
            yield plain, _stem(plain)


def _folded(text: str) -> str:
    """The text in small letters, without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return unicodedata.normalize("NFC", bare)


def _by_start(stems: set[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for stem in stems:
        found.setdefault(stem[:SAME_PREFIX], []).append(stem)
    return found


def _is_form(one: str, other: str) -> bool:
    """True for two long stems that begin alike and have no digit: `verif` and `verifi`."""
    if min(len(one), len(other)) < SAME_PREFIX or not (one.isalpha() and other.isalpha()):
        return False
    shared = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    return shared >= SAME_PREFIX and max(len(one), len(other)) - shared <= SAME_REST


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    """Snowball's English stem; words with digits or of other scripts stay."""
    if not (word.isascii() and word.isalpha()):
        return word
    with _STEMMER_LOCK:
        return str(_STEMMER.stemWord(word))


_SAYING_NOTHING = frozenset((*_PLAIN.split(), *_PRAISE.split()))
"""Words that name nothing that could turn out wrong, praise of a text among them."""
