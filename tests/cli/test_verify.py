"""`mnemos-files verify` with fixtures on disk and commands that are run."""

import json
from pathlib import Path

import pytest

PROBE = """\
probes:
  - id: {id}
    queries: [{query}]
"""
# "With memory" is what the environment says; the trigger reaches the command as an argument.
SCRIPT = 'if [ -z "$MNEMOS_DISABLED" ]; then echo "$1: Argon2id"; else echo "$1: bcrypt"; fi'
BEHAVIOR = f"""\
arms:
  on: {{cmd: [/bin/sh, -c, '{SCRIPT}', x, "{{{{trigger}}}}"]}}
  off: {{cmd: [/bin/sh, -c, '{SCRIPT}', x, "{{{{trigger}}}}"]}}
scenarios:
  - name: hashes
    trigger: Which hash
    runs: 2
    pass_when: {{contains_any: ["Which hash: Argon2id"]}}
"""
CAPTURE = """\
arm:
  cmd: [printf, '{"name":"%s"}', "{{trigger}}"]
scenarios:
  - {name: saves, trigger: mnemos_save, expect_tools: [mnemos_save], runs: 2}
  - {name: fails, trigger: mnemos_get, expect_tools: [mnemos_save], runs: 1}
"""


@pytest.fixture
def saved(vault: Path, run_json) -> str:
    args = ("Use Argon2id", "For password hashing.", "--type", "decision")
    return run_json("save", *args, "--vault", vault)["id"]


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_found_memory_ends_with_zero(vault, run, saved, tmp_path):
    path = write(tmp_path, "r.yaml", PROBE.format(id=saved, query="password hashing"))

    done = run("verify", "retrieval", path, "--vault", vault)

    assert done.exit_code == 0
    assert done.stdout == "ok     1 of 5    Use Argon2id\nretrieval: 1 of 1 passed\n"


def test_a_missed_memory_ends_with_one(vault, run, saved, tmp_path):
    path = write(tmp_path, "r.yaml", PROBE.format(id="nowhere", query="password hashing"))

    done = run("verify", "retrieval", path, "--json", "--vault", vault)

    assert done.exit_code == 1
    assert json.loads(done.stdout)["probes"][0]["reason"] == "not in the vault"


def test_the_probes_of_a_vault_lie_in_it(vault, run, saved):
    write(vault / ".mnemos/verify", "retrieval.yaml", PROBE.format(id=saved, query="hashing"))

    assert run("verify", "retrieval", "--vault", vault).exit_code == 0


def test_behaviour_is_compared_without_a_vault(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMOS_DISABLED", "1")  # only the harness says who has memory
    write(tmp_path, "b.yaml", BEHAVIOR)

    done = run("verify", "behavior", "b.yaml")

    assert done.exit_code == 0
    assert done.stdout == (
        "hashes: with memory 2/2, without 0/2, lift +100 %\n"
        "behavior: with memory 2/2, without 0/2, lift +100 %\n"
    )


def test_commands_learn_which_vault_was_named(vault, run_json, tmp_path):
    text = CAPTURE.replace(
        """[printf, '{"name":"%s"}', "{{trigger}}"]""",
        """[/bin/sh, -c, 'echo "\\"name\\":\\"$MNEMOS_VAULT\\""']""",
    ).replace("[mnemos_save]", f"[{vault}]")
    path = write(tmp_path, "c.yaml", text)

    assert run_json("verify", "capture", path, "--json", "--vault", vault)["rate"] == 1.0


def test_capture_is_counted(run, tmp_path):
    path = write(tmp_path, "c.yaml", CAPTURE)

    done = run("verify", "capture", path)

    assert done.exit_code == 0
    assert done.stdout == "saves: 2/2, 100 %\nfails: 0/1, 0 %\ncapture: 2/3, 67 %\n"


def test_a_run_that_takes_too_long_is_an_error_of_the_run_only(run_json, tmp_path):
    text = CAPTURE.replace("""printf, '{"name":"%s"}', "{{trigger}}\"""", "sleep, '300'")
    path = write(tmp_path, "c.yaml", text)

    value = run_json("verify", "capture", path, "--timeout", "0.2", "--json")

    assert value["passed"] == 0
    assert value["errors"][0] == {
        "scenario": "saves",
        "arm": "on",
        "run": 1,
        "problem": "did not end within 0.2 s",
    }


def test_all_runs_what_a_folder_has(vault, run, saved, tmp_path):
    write(tmp_path / "all", "retrieval.yaml", PROBE.format(id=saved, query="zebra"))
    write(tmp_path / "all", "behavior.yaml", BEHAVIOR)
    write(tmp_path / "all", "capture.yaml", CAPTURE)

    done = run("verify", "all", tmp_path / "all", "--json", "--vault", vault)

    assert done.exit_code == 1
    value = json.loads(done.stdout)
    assert [*value] == ["retrieval", "behavior", "capture"]
    assert (value["behavior"]["lift"], value["capture"]["passed"]) == (1.0, 2)


@pytest.fixture
def bad_fixtures(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "bad.yaml", "probes: []\n")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff")
    (tmp_path / "long.yaml").write_bytes(b"#" * 1_000_001)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["retrieval", "nowhere.yaml"], "nowhere.yaml: No such file"),
        (["retrieval", "."], "Is a directory"),
        (["retrieval"], "retrieval.yaml: No such file"),
        (["retrieval", "bad.yaml"], "bad.yaml.probes: must have 1 to 1000 items"),
        (["retrieval", "bytes.yaml"], "not UTF-8 at byte 0"),
        (["retrieval", "long.yaml"], "longer than 1000000 bytes"),
        (["behavior", "bad.yaml"], "bad.yaml: unknown field 'probes'"),
        (["capture", "bad.yaml"], "bad.yaml: unknown field 'probes'"),
        (["behavior"], "Missing argument"),
        (["capture", "bad.yaml", "--timeout=0"], "--timeout"),
        (["all", "."], "has none of retrieval.yaml, behavior.yaml, capture.yaml"),
    ],
)
def test_a_bad_fixture_ends_with_two(vault, run, bad_fixtures, arguments, words):
    done = run("verify", *arguments, "--vault", vault)

    assert done.exit_code == 2
    assert words in done.output
