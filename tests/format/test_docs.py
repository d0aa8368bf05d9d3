"""The page on the format says what the code does."""

import re
from pathlib import Path, PurePosixPath

from mnemos_files.format.keys import KEYS
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import parse, render
from mnemos_files.model.digest import content_digest
from mnemos_files.model.kind import KINDS
from mnemos_files.model.skill import version

PAGE = Path(__file__).parents[2].joinpath("docs", "format.md").read_text(encoding="utf-8")
PAGE_ON_SKILLS = Path(__file__).parents[2].joinpath("docs", "skills.md")
SOURCE = Path(__file__).parents[2].joinpath("mnemos_files", "format")


def test_the_example_is_what_we_write():
    example = re.search(r"```markdown\n(.*?)```\n", PAGE, re.DOTALL)[1]

    note = parse(PurePosixPath("x.md"), example.encode())

    assert note.problems == ()
    assert render(note.record).decode() == example
    assert path_for(note.record) == PurePosixPath(
        "observations/api/2026-12-01-use-argon2id-for-password-hashing-f7k3qx.md"
    )


def test_the_example_of_a_skill_is_what_we_write():
    example = re.findall(r"```markdown\n(.*?)```\n", PAGE, re.DOTALL)[1]
    path = PurePosixPath("skills/claude-code/deploy-the-api/SKILL.md")

    note = parse(path, example.encode())

    assert note.problems == ()
    assert render(note.record).decode() == example
    assert path_for(note.record) == path


def test_the_example_for_users_is_what_a_save_writes():
    text = PAGE_ON_SKILLS.read_text(encoding="utf-8")
    example = re.search(r"```markdown\n(.*?)```\n", text, re.DOTALL)[1]

    note = parse(PurePosixPath("skills/claude-code/deploy-the-api/SKILL.md"), example.encode())

    assert (note.is_ours, note.problems) == (True, ())
    assert render(note.record).decode() == example
    assert version(note.record, content_digest(note.record)) == 1


def test_the_table_has_every_key_in_the_order_of_new_files():
    table = PAGE.partition("## 5. The keys")[2].partition("All other keys")[0]
    cells = [row.split("|")[1] for row in table.split("\n") if row.startswith("| `")]

    assert tuple(re.findall(r"`(\w+)`", " ".join(cells))) == KEYS


def test_every_type_and_heading_is_named():
    headings = {section.heading for kind in KINDS.values() for section in kind.sections}

    assert [name for name in KINDS if name not in PAGE] == []
    assert [heading for heading in headings if f"`## {heading}`" not in PAGE] == []


def test_every_rule_of_a_problem_is_in_the_table():
    table = PAGE.partition("## 10. Problems")[2].partition("Lines count")[0]
    code = "\n".join(file.read_text(encoding="utf-8") for file in SOURCE.glob("*.py"))
    rules = re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)

    assert len(rules) == 10
    assert [rule for rule in rules if f'"{rule}"' not in code] == []
