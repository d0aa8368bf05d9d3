"""Size of what `pip install mnemos-files` brings, without pip and compiled bytecode.

    python -m tests.benchmarks size

The bar is 215 MiB for everything; the packages that weigh most are listed.
"""

import argparse
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

MIB = 1 << 20
LISTED = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No options."""
    parser.set_defaults()


def run(_options: argparse.Namespace) -> Iterator[str]:
    """The sum, then the largest packages."""
    sizes = {name: _size(found) for name, found in _closure("mnemos-files").items()}
    sizes["mnemos-files"] = _own_size()
    yield f"installed: {sum(sizes.values()) / MIB:.0f} MiB in {len(sizes)} packages"
    for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:LISTED]:
        yield f"  {size / MIB:6.1f} MiB {name}"


def _closure(root: str) -> dict[str, Distribution]:
    """The package and all that it needs here, with the extras that are asked for on the way."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(root, "")]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # its marker names another system
        waiting += _needs(found[name], extra)
    return found


def _needs(found: Distribution, extra: str) -> Iterator[tuple[str, str]]:
    for line in found.requires or ():
        needed = Requirement(line)
        if needed.marker is None or needed.marker.evaluate({"extra": extra}):
            for each in ("", *needed.extras):
                yield canonicalize_name(needed.name), each


def _size(found: Distribution) -> int:
    files = (Path(str(found.locate_file(file))) for file in found.files or ())
    return sum(path.stat().st_size for path in files if path.suffix != ".pyc" and path.is_file())


def _own_size() -> int:
    """The package itself, wherever it runs from (an editable install lists no files)."""
    root = Path(__file__).parents[2]
    parts = (*(root / "mnemos_files").rglob("*"), *(root / "vault-template").rglob("*"))
    return sum(path.stat().st_size for path in parts if path.is_file() and path.suffix != ".pyc")
