"""How much two texts speak of the same. Pure."""

import re
import unicodedata
from itertools import pairwise

LETTERS_MIN = 3
"""Letters of the shortest word that counts."""

LOOKED_AT = 10_000
"""Characters of a text whose words count."""

_STOP_TEXT = (
    "about after again all also and any are because been before being below between both but can "
    "cannot could did does doing down during each few for from further get had has have having her "
    "here him his how into its itself just let like made make may more most must need new not now "
    "off once one only other our out over own same she should some such than that the their them "
    "then there these they this those through too under until use used using very want was way "
    "were what when where which while who whom why will with without would you your"
)
STOP_WORDS = frozenset(_STOP_TEXT.split())
"""Words that say nothing of what a text is about."""

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
)


def content_words(text: str) -> frozenset[str]:
    """Words that say what a text is about, folded; of scripts without blanks pairs of letters."""
    folded = unicodedata.normalize("NFKC", text[:LOOKED_AT]).casefold()
    found: set[str] = set()
    for word in _WORD.findall(folded):
        if _UNSPACED.search(word):
            found.update(one + other for one, other in pairwise(word))
        elif len(word) >= LETTERS_MIN and word not in STOP_WORDS:
            found.add(word)
    return frozenset(found)
