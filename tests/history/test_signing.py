"""Signed commits: real keys, and programs that fail."""

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from mnemos_files.errors import UnavailableError


@pytest.fixture
def ssh(vault, tmp_path):
    """A vault whose commits are signed with an ssh key."""
    key = tmp_path / "key"
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ines", "-f", str(key)]
    subprocess.run(command, check=True)
    signers = tmp_path / "signers"
    signers.write_text(f"ines@example.org {Path(f'{key}.pub').read_text()}")
    vault.git("config", "gpg.format", "ssh")
    vault.git("config", "user.signingkey", str(key))
    vault.git("config", "gpg.ssh.allowedSignersFile", str(signers))
    vault.git("config", "commit.gpgsign", "true")
    return vault


def test_a_commit_signed_with_ssh_is_verified_by_git(ssh):
    ssh.save("ü.md", subject="save(decision): ü")

    done = ssh.try_git("verify-commit", "HEAD")
    assert done.returncode == 0, done.stderr
    assert 'Good "git" signature for ines@example.org' in done.stderr
    assert ssh.subjects()[0] == "save(decision): ü"
    assert ssh.fsck().startswith("0")
    assert any("signed (ssh)" in text for text in ssh.open().notices())


@pytest.mark.parametrize("number", [2, 10])
def test_every_commit_of_a_group_is_signed(ssh, make_change, now, number):
    changes = [make_change(f"{count}.md", b"x") for count in range(number)]

    result = ssh.open().commit(changes, now)

    done = ssh.try_git("verify-commit", *result.commits)
    assert done.stderr.count("Good") == number


def test_the_public_key_of_a_pair_on_disk_signs(ssh):
    key = ssh.git("config", "user.signingkey").strip()
    ssh.git("config", "user.signingkey", f"{key}.pub")

    ssh.save("a.md")

    assert ssh.try_git("verify-commit", "HEAD").returncode == 0


def test_a_literal_key_that_no_agent_has_is_an_error(ssh, monkeypatch):
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    key = ssh.git("config", "user.signingkey").strip()
    ssh.git("config", "user.signingkey", Path(f"{key}.pub").read_text().strip())

    with pytest.raises(UnavailableError, match="signing the commit with ssh-keygen failed"):
        ssh.save("a.md")


def test_ssh_without_a_key_is_an_error(vault):
    vault.git("config", "commit.gpgsign", "true")
    vault.git("config", "gpg.format", "ssh")

    with pytest.raises(UnavailableError, match=r"user\.signingkey is not set"):
        vault.save("a.md")


def test_an_unknown_format_is_an_error(vault):
    vault.git("config", "commit.gpgsign", "true")
    vault.git("config", "gpg.format", "wax")

    with pytest.raises(UnavailableError, match="'wax'"):
        vault.save("a.md")


@pytest.mark.skipif(shutil.which("gpg") is None, reason="needs gpg")
def test_a_commit_signed_with_gpg_is_verified_by_git(vault, tmp_path_factory, monkeypatch):
    home = tmp_path_factory.mktemp("g")  # short: the agent's socket lies in it
    home.chmod(0o700)
    monkeypatch.setenv("GNUPGHOME", str(home))
    user = "Ines Example <ines@example.org>"
    make = ["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", user, "ed25519"]
    subprocess.run(make, check=True, capture_output=True)
    vault.git("config", "commit.gpgsign", "true")

    try:
        vault.save("a.md")
        done = vault.try_git("verify-commit", "HEAD")
    finally:
        subprocess.run(["gpgconf", "--kill", "all"], check=False)

    assert done.returncode == 0, done.stderr
    assert "Good signature" in done.stderr


def program(vault, text):
    file = vault.root / ".git/signer"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    vault.git("config", "commit.gpgsign", "true")
    vault.git("config", "gpg.program", str(file))


def test_a_program_that_waits_for_a_prompt_ends_within_ten_seconds(vault):
    program(
        vault, f'cd "{vault.root}"; echo $$ > .git/pids; sleep 300 & echo $! >> .git/pids; wait'
    )
    before = vault.git("rev-parse", "HEAD")
    start = time.monotonic()

    with pytest.raises(UnavailableError, match="no end after 8 s") as caught:
        vault.save("a.md")

    assert time.monotonic() - start < 10
    assert "commit.gpgsign" in caught.value.remedy
    assert vault.git("rev-parse", "HEAD") == before
    assert (vault.root / "a.md").read_text() == "saved\n"
    for pid in (vault.root / ".git/pids").read_text().split():
        assert not is_running(pid)


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    "text",
    [
        "exit 2",
        "echo 'no secret key' >&2; exit 2",
        "echo '-----BEGIN PGP SIGNATURE-----'",  # no status line: gpg did not sign
        "echo '[GNUPG:] SIG_CREATED x' >&2",  # no signature
        "exec < /dev/tty",
    ],
)
def test_a_program_that_does_not_sign_makes_no_commit(vault, text):
    program(vault, text)
    before = vault.git("rev-parse", "HEAD")

    with pytest.raises(UnavailableError, match=r"signing the commit with .* failed"):
        vault.save("a.md")

    assert vault.git("rev-parse", "HEAD") == before
    assert vault.status() == ["?? a.md"]


def test_a_program_that_is_not_there_makes_no_commit(vault):
    vault.git("config", "commit.gpgsign", "true")
    vault.git("config", "gpg.program", "/nowhere/gpg")

    with pytest.raises(UnavailableError, match="No such file"):
        vault.save("a.md")


def test_without_signing_configured_commits_are_not_signed(vault):
    vault.save("a.md")

    assert "gpgsig" not in vault.git("cat-file", "commit", "HEAD")
