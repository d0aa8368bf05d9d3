"""Which of many sets of words are nearly the same. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from math import ceil

LIKE_MIN = 0.5
"""Share [0, 1] of their words that two texts must have in common (Jaccard): half of all words."""

SHARED_MIN = 5
"""Words [1] that they must have in common: short texts are alike by chance."""


def alike(
    texts: Mapping[str, frozenset[str]], groups: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Pairs of names of two groups whose words are nearly the same, each pair once, in order.

    Two sets with a share of `LIKE_MIN` have one of the rarest words of each in common, so only
    these are looked up (prefix filter; Bayardo et al., "Scaling up all pairs", 2007).
    """
    frequency = Counter(word for words in texts.values() for word in words)
    seen: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(texts):
        words = texts[name]
        rarest = sorted(words, key=lambda word: (frequency[word], word))
        first = rarest[: len(words) - ceil(LIKE_MIN * len(words)) + 1]
        own = groups[name]
        near = {other for word in first for other in seen[word] if groups[other] != own}
        yield from ((other, name) for other in sorted(near) if are_alike(texts[other], words))
        for word in first:
            seen[word].append(name)


def are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """True for sets of words that are nearly the same."""
    shared = len(one & other)
    return shared >= SHARED_MIN and shared >= LIKE_MIN * len(one | other)
