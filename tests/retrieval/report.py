"""How well search answers the labelled questions.

    python -m tests.retrieval.report [set ...] [--together] [--brief]

R@k is the share of the wanted notes among the first k hits (of k, where more are wanted), MRR one
over the rank of the first, both as means over the questions in percent.
"""

import argparse
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mnemos_files.index.embedder import Embedder, StaticEmbedder
from tests.retrieval.asking import LOOKED_AT, Answered, ask_all
from tests.retrieval.sets import SETS, Vault, read_set, together

CUTS = (1, 5, LOOKED_AT)
NAMES_MAX = 4


def figures(answers: Sequence[Answered]) -> str:
    """One line: recall and rank, then what only some sets ask for."""
    wanted = [one for one in answers if one.asked.want]
    parts = [f"{len(answers):4} questions"]
    if wanted:
        parts += [f"R@{cut} {_mean([one.recall(cut) for one in wanted])}" for cut in CUTS]
        parts.append(f"MRR {_mean([one.reciprocal for one in wanted])}")
        parts.append(f"empty {_mean([not one.shown for one in wanted])}")
    parts += [f"{name} {_mean(values)}" for name, values in _more(answers) if values]
    return ", ".join(parts)


def _more(answers: Sequence[Answered]) -> Iterator[tuple[str, list[float]]]:
    foreign = [one for one in answers if not one.asked.want and not one.asked.fills]
    yield "off-subject answered", [bool(one.shown) for one in foreign]
    yield "in order", [one.is_in_order for one in answers if one.asked.above]
    yield "full pages", [one.is_full for one in answers if one.asked.fills]
    repeats = [one.repeats / LOOKED_AT for one in answers]
    yield "repeats", repeats if any(repeats) else []


def _mean(values: Sequence[float]) -> str:
    return f"{100 * statistics.fmean(values):.1f}"


def is_miss(one: Answered) -> bool:
    """True when something about the answer is not as it should be."""
    asked = one.asked
    if asked.above and not one.is_in_order:
        return True
    if asked.fills:
        return not one.is_full
    return one.recall(LOOKED_AT) < 1 if asked.want else bool(one.shown)


def miss(one: Answered) -> str:
    """The question, what it wanted and what came."""
    asked = one.asked
    came = " ".join(one.shown[:NAMES_MAX]) or f"nothing, best {one.below}"
    label = " ".join(asked.want) or (f"{asked.fills} hits" if asked.fills else "nothing")
    above = f" above {asked.above}" if asked.above else ""
    wanted = f"[{asked.kind or '-'}] {asked.text} -> {label}{above}"
    return f"      {wanted}; came ({len(one.shown)}): {came}"


def lines(name: str, vaults: Sequence[Vault], embedder: Embedder, *, brief: bool) -> Iterator[str]:
    """Figures of each vault with its misses, of each kind, and of the set."""
    everything: list[Answered] = []
    with tempfile.TemporaryDirectory() as folder:
        for vault in vaults:
            answers = list(ask_all(vault, Path(folder), embedder))
            everything += answers
            yield f"  {vault.name:12} {figures(answers)}"
            if not brief:
                yield from (miss(one) for one in answers if is_miss(one))
    yield from (f"  = {kind:20} {figures(of)}" for kind, of in _by_kind(everything))
    yield f"{name}: {figures(everything)}"


def _by_kind(answers: Sequence[Answered]) -> list[tuple[str, list[Answered]]]:
    kinds: defaultdict[str, list[Answered]] = defaultdict(list)
    for one in answers:
        for kind in one.asked.kind.split() or ["-"]:
            kinds[kind].append(one)
    return sorted(kinds.items())


def main(arguments: Sequence[str], show: Callable[[str], object]) -> int:
    """Show the figures of the sets that are named, of all without a name."""
    parser = argparse.ArgumentParser(prog="python -m tests.retrieval.report", description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="set", help=", ".join(SETS))
    parser.add_argument("--together", action="store_true", help="all vaults of a set as one")
    parser.add_argument("--brief", action="store_true", help="without the misses")
    options = parser.parse_args(arguments)
    if unknown := set(options.sets) - set(SETS):
        parser.error(f"no such set: {', '.join(sorted(unknown))}")
    embedder = StaticEmbedder()
    for name in options.sets or SETS:
        vaults = read_set(name)
        for line in lines(
            name, [together(vaults)] if options.together else vaults, embedder, brief=options.brief
        ):
            show(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], lambda line: print(line, flush=True)))  # noqa: T201 - a program
