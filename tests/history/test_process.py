"""Programs that are run."""

from pathlib import Path

from mnemos_files.history.process import Git, environment, run


def test_the_output_of_a_program_comes_back():
    done = run(["sh", "-c", "cat; echo warning >&2"], b"in\0put", 5, {"PATH": "/bin:/usr/bin"})

    assert (done.is_ok, done.output, done.errors) == (True, b"in\0put", "warning")


def test_a_program_that_fails_is_not_ok():
    done = run(["sh", "-c", "exit 3"], b"", 5, {"PATH": "/bin:/usr/bin"})

    assert not done.is_ok


def test_a_program_that_is_missing_is_not_ok():
    done = run(["/nowhere/program"], b"", 5, {})

    assert not done.is_ok
    assert "No such file" in done.errors


def test_a_large_payload_that_nobody_reads_does_no_harm():
    done = run(["sh", "-c", "exec 0<&-; exit 0"], b"x" * 10**6, 5, {"PATH": "/bin:/usr/bin"})

    assert done.output == b""


def test_variables_that_point_at_another_repository_do_not_pass(monkeypatch):
    monkeypatch.setenv("GIT_INDEX_FILE", "/elsewhere")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")

    names = environment()

    assert "GIT_INDEX_FILE" not in names
    assert names["GIT_CONFIG_NOSYSTEM"] == "1"


def test_git_runs_no_hooks_and_no_monitor_of_the_repository(vault):
    git = Git(vault.root / ".git", vault.root)
    vault.git("config", "core.fsmonitor", "touch monitor-ran; false")

    done = git.run("status")

    assert done.is_ok
    assert not Path(vault.root, "monitor-ran").exists()


def test_git_takes_names_literally(vault):
    vault.add("[a].md")
    git = Git(vault.root / ".git", vault.root)

    assert git.run("ls-files", "--", "[a].md").output == b"[a].md\n"
    assert git.run("ls-files", "--", "*.md").output == b""
