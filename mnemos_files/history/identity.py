"""Who stands in a commit: the person as committer, the agent as author."""

import re
import unicodedata
from datetime import datetime

import pygit2

FALLBACK_NAME = "mnemos-files"
FALLBACK_EMAIL = "mnemos-files@localhost.invalid"
"""Committer where git knows no user.name and user.email; `.invalid` can never be delivered to."""

_AGENT_DOMAIN = "mnemos.invalid"
_NOT_IN_ADDRESS = re.compile(r"[^a-z0-9._-]+")
_NAME_LENGTH = 80

Identity = tuple[str, str]
"""Name and address."""


def person(repo: pygit2.Repository) -> Identity:
    """The person's identity after the repository's and the global configuration, else a fallback.

    The environment (GIT_COMMITTER_NAME, ...) is not asked: a server keeps that of its client.
    """
    try:
        found = repo.default_signature
    except (pygit2.GitError, KeyError, ValueError):
        return FALLBACK_NAME, FALLBACK_EMAIL
    return found.name, found.email


def is_fallback(identity: Identity) -> bool:
    """True when git did not know who the person is."""
    return identity == (FALLBACK_NAME, FALLBACK_EMAIL)


def agent_identity(agent: str) -> Identity:
    """Name of an agent without what git forbids in names, and a local address made of it."""
    kept = "".join(" " if _is_forbidden(letter) else letter for letter in agent)
    name = " ".join(kept.split())[:_NAME_LENGTH].strip(" .,:;\"'") or "agent"
    local = _NOT_IN_ADDRESS.sub("-", name.lower()).strip("-.") or "agent"
    return name, f"{local}@{_AGENT_DOMAIN}"


def signature(identity: Identity, now: datetime) -> pygit2.Signature:
    """The identity at a time [s, UTC], as commits and reflogs carry it."""
    return pygit2.Signature(identity[0], identity[1], int(now.timestamp()), 0)


def _is_forbidden(letter: str) -> bool:
    return letter in "<>" or unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp")
