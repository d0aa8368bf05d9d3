"""Skills: procedures that worked, saved as Agent Skills, found by task, judged by their uses."""

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from mnemos_files.errors import InvalidQueryError, InvalidRecordError, NotFoundError
from mnemos_files.model.event import OUTCOMES, SkillUsed
from mnemos_files.model.query import Query
from mnemos_files.model.record import Record
from mnemos_files.model.skill import DESCRIPTION_MAX, SESSIONS_KEY, SkillScore, recency, version
from mnemos_files.model.tally import NEVER, Uses
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.scope import AGENT_DEFAULT, AgentId, Author, SessionId, quarantine
from mnemos_files.operations.shown import Screen, shown_id, shown_name, source_of
from mnemos_files.operations.skill_fit import fitting
from mnemos_files.operations.skill_results import (
    SkillMatch,
    SkillMatches,
    SkillSaveResult,
    SkillScoreResult,
    SkillUseResult,
)
from mnemos_files.operations.texts import (
    LIST_MAX,
    PART_MAX,
    QUERY_MAX,
    Tags,
    Texts,
    clean_list,
    required,
)
from mnemos_files.safety.mask import mask

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.model.note import Entry
    from mnemos_files.store.store import Store
    from mnemos_files.store.values import Found

NAME_MAX = 200
NOTE_MAX = 1_000
LIMIT = 5
LIMIT_MAX = 20
"""Most skills of one answer: each must have room for its procedure."""

INTRODUCTION_MAX = 1_000
DIGITS = 6

SkillId = Annotated[str, Param("id or exact name of the skill", max_length=400)]


def skill_save(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    name: Annotated[str, Param("what it is called; same name = next version", max_length=NAME_MAX)],
    description: Annotated[
        str, Param("what it does and when to use it", max_length=DESCRIPTION_MAX)
    ],
    procedure: Annotated[str, Param("the steps, in markdown", max_length=PART_MAX)],
    pitfalls: Annotated[str, Param("what goes wrong, and how to see it", max_length=PART_MAX)] = "",
    tags: Tags = (),
    source_sessions: Annotated[
        Texts, Param("sessions it was learned in", max_length=200, max_items=LIST_MAX)
    ] = (),
    agent_id: Author = "",
    why: Annotated[str, Param("why it changed; kept in the commit", max_length=NOTE_MAX)] = "",
) -> SkillSaveResult:
    """Save a skill, or the next version of the one that this agent has under this name."""
    parts = {"procedure": required("procedure", procedure, PART_MAX), "pitfalls": pitfalls}
    saved = store.skills.save(
        store.fresh(
            Record(
                id="",
                type="skill",
                title=_name(name),
                content=required("description", description, DESCRIPTION_MAX),
                sections=tuple((key, text) for key, text in parts.items() if text.strip()),
                tags=clean_list(tags),
                agent=agent_id.strip() or AGENT_DEFAULT,
                properties=_learned_in(source_sessions),
            )
        ),
        body=why,
    )
    own = f"{saved.path} was a person's own skill; its other keys and files stay as they were"
    return SkillSaveResult(
        id=shown_id(saved.record.id, saved.path),
        name=saved.record.title,
        version=saved.version,
        path=str(saved.path),
        commit=saved.receipt.commit,
        notices=[
            *([own] if saved.was_own else []),
            *quarantine(saved.record.trust_tier),
            *_left_out(store, str(saved.path)),
            *saved.receipt.notices,
        ],
    )


def _left_out(store: "Store", path: str) -> list[str]:
    """What to say of a skill that another one still supersedes by its own words."""
    entry = store.index.entry(path)
    by = entry.record.invalidated_by if entry is not None else ""
    return [f"{shown_name(by)} still supersedes it, so matches leave it out"] if by else []


def skill_match(
    store: "Store",
    *,
    query: Annotated[str, Param("the task, in plain words", max_length=QUERY_MAX)],
    tags: Annotated[Texts, Param("only skills with all of these", max_items=LIST_MAX)] = (),
    agent_id: AgentId = "",
    limit: Annotated[int, Param("most skills; 0 = 5", low=0, high=LIMIT_MAX)] = LIMIT,
) -> SkillMatches:
    """Skills that fit a task, with their procedures; those that worked more often come first."""
    if not query.strip():
        raise InvalidQueryError("query", "is required", remedy="Say in words what is to be done.")
    answer = store.search(
        Query(
            text=query,
            now=store.now(),
            type="skill",
            tags=clean_list(tags),
            agent=agent_id.strip(),
            limit=limit or LIMIT,
        )
    )
    uses = store.journal.tally().uses
    found = [match for hit in answer.found if (match := _match(store, hit, uses)) is not None]
    matches, notices = fitting(found)
    return SkillMatches(
        matches=matches,
        message=None if matches else _nothing(answer.pending),
        notices=[*notices, *answer.notices],
    )


def skill_score(store: "Store", *, id: SkillId) -> SkillScoreResult:  # noqa: A002 - contract
    """How often a skill was used, how well it worked, and how fresh it is."""
    entry = store.skills.find(_asked(id))
    score = _score(entry, store.journal.tally().uses)
    now = store.now()
    return SkillScoreResult(
        skill_id=shown_id(entry.record.id, entry.path),
        name=_shown(entry).text(entry.record.title),
        version=version(entry.record, entry.digest),
        use_count=score.uses,
        success_count=score.successes,
        effectiveness=round(score.effectiveness, DIGITS),
        adjusted_effectiveness=round(score.adjusted, DIGITS),
        recency=round(recency(score.moved, now), DIGITS),
        score=round(score.at(now), DIGITS),
        updated_at=score.moved,
    )


def skill_use(  # noqa: PLR0913 - the parameters of the tool are a fixed public contract
    store: "Store",
    *,
    id: SkillId,  # noqa: A002 - contract
    outcome: Annotated[str, Param("did it work?", choices=OUTCOMES)],
    session_id: SessionId = "",
    agent_id: Author = "",
    note: Annotated[str, Param("what happened", max_length=NOTE_MAX)] = "",
) -> SkillUseResult:
    """Note that a skill was applied and how it went; no commit, the file is not changed."""
    if outcome not in OUTCOMES:
        raise InvalidQueryError("outcome", f"must be one of {', '.join(OUTCOMES)}")
    agent = agent_id.strip() or AGENT_DEFAULT
    entry = store.skills.find(_asked(id), agent)
    session = store.sessions.identify(session_id) if session_id.strip() else ""
    skill = entry.record.id
    event = SkillUsed(store.now(), skill, outcome, agent, session, mask(note.strip()))
    store.journal.append([event])
    score = _score(entry, store.journal.tally().uses)
    return SkillUseResult(
        skill_id=shown_id(skill, entry.path),
        name=_shown(entry).text(entry.record.title),
        outcome=outcome,
        use_count=score.uses,
        success_count=score.successes,
        effectiveness=round(score.effectiveness, DIGITS),
        message=f"noted: {outcome}, {score.successes} of {score.uses} uses worked",
    )


def skill_index(store: "Store") -> list[dict[str, object]]:
    """Every skill that is not quarantined, in short, the one saved or used last first."""
    now = store.now()
    entries = [
        entry
        for entry in store.skills.all()
        if entry.record.trust_tier != "raw" and entry.record.is_live(now)
    ]
    uses = store.journal.tally().uses
    scores = {entry.path: _score(entry, uses) for entry in entries}
    entries.sort(key=lambda entry: scores[entry.path].moved or NEVER, reverse=True)
    return [row for entry in entries if (row := _row(store, entry, scores[entry.path]))]


def _row(store: "Store", entry: "Entry", score: SkillScore) -> dict[str, object] | None:
    try:
        opened = store.skills.read(entry.path)
    except NotFoundError:
        return None  # it went away meanwhile
    record = opened.note.record
    screen = _shown(entry)
    return {
        "id": shown_id(record.id, entry.path),
        "name": screen.text(record.title),
        "description": screen.text(record.content),
        "tags": screen.texts(record.tags),
        "use_count": score.uses,
        "effectiveness": round(score.effectiveness, DIGITS),
        "version": opened.version,
    }


def _match(store: "Store", found: "Found", uses: Mapping[str, Uses]) -> SkillMatch | None:
    entry = found.hit.entry
    try:
        opened = store.skills.read(entry.path)
    except NotFoundError:
        return None  # it went away meanwhile
    record, score, screen = opened.note.record, _score(entry, uses), _shown(entry)
    texts = {key: screen.text(text) for key, text in record.sections}
    return SkillMatch(
        id=shown_id(record.id, entry.path),
        name=screen.text(record.title),
        description=screen.text(record.content),
        procedure=texts.pop("procedure", ""),
        pitfalls=texts.pop("pitfalls", ""),
        tags=screen.texts(record.tags),
        use_count=score.uses,
        effectiveness=round(score.effectiveness, DIGITS),
        version=opened.version,
        score=round(found.hit.score, DIGITS),
        agent_id=screen.text(record.agent),
        path=str(entry.path),
        introduction=screen.text(opened.above.strip())[:INTRODUCTION_MAX] or None,
        parts=texts or None,
        safety_risk=screen.risk_or_none,
        problems=screen.texts(tuple(map(str, opened.note.problems))) or None,
    )


def _shown(entry: "Entry") -> Screen:
    return Screen(source_of(entry.record, is_ours=entry.is_ours))


def _score(entry: "Entry", uses: Mapping[str, Uses]) -> SkillScore:
    """Uses of a skill; those of the time when it was a person's own have its path for an id."""
    known = [uses[name] for name in {entry.record.id, str(entry.path)} if name in uses]
    times = [use.last_use for use in known]
    moved = [entry.record.updated, entry.record.created, *times]
    return SkillScore(
        uses=sum(use.skill_uses for use in known),
        successes=sum(use.skill_successes for use in known),
        moved=max((moment for moment in moved if moment is not None), default=None),
    )


def _name(name: str) -> str:
    clean = required("name", name, NAME_MAX).strip()
    if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") for sign in clean):
        raise InvalidRecordError("name", "must be one line of text", remedy="Shorten it.")
    return clean


def _asked(name: str) -> str:
    if not name.strip():
        remedy = "Give the id or the exact name that mnemos_skill_match gives."
        raise InvalidQueryError("id", "is required", remedy=remedy)
    return name.strip()


def _learned_in(sessions: Texts) -> tuple[tuple[str, Texts], ...]:
    given = tuple(session for session in sessions if session.strip())
    return ((SESSIONS_KEY, given),) if given else ()


def _nothing(pending: int) -> str:
    if pending:
        return f"Nothing found yet; {pending} files are still being read. Ask again soon."
    return "No saved skill fits this task."
