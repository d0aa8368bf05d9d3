"""Run a measurement by its name."""

import argparse
import sys

from tests.benchmarks import (
    adopting,
    answering,
    dreaming,
    history,
    indexing,
    journaling,
    merging,
    past,
    refreshing,
    retrieval,
    reviewing,
    saving,
    scanning,
    search,
    session_start,
    size,
    starting,
)

MEASUREMENTS = {
    "adopting": adopting,
    "answering": answering,
    "as_of": past,
    "dreaming": dreaming,
    "history": history,
    "indexing": indexing,
    "journaling": journaling,
    "merging": merging,
    "refreshing": refreshing,
    "retrieval": retrieval,
    "reviewing": reviewing,
    "saving": saving,
    "scanning": scanning,
    "search": search,
    "session_start": session_start,
    "size": size,
    "starting": starting,
}


def main() -> int:
    """Print one line for each result as it comes."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    commands = parser.add_subparsers(dest="name", required=True)
    for name, module in MEASUREMENTS.items():
        module.add_arguments(commands.add_parser(name, description=module.__doc__))
    options = parser.parse_args()
    for line in MEASUREMENTS[options.name].run(options):
        print(line, flush=True)  # noqa: T201 - this is a program
    return 0


if __name__ == "__main__":
    sys.exit(main())
