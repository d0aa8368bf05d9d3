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
    "a about after again all also always an and any are as at be because been before being below "
    "between both but by can cannot could did do does doing done down during each either else "
    "ever every few for from further get gets got had has have having he her here his how i if "
    "in instead into is it its itself just keep let like may me might more most much must my "
    "need needs never no nor not now of off often on once one only or other our out over own "
    "per same she should since so some still such than that the their them then there these "
    "they this those through thus to too under until up us use used uses using very via want "
    "was way ways we well were what when where whether which while who whom whose why will "
    "with within without would yet you your whenever wherever afterwards ahead already along "
    "although among another anything around back beforehand beside besides bit come comes "
    "everything fewer finally first follow followed following follows given gives hence however "
    "including last later least lot many next nothing otherwise part perhaps quite rather several "
    "shall something soon though thereby therefore together toward towards unless upon usually "
    "whatever whereas"
)
_PRAISE = (
    "accurate accurately actionable add added adding adds adjust adjusted apply applies applied "
    "best better careful carefully change changed changes clarified clarify clarifies clarity "
    "clean cleaner cleaned clear clearer clearly comprehensive complete completely concise "
    "consistent correct corrected corrections correctly current describe described describes "
    "detail detailed details easier easily easy edited effective effectively efficient enhanced "
    "exact exactly explicit explicitly explain explained explains express expressed expresses fail failed fails "
    "failure failures fix fixed fixes form format formatted formatting general generally good "
    "grammar great greatly help helpful helps important improve improved improvement "
    "improvements improves information instruction instructions intent know language less "
    "logical long longer make makes making made mean meaning means memory mention mentioned mentions "
    "modern namely new newer nicer note observation old older order organised organized "
    "original outdated overall phrase phrased phrasing please point points precise precisely "
    "previous previously procedure proper properly provide provides quality read readable "
    "reader readers really reason record refined reflect reflects reliable reliably reorganised "
    "reorganized replace replaced replaces rephrase rephrased resolve resolved restate "
    "restructured reviewed revise revised revision reword reworded rewrite rewritten right "
    "robust rule say saying says sentence sentences shorter similar simple simpler simplified "
    "simply skill smoother sound specific specifically spelled spelling state stated statement "
    "states steps structure structured style success successful successes text thing things "
    "tidied tidy tone typo typos understand understandable understood update updated updates "
    "useful version wording words work worked working works write writing written wrong "
    "ambiguity ambiguous articulate articulates aspect attention beginner beginners brief briefly "
    "broader capture captured captures cohesive communicate communicates compact comprehend "
    "concept confusing confusion content convey conveys core crisp deeper direct directly "
    "elaborate elegant emphasis emphasise emphasize enough essence essential excellent flow flows "
    "focus focused focuses formulated formulation fresh friendly fuller gist guidance guide "
    "harder idea ideas impression insight insightful intention intuitive involved lead leads "
    "leave leaves length level light mistake mistakes misinterpretation misunderstanding "
    "natural neater nuance nuanced obvious organisation overhaul pleasant polish polished "
    "practical professional punctuation refine refines room sharper significance solid strength "
    "strengthen strengthened strong stronger summarise summarize succinct tells terse "
    "thorough thoroughly tight tighter tightened unclear unambiguous upgrade upgraded vague "
    "valuable value verbose"
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
