"""Signatures on commits, as the person configured them for git."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pygit2

from mnemos_files.errors import UnavailableError
from mnemos_files.history.identity import Identity
from mnemos_files.history.process import Finished, environment, run

SIGNING_SECONDS = 8.0
"""Longest wait [s] for one signature; a passphrase prompt that nobody sees never ends."""

_PROGRAMS = {"openpgp": "gpg", "x509": "gpgsm", "ssh": "ssh-keygen"}
_LITERAL_KEY = re.compile(r"key::|ssh-|ecdsa-|sk-ssh-|sk-ecdsa-")
_REMEDY = (
    "Unlock the key (ssh-add, or one signed commit in a terminal starts gpg-agent), or set"
    " commit.gpgsign to false for this repository."
)


@dataclass(frozen=True, slots=True)
class Signer:
    """How commits are signed: kind of signature, program, key."""

    kind: str
    program: str
    key: str

    def sign(self, content: bytes) -> str:
        """Armoured signature of the raw text of a commit.

        Raises:
            UnavailableError: the program failed, is missing, or did not answer within 8 s.
        """
        finished = self._run_ssh(content) if self.kind == "ssh" else self._run_gpg(content)
        signed = finished.output.decode("ascii", "replace").replace("\r\n", "\n").strip()
        if not finished.is_ok or not signed.startswith("-----BEGIN "):
            why = finished.errors.splitlines()[-1] if finished.errors else "it gave no signature"
            message = f"signing the commit with {self.program} failed: {why}"
            raise UnavailableError(message, remedy=_REMEDY)
        return signed

    def _run_gpg(self, content: bytes) -> Finished:
        command = [self.program, "--status-fd=2", "-bsau", self.key]
        finished = run(command, content, SIGNING_SECONDS, environment())
        # gpg ends with 0 in some failures; only this status line tells a signature was made.
        made = re.search(r"^\[GNUPG:\] SIG_CREATED ", finished.errors, re.MULTILINE) is not None
        return Finished(finished.is_ok and made, finished.output, finished.errors)

    def _run_ssh(self, content: bytes) -> Finished:
        with _key_file(self.key) as (key, is_literal):
            command = [self.program, "-Y", "sign", "-n", "git", "-f", key]
            command += ["-U"] if is_literal else []
            return run(command, content, SIGNING_SECONDS, environment())


def signer(repo: pygit2.Repository, committer: Identity) -> Signer | None:
    """How this repository's commits are signed, None when they are not.

    Raises:
        UnavailableError: signing is on, but the format is unknown or ssh has no key.
    """
    config = repo.config
    if not is_signing(repo):
        return None
    kind = _text(config, "gpg.format") or "openpgp"
    if kind not in _PROGRAMS:
        raise UnavailableError(f"gpg.format is {kind!r}", remedy="Use openpgp, x509 or ssh.")
    legacy = "gpg.program" if kind == "openpgp" else ""
    program = _text(config, f"gpg.{kind}.program") or _text(config, legacy) or _PROGRAMS[kind]
    key = _text(config, "user.signingkey")
    if kind == "ssh" and not key:
        message = "commits are to be signed with ssh, but user.signingkey is not set"
        raise UnavailableError(message, remedy="git config user.signingkey ~/.ssh/id_ed25519.pub")
    return Signer(kind, _expanded(program), key or f"{committer[0]} <{committer[1]}>")


def is_signing(repo: pygit2.Repository) -> bool:
    """True when `commit.gpgsign` is on."""
    try:
        return repo.config.get_bool("commit.gpgsign")
    except (pygit2.GitError, KeyError, ValueError):
        return False


def _text(config: pygit2.Config, name: str) -> str:
    return str(config[name]) if name and name in config else ""


def _expanded(path: str) -> str:
    return str(Path(path).expanduser()) if path.startswith("~") else path


@contextmanager
def _key_file(key: str) -> Iterator[tuple[str, bool]]:
    """Path of a file with the key; a key given as text is the public half of one in the agent."""
    if not _LITERAL_KEY.match(key):
        yield _expanded(key), False
        return
    with tempfile.TemporaryDirectory(prefix="mnemos-") as folder:
        file = Path(folder, "key.pub")
        file.write_text(key.removeprefix("key::") + "\n", encoding="utf-8")
        yield str(file), True
