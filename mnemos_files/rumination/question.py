"""A candidate as a question to an agent: the target, what speaks against it, and what to do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mnemos_files.model.candidate import REVISED_TAG, Candidate
from mnemos_files.model.note import Note
from mnemos_files.model.ulid import is_ulid
from mnemos_files.safety.frame import frame
from mnemos_files.safety.present import present
from mnemos_files.safety.verdict import Risk, worst

EVIDENCE_MAX = 240
"""Longest line of evidence [characters]."""

_PLAIN_NAME = re.compile(r"[\w.-]{1,80}")

RESTATEMENT = """\
## Falsifiable restatement

If what is quoted above held, the evidence below it would not be there. Put it into one sentence \
that forbids something: in which case, seen by whom, would it be wrong? A revision must still \
stand when that sentence is held against every line of the evidence."""

HOSTILE = """\
## Hostile review

Answer each before you decide. Argue against the text, not for it.

1. **The opposite.** Make the strongest case that the reverse is true. Who would be right to act \
the other way, and when?
2. **The fatal flaw.** If it is wrong, which single assumption breaks it? Name the one, not a list.
3. **Refuted, or noise?** Does the evidence speak against the text itself, or is it chance, misuse \
or another cause? What would you see next in either case?
4. **Moved ground.** What has changed since it was written: versions, tools, data, people, scale? \
Was it right then and is not now?
5. **A new prediction.** What does your revision say will happen that the old text did not, and \
that could turn out false? If there is nothing, stop: it is new wording, no revision. Dismiss."""


@dataclass(frozen=True, slots=True)
class Question:
    """The text for a model, the risk of what it quotes, and whether the target was cut."""

    text: str
    risk: Risk
    is_cut: bool


def question(candidate: Candidate, target: Note, room: int) -> Question:
    """The question about a target, of which at most `room` characters are quoted.

    What is stored stands in one frame, made harmless; what to do stands outside of it.
    """
    source = target.record.source_kind if target.is_ours else "import"
    whole = hypothesis(target)
    quoted, risks = [], []
    for text in (_head(candidate, target), _cut(whole, room, target), _evidence(candidate)):
        shown = present(text, source=source)
        quoted.append(shown.text)
        risks.append(shown.risk)
    parts = [frame("\n\n".join(quoted)), RESTATEMENT, HOSTILE, _action(candidate, target)]
    return Question("\n\n".join(parts), worst(risks), len(whole) > room)


def hypothesis(target: Note) -> str:
    """What the target says, as it says it: a skill's procedure or the content, then its parts."""
    record = target.record
    parts = dict(record.sections)
    first = parts.pop("procedure", "") if record.type == "skill" else record.content
    headings = {section.key: section.heading for section in record.kind.sections}
    texts = [first, *(f"### {headings.get(key, key)}\n\n{text}" for key, text in parts.items())]
    return "\n\n".join(text for text in texts if text.strip())


def _head(candidate: Candidate, target: Note) -> str:
    record = target.record
    title = " ".join(record.title.split()) or record.id
    who = f", skill of agent {record.agent or 'default'}" if record.type == "skill" else ""
    status = "" if candidate.is_pending else f" ({candidate.status})"
    return (
        f"# Second thoughts: {title}\n\n"
        f"*{candidate.monitor}, {candidate.severity}: {candidate.reason}{status}*\n\n"
        f"Target: {record.id}{who}, {target.path}"
    )


def _cut(text: str, room: int, target: Note) -> str:
    if len(text) > room:
        text = f"{text[:room]}\n\n[cut; mnemos_get with id {target.record.id} gives all of it]"
    return f"## Hypothesis under review\n\n{text}"


def _evidence(candidate: Candidate) -> str:
    lines = [f"- {each.label} — {_short(each.content)}" for each in candidate.evidence]
    return "## Disconfirming evidence\n\n" + "\n".join(lines or [f"- {candidate.reason}"])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EVIDENCE_MAX else f"{line[: EVIDENCE_MAX - 1].rstrip()}…"


def _action(candidate: Candidate, target: Note) -> str:
    name = _name(candidate.id, "the id of this candidate")
    steps = [*_judged(candidate), *_revisions(candidate, target, name)]
    steps.append(
        f"**It holds as it is:** mnemos_ruminate_dismiss with id {name} and a reason that says "
        "why the evidence does not count."
    )
    return "## Action\n\n" + "\n".join(f"- {step}" for step in steps)


def _judged(candidate: Candidate) -> Iterator[str]:
    if not candidate.is_pending:
        yield (
            f"It is {candidate.status} already and can be judged anew only when more evidence "
            "raises it again; you may still mend the target."
        )


def _revisions(candidate: Candidate, target: Note, name: str) -> Iterator[str]:
    record, tag = target.record, f"{REVISED_TAG}{name}"
    mine = record.id if is_ulid(record.id) else "the target above"
    resolve = f"then mnemos_ruminate_resolve with id {name}, resolved_by the id that you get"
    if record.type == "skill":
        yield (
            "**It must change:** mnemos_skill_save under the same name and agent_id, with the tag "
            f"{tag} beside its own tags; {resolve}, and why_better. Or let an unused skill fade."
        )
        return
    replaces = f"supersedes [{mine}] and " if target.is_ours else ""
    yield (
        f"**It must change:** mnemos_save of what is true instead, with {replaces}the tag {tag}; "
        f"{resolve}, and why_better. What you only infer is quarantined and closes nothing."
    )
    if candidate.monitor == "contradiction-detected" and target.is_ours:
        yield (
            "**The other record is right already:** mnemos_link from it to "
            f"{mine} with link_type supersedes."
        )
    if candidate.monitor == "stale-raw":
        yield (
            f"**It was checked and is true:** mnemos_promote with id {mine} to curated; worthless: "
            "mnemos_delete."
        )


def _name(name: str, otherwise: str) -> str:
    """A name that may stand outside of the frame."""
    return name if _PLAIN_NAME.fullmatch(name) else otherwise
