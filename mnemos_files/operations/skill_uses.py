"""Skills that a client says it used, as texts: `name`, `id`, `name=success` or `name=failure`."""

from typing import TYPE_CHECKING

from mnemos_files.model.event import OUTCOMES

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

_BY_STATUS = {"ok": "success", "failed": "failure"}
"""The outcome of a skill where nothing else is said: blocked or abandoned work says nothing."""

Uses = tuple[tuple[str, str], ...]


def skill_uses(
    store: "Store", texts: tuple[str, ...], status: str, session_id: str
) -> tuple[Uses, list[str]]:
    """Ids of skills with their outcomes, each once, and facts about those that have none.

    A name means the skill of the session's agent before one of another. A skill whose use in this
    session was noted before is not counted again, neither by an agent that says both nor by a
    second try to end the session.

    Raises:
        NotFoundError: no skill is called so.
        AmbiguousNameError: skills of several agents are called so.
    """
    named = [_split(text) for text in texts if text.strip()]
    if not named:
        return (), []
    session = store.sessions.find(session_id)
    agent = "" if session is None else session.agent
    found = {store.skills.find(name, agent).record.id: (name, said) for name, said in named}
    trace = store.journal.tally().sessions.get(session_id)
    noted = frozenset() if trace is None else trace.skills
    uses, notices = [], []
    for skill, (name, said) in found.items():
        if skill in noted:
            notices.append(f"the use of {name} in this session was counted before: not once more")
            continue
        outcome = said or _BY_STATUS.get(status, "")
        if outcome:
            uses.append((skill, outcome))
        else:
            remedy = f"say {name}=success or {name}=failure"
            notices.append(
                f"the use of {name} was not recorded, as the session is {status}: {remedy}"
            )
    return tuple(uses), notices


def _split(text: str) -> tuple[str, str]:
    """Name and outcome; the outcome is "" where the text does not end in one."""
    name, _, outcome = text.rpartition("=")
    word = outcome.strip().lower()
    return (name.strip(), word) if name.strip() and word in OUTCOMES else (text.strip(), "")
