"""`mnemos-files digest` and `efficacy`: text by default, JSON when asked for."""

import pytest


@pytest.mark.parametrize(
    ("command", "last"),
    [("digest", "no activity"), ("efficacy", "agents judge their own success.")],
)
def test_an_empty_vault_is_told_as_text_also_in_a_pipe(vault, run, command, last):
    result = run(command, "--vault", vault)

    assert result.exit_code == 0
    assert result.stdout.rstrip("\n").endswith(last)


def test_a_digest_as_json(vault, run_json):
    run_json("save", "T", "C", "--type", "decision", "--vault", vault)

    value = run_json("digest", "--since", "1h", "--json", "--vault", vault)

    assert value["observations"] == {"decision": 1}
    assert set(value) == {
        *("since", "until", "observations", "sessions_opened", "sessions_closed"),
        *("skills_touched", "skill_uses", "surfaced", "surfaced_by_channel", "most_surfaced"),
        "events",
    }


def test_efficacy_as_json(vault, run_json):
    started = run_json("session-start", "--goal", "G", "--vault", vault)
    run_json("session-end", started["session_id"], "Done.", "--vault", vault)

    value = run_json("efficacy", "--json", "--vault", vault)

    assert value["without_memory"] == {"sessions": 1, "ok": 1, "ok_share": 1.0}
    assert "gap" not in value


@pytest.mark.parametrize("command", ["digest", "efficacy"])
@pytest.mark.parametrize("since", ["0h", "-1h", "yesterday", ""])
def test_a_bad_window_is_an_error(vault, run, command, since):
    result = run(command, f"--since={since}", "--vault", vault)

    assert result.exit_code == 2
    assert "error: since:" in result.stderr
