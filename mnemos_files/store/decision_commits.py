"""How the commits read by which a person decides on proposals."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from mnemos_files import __version__
from mnemos_files.history.values import Change
from mnemos_files.store.batch import AUTHOR
from mnemos_files.store.draft import Message
from mnemos_files.store.message import message
from mnemos_files.store.proposals import Proposal

APPROVED_BY = "Mnemos-Approved-By"
PROPOSED = "Mnemos-Proposed"
"""Trailer: the commit of the branch that an approved text comes from."""

_AGENTS = "@mnemos.invalid"


def approval(group: Sequence[Proposal], person: str) -> Message:
    """That of the commit which made the first of these, with who approved it."""
    first = group[0]
    made = first.commit
    if made is None:
        plain = message("approve", [one.record for one in group], agent=first.record.agent or None)
        return Message(
            plain.subject, plain.body, (*plain.trailers, (APPROVED_BY, person)), plain.agent
        )
    kept = [(key, value) for key, value in made.trailers if key != "Mnemos-Id"]
    at = 1 if kept and kept[0][0] == "Mnemos-Op" else 0
    ids = [("Mnemos-Id", one.id) for one in group]
    trailers = (*kept[:at], *ids, *kept[at:], (PROPOSED, made.commit), (APPROVED_BY, person))
    agent = made.author_name if made.author_email.endswith(_AGENTS) else None
    return Message(made.subject, made.body, trailers, agent)


def removal(group: Sequence[Proposal], reason: str) -> Change:
    """A rejection, by the person: on the branch, and of its reason on main."""
    made = message("reject", [one.record for one in group], agent=None, body=reason)
    return Change({}, made.subject, made.body, made.trailers)


def journals(files: Mapping[PurePosixPath, bytes], branch: str) -> Change:
    """Events of an agent, which its proposals bring along."""
    trailers = (("Mnemos-Op", "journal"), ("Mnemos-Tool-Version", __version__))
    return Change(files, f"journal(events): of {branch}", "", trailers, AUTHOR)
