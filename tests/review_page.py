"""Makes docs/review.md fresh: what is printed there, and its tables.

Use: `python -m tests.review_page`. What stands under "Proposals" is left as it is.
"""

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from mnemos_files.review.kinds import KINDS
from mnemos_files.review.rules import RULES
from tests.review_walk import COMMAND, make, reviewed

PAGE = Path(__file__).parents[1] / "docs/review.md"
_TABLE = r"(?:\|.*\n)*"


def fresh(text: str) -> str:
    """The page with what is printed now."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder, "vault"))
        walk = f"$ {COMMAND}\n{reviewed(Path(folder, 'vault'))}"
    kinds = [(f"`{kind.name}`", kind.meaning) for kind in KINDS]
    kinds.append(("`reformatted`", "only its spelling differs; it says what it said"))
    rules = [(f"`{r.id}`", r.level, r.finds, r.remedy) for r in RULES]
    text = re.sub(
        r"(<!-- walk -->\n```text\n).*?(```\n)", lambda m: m[1] + walk + m[2], text, flags=re.DOTALL
    )
    text = _with(text, "kinds", ("kind", "meaning"), kinds)
    return _with(text, "rules", ("rule", "level", "finds", "what to do"), rules)


def _with(text: str, name: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = [tuple(head), *map(tuple, rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    lines.insert(1, f"|{'---|' * len(cells[0])}")
    table = "\n".join(lines) + "\n"
    return re.sub(rf"(<!-- {name} -->\n\n?){_TABLE}", lambda _: f"<!-- {name} -->\n\n{table}", text)


if __name__ == "__main__":
    PAGE.write_text(fresh(PAGE.read_text("utf-8")), "utf-8")
