"""The demo, run once as a person runs it: what it shows, and what it leaves behind."""

import os
import re
from pathlib import Path

import pytest

from tests.cli.conftest import program
from tests.conftest import git

STAGING = "kelp-Tide-4711"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Folder of the kept vault, and what was printed."""
    home = tmp_path_factory.mktemp("home")
    root = home / "kept"
    # The fixture of one test that empties the settings of git comes too late for all of them.
    settings = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "MNEMOS_CACHE_DIR": str(home / "cache"),
    }
    done = program("demo", "--keep", root, **settings)
    assert done.returncode == 0, done.stderr
    return root, done.stdout


def part(text, heading):
    """Lines below a heading, up to the next one."""
    lines = text.splitlines()
    (begin,) = [number for number, line in enumerate(lines) if line.startswith(heading)]
    ends = [n for n in range(begin + 1, len(lines)) if lines[n] and lines[n][0] != " "]
    return lines[begin + 1 : min(ends, default=len(lines))]


def test_the_demo_says_where_the_vault_is_and_what_is_in_it(demo):
    root, text = demo

    lines = text.splitlines()
    assert f"A vault in {root}" in lines
    assert "   3 sessions, 2 skills" in lines
    assert any(
        line.startswith("   61 memories, 50 of them hold now: 15 decision") for line in lines
    )


def test_a_session_starts_with_something_of_every_section(demo):
    lines = part(demo[1], "An agent starts a session")

    headings = [line.strip() for line in lines if line.startswith("   ## ")]
    assert headings == [
        "## conventions",
        "## recent sessions",
        "## applicable skills",
        "## relevant corrections",
        "## hot files",
    ]
    assert any("(blocked)" in line for line in lines)
    assert any(re.fullmatch(r"   \d+ of 500 tokens, 5 sections", line) for line in lines)


def test_the_premortem_finds_the_correction_and_the_session_that_failed(demo):
    text = "\n".join(part(demo[1], "Before the first edit"))

    assert "- Do not test SQL against SQLite: " in text
    assert "Make the tests of harbour-api quicker (failed)" in text


def test_a_skill_gets_its_second_version_and_a_use(demo):
    root, text = demo

    lines = part(text, "A skill is found")
    path = "skills/claude-code/find-what-makes-a-test-run-slow/SKILL.md"
    assert f"   version 2 of {path}" in lines
    assert "   noted: success, 2 of 2 uses worked" in lines
    assert 'mnemos-version: "2"' in (root / path).read_text(encoding="utf-8")


def test_the_sessions_file_is_shown_as_it_lies_in_the_vault(demo):
    root, text = demo

    path, _, *shown = part(text, "The session ends")
    file = (root / path.strip()).read_text(encoding="utf-8")
    assert "\n".join(line.removeprefix("   ") for line in shown).rstrip() == file.rstrip()
    assert "status: ok" in file
    assert "|Parallel tests need a schema for each worker]] (correction)" in file
    assert "- `tests/conftest.py`" in file


def test_the_secret_is_refused_and_is_nowhere_in_the_vault(demo):
    root, text = demo

    assert any("the text holds a secret" in line for line in part(text, "A secret does not"))
    assert git(root, "log", "--all", "-S", STAGING, "--format=%H") == ""
    assert not any(STAGING in path.read_text(encoding="utf-8") for path in root.rglob("*.md"))


def test_the_planted_note_is_flagged_and_gone_at_the_end(demo):
    root, text = demo

    lines = part(text, "A note with orders")
    assert any("[MNEMOS: FLAGGED risk=high rules=instruction-override" in line for line in lines)
    assert any(line.strip().startswith("risk high, rules instruction-override") for line in lines)
    assert not (root / "notes").exists()


def test_searches_find_what_they_should_and_say_why(demo):
    lines = part(demo[1], "An agent searches")

    hits = [line.strip() for line in lines if re.match(r"   \d\.\d\d  ", line)]
    assert hits[0].endswith("Never add an index without CONCURRENTLY  (correction)")
    assert any(line.strip().startswith("why: lexical ") for line in lines)


def test_each_time_gets_the_answer_of_that_time(demo):
    lines = part(demo[1], "Time is honest")

    answers = [line.rpartition("  ")[2] for line in lines if "Tracking links" in line]
    assert [answer.strip() for answer in answers] == [
        "Tracking links expire after 30 days",
        "Tracking links expire after 90 days",
        "Tracking links expire after 14 days",
    ]


def test_an_edit_by_hand_is_found_and_stays_uncommitted(demo):
    root, text = demo

    lines = part(text, "A person edits")
    assert any(line.endswith("What the proof of delivery holds  (context)") for line in lines)
    changed = git(root, "status", "--porcelain", "--", ":!.mnemos/journal").split()
    assert changed[0] == "M"
    assert changed[1].startswith("observations/harbour-api/")
    assert len(changed) == 2


def test_the_log_names_agent_session_and_reason(demo):
    lines = [line.strip() for line in part(demo[1], "git log")]

    assert "save(decision): Tracking links expire after 30 days" in lines
    assert "end(session): Make the tests of the returns branch quicker" in lines
    assert lines.count("Mnemos-Agent: claude-code") == 2


def test_the_demos_vault_has_no_problem(demo):
    done = program("check", "--vault", demo[0])

    assert (done.returncode, done.stderr) == (0, "")


def test_every_memory_skill_and_session_is_a_commit_of_its_own(demo):
    root, _ = demo

    subjects = git(root, "log", "--format=%s").splitlines()
    assert sum(subject.startswith("save(") for subject in subjects) == 61 + 2 + 3
    assert sum(subject.startswith("end(session)") for subject in subjects) == 4


def test_the_demo_touches_no_folder_that_has_files(tmp_path: Path):
    (tmp_path / "mine.md").write_text("mine\n", encoding="utf-8")

    done = program("demo", "--keep", tmp_path)

    assert done.returncode == 5
    assert [path.name for path in tmp_path.iterdir()] == ["mine.md"]
