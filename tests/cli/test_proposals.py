"""`mnemos-files review list|show|approve|reject`: the person's answer to proposals."""

import json

import pytest

from tests.conftest import git

SETTINGS = '[vault]\nid = "v"\nformat = 1\n\n[review]\nmode = "branch"\n'


@pytest.fixture
def root(vault):
    own = vault / ".mnemos"
    own.mkdir()
    (own / "config.toml").write_text(SETTINGS, encoding="utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "review")
    return vault


@pytest.fixture
def propose(root, run_json, monkeypatch):
    """Saves as an agent; its id."""

    def call(title, content="because it is so", *more):
        with monkeypatch.context() as patched:
            patched.setenv("MNEMOS_AGENT", "claude-code")
            saved = run_json(
                "save", title, content, "--type", "decision", *more, "--vault", root, "--json"
            )
        assert "proposal on the branch memory/claude-code/" in saved["notices"][-1]
        return saved["id"]

    return call


def test_an_agent_on_the_command_line_proposes_and_a_person_decides(root, propose, run_json):
    taken, dropped = propose("Use Argon2id", "a pentest"), propose("Use tabs", "they are nicer")
    listed = run_json("review", "list", "--vault", root)

    assert listed["main"] == "main"
    assert [(one["title"], one["change"], one["agent"]) for one in listed["proposals"]] == [
        ("Use Argon2id", "new", "claude-code"),
        ("Use tabs", "new", "claude-code"),
    ]
    approved = run_json("review", "approve", taken, "--vault", root)
    rejected = run_json(
        "review", "reject", dropped[-6:].lower(), "--reason", "we use blanks", "--vault", root
    )

    assert [one["id"] for one in approved["approved"]] == [taken]
    assert [one["id"] for one in rejected["rejected"]] == [dropped]
    assert run_json("review", "list", "--vault", root)["proposals"] == []
    assert run_json("get", taken, "--vault", root)["title"] == "Use Argon2id"
    assert git(root, "status", "--porcelain", "--untracked-files=no") == ""


def test_a_rejected_text_is_refused_with_the_reason(root, propose, run, monkeypatch):
    dropped = propose("Use tabs", "they are nicer")
    run("review", "reject", dropped, "--reason", "we use blanks", "--vault", root)
    monkeypatch.setenv("MNEMOS_AGENT", "cursor")

    result = run("save", "Use tabs", "they are nicer", "--type", "decision", "--vault", root)

    assert result.exit_code == 5
    assert "we use blanks" in result.stderr


def test_show_reads_like_the_review_and_says_why(root, propose, run):
    named = propose("Use Argon2id", "a pentest", "--rationale", "two accounts shared a password")

    shown = run("review", "show", named, "--vault", root, "--no-json").stdout

    assert "Use Argon2id" in shown
    assert "a pentest" in shown
    assert "because: two accounts shared a password" in shown
    assert "proposed on memory/claude-code/" in shown
    assert named in shown


def test_list_says_what_goes_together_and_what_builds_on_what(root, propose, run):
    first = propose("First", "one")
    second = propose("Second", "two", "--supersedes", first)
    propose("Third", "three", "--derived-from", second)

    listed = run("review", "list", "--vault", root, "--no-json").stdout

    assert "3 open" in listed
    assert listed.count("goes together with") == 2
    assert listed.count("not approved yet") == 1


def test_what_stays_open_is_told_and_gives_exit_code_1(root, propose, run, run_json):
    old = run_json("save", "Port", "8080", "--type", "decision", "--vault", root)
    propose("Newer port", "9090", "--supersedes", old["id"])
    note = root / old["path"]
    note.write_text(note.read_text("utf-8") + "half an edit\n", encoding="utf-8")

    result = run("review", "approve", "--all", "--vault", root, "--json")

    value = json.loads(result.stdout)
    assert result.exit_code == 1
    assert value["approved"] == []
    assert "not committed" in value["open"][0]["why"]
    text = run("review", "approve", "--all", "--vault", root, "--no-json").stdout
    assert "still open: " in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("approve",), "none were given"),
        (("approve", "abc", "--all"), "given with --all"),
        (("reject", "abc", "--reason", "no"), "too short"),
        (("reject", "--reason", "long enough"), "none were given"),
    ],
)
def test_a_choice_that_means_nothing_is_refused(arguments, message, root, run):
    result = run("review", *arguments, "--vault", root)

    assert result.exit_code == 2
    assert message in result.stderr


def test_an_unknown_branch_names_the_known_ones(root, propose, run):
    propose("Use Argon2id")

    result = run("review", "list", "--branch", "memory/other/2026-12-01", "--vault", root)

    assert result.exit_code == 75
    assert "memory/claude-code/" in result.stderr


def test_without_proposals_there_is_nothing_to_list(root, run):
    assert run("review", "list", "--vault", root, "--no-json").stdout == (
        "no open proposals to main\n"
    )


def test_an_agent_in_the_environment_does_not_decide_on_its_own_work_tree(
    root, propose, run_json, monkeypatch
):
    named = propose("Use Argon2id")
    monkeypatch.setenv("MNEMOS_AGENT", "claude-code")

    run_json("review", "approve", named, "--vault", root)

    assert git(root, "log", "-1", "--format=%s", "main") == "save(decision): Use Argon2id\n"


def test_a_secret_that_came_by_hand_is_not_approved(root, propose, run):
    named = propose("Use Argon2id", "a pentest")
    branch = git(root, "branch", "--list", "memory/*", "--format=%(refname:short)").strip()
    tree = next(
        line.split()[1]
        for line in git(root, "worktree", "list", "--porcelain").splitlines()
        if line.startswith("worktree ") and "proposals" in line
    )
    path = git(root, "show", "--name-only", "--format=", branch).strip()
    token = "ghp_" + "a1B2" * 9
    with open(f"{tree}/{path}", "a", encoding="utf-8") as note:  # noqa: PTH123 - of another tree
        note.write(f"token {token}\n")
    git(tree, "commit", "-qam", "by hand")

    result = run("review", "approve", named, "--vault", root, "--json")

    assert result.exit_code == 1
    assert "secret" in json.loads(result.stdout)["open"][0]["why"]
    assert git(root, "log", "--format=%H", f"-S{token}", "main") == ""


def test_the_status_counts_open_proposals_by_branch(root, propose, run_json):
    assert run_json("status", "--vault", root)["proposals"] == {}
    propose("First", "one")
    propose("Second", "two")

    counts = run_json("status", "--vault", root)["proposals"]

    assert list(counts.values()) == [2]
    assert next(iter(counts)).startswith("memory/claude-code/")
