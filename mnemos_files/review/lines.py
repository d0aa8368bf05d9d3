"""The sentences in which every format tells of a memory and of a whole review."""

from collections.abc import Iterator

from mnemos_files.review.values import Author, MemoryChange, Named, Review

_PLURALS = {"memory": "memories"}


def counted(number: int, noun: str) -> str:
    """A number and its noun."""
    return f"{number} {noun if number == 1 else _PLURALS.get(noun, f'{noun}s')}"


def size(review: Review) -> str:
    """How many memories are changed, and how."""
    kinds = ", ".join(f"{number} {kind}" for kind, number in review.kinds().items())
    memories = counted(len(review.memories), "memory") + (f" ({kinds})" if kinds else "")
    others = f", {counted(review.other_files, 'other file')}" if review.other_files else ""
    return memories + others


def verdict(review: Review) -> str:
    """How many findings there are of each level."""
    found = [counted(number, level) for level, number in review.counts().items() if number]
    return ", ".join(found) or "nothing was found"


def who(memory: MemoryChange) -> str:
    """Who proposes it, with the number of commits."""
    if not memory.authors:
        written = f", written for {memory.agent}" if memory.agent else ""
        return f"not committed{written}"
    authors = ", ".join(map(_author, memory.authors))
    return f"{authors} in {counted(len(memory.commits), 'commit')}"


def _author(author: Author) -> str:
    session = f", session {author.session}" if author.session else ""
    return f"{author.name} ({'agent' if author.is_agent else 'person'}{session})"


def trust(memory: MemoryChange) -> str:
    """Its tier, with the one before where it is another."""
    if memory.is_retiered:
        return f"{memory.trust_tier_before} → {memory.trust_tier}"
    return memory.trust_tier or memory.trust_tier_before


def source(memory: MemoryChange) -> str:
    """Where it comes from."""
    named = f" ({memory.source})" if memory.source else ""
    derived = "".join(f", derived from {end(one)}" for one in memory.derived_from)
    return f"{memory.source_kind}{named}{derived}"


def relations(memory: MemoryChange) -> Iterator[tuple[str, str]]:
    """What it does to other memories, and which they are."""
    for verb, ends in (
        ("supersedes", memory.supersedes),
        ("superseded by", memory.superseded_by),
        ("contradicts", memory.contradicts),
    ):
        yield from ((verb, end(one)) for one in ends)
    if memory.before_path != memory.path:
        yield "was", memory.before_path
    for alike in memory.similar:
        share = f"{alike.share:.0%} of the words"
        yield "similar", f"{alike.title} ({alike.path}, {alike.trust_tier}, {share})"


def end(named: Named) -> str:
    """The other end of a link."""
    return f"{named.title} ({named.path})" if named.path else f"[[{named.title}]], not found"
