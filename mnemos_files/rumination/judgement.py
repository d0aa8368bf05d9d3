"""Judges candidates: each judgement is one commit, its reason in the file and in the commit."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from mnemos_files.errors import ConflictError, InvalidRecordError, NotFoundError
from mnemos_files.model.candidate import TYPE, Candidate, from_record, with_judgement
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.rumination.before import old_text
from mnemos_files.rumination.novelty import NEW_MIN, new_words, says_something_new
from mnemos_files.store.edits import Change, Work
from mnemos_files.store.names import link_name, means
from mnemos_files.store.store import Store
from mnemos_files.store.writer import Receipt

_LIST = "Use an id that mnemos_ruminate_list gives."


@dataclass(frozen=True, slots=True)
class Opened:
    """A candidate with the texts of its file, and where that lies."""

    candidate: Candidate
    path: PurePosixPath


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with its judgement; `new_words` are what the reason adds, `by` is the answer."""

    candidate: Candidate
    receipt: Receipt
    by: Note | None = None
    new_words: tuple[str, ...] = ()


def opened(store: Store, name: str) -> Opened:
    """The candidate with this id or path.

    Raises:
        NotFoundError: there is none.
        AmbiguousNameError: several files have this id.
    """
    try:
        note = store.get(name.strip()).note if name.strip() else None
    except NotFoundError as error:
        if len(error.candidates) > 1:
            raise
        note = None
    if note is None or note.record.type != TYPE or not note.is_ours:
        raise _missing(f"rumination candidate not found: {name.strip()}", name, _LIST)
    return Opened(from_record(note.record), note.path)


def target_of(store: Store, candidate: Candidate) -> Note:
    """The memory that a candidate doubts.

    Raises:
        NotFoundError: it was deleted.
    """
    try:
        return store.get(candidate.target).note
    except NotFoundError as error:
        told = f"the target of {candidate.id} was deleted, so there is nothing to judge"
        remedy = "Leave it: the next detection closes it. Its text is in the git history."
        raise _missing(told, candidate.target, remedy) from error


def resolve(store: Store, name: str, resolved_by: str, why: str) -> Judged:
    """Mark a candidate as answered by a skill or memory; the same again changes nothing.

    Raises:
        NotFoundError: there is no such candidate, or nothing that is called `resolved_by`.
        InvalidRecordError: the answer is no skill or memory, is in quarantine or does not hold, or
            the reason says nothing new.
        ConflictError: it was judged otherwise.
        RefusedError, UnavailableError: writing is not possible now, or the reason has a secret.
    """
    found, by = opened(store, name), _answer(store, resolved_by)
    is_same = _is_answered_by(found.candidate, by)
    if not is_same:
        _must_be_pending(found.candidate)
        _must_hold(by.record, store.now())
    words = () if is_same else _checked(store, found.candidate, by, why)
    link = link_name(str(by.path), store.index)

    def to(note: Note) -> Record:
        now = from_record(note.record)
        if _is_answered_by(now, by):
            return note.record
        _must_be_pending(now)
        return with_judgement(
            note.record,
            "resolved",
            why,
            now=store.now(),
            resolved_by=link,
            judged_evidence=now.count,
        )

    return Judged(found.candidate, _commit(store, found, "resolve", why, to), by, words)


def dismiss(store: Store, name: str, why: str) -> Judged:
    """Mark a candidate as one whose evidence does not count.

    Raises:
        NotFoundError: there is no such candidate.
        ConflictError: it was judged already.
        RefusedError, UnavailableError: writing is not possible now, or the reason has a secret.
    """
    found = opened(store, name)

    def to(note: Note) -> Record:
        now = from_record(note.record)
        _must_be_pending(now)
        return with_judgement(
            note.record, "dismissed", why, now=store.now(), judged_evidence=now.count
        )

    return Judged(found.candidate, _commit(store, found, "dismiss", why, to))


def _commit(
    store: Store, found: Opened, op: str, why: str, to: Callable[[Note], Record]
) -> Receipt:
    title = f"{found.candidate.monitor}: {found.candidate.name}"
    subject = f"{op}({TYPE}): {' '.join(title.split())}"
    work = Work(op, subject, [Change(str(found.path), to)], why, store.agent)
    return store.edits.commit(work)


def _answer(store: Store, name: str) -> Note:
    remedy = "Save the revision first; mnemos_skill_save and mnemos_save give its id."
    try:
        note = store.get(name).note
    except NotFoundError as error:
        if len(error.candidates) > 1:
            raise
        raise _missing(f"resolved_by: nothing is called {name!r}", name, remedy) from error
    record = note.record
    if record.type != "skill" and not record.kind.is_saved:
        problem = f"is a {record.type}, not a skill or a memory"
        raise InvalidRecordError("resolved_by", problem, remedy=remedy)
    return note


def _must_hold(record: Record, now: datetime) -> None:
    """Refuse what could not answer by its tag either: nobody could find it."""
    if record.trust_tier == "raw":
        remedy = "Let a person check it, mnemos_promote it, then resolve."
        raise InvalidRecordError("resolved_by", "is in quarantine", remedy=remedy)
    if not record.is_live(now):
        remedy = "Name the memory that holds instead."
        raise InvalidRecordError("resolved_by", "does not hold any more", remedy=remedy)


def _checked(store: Store, candidate: Candidate, by: Note, why: str) -> tuple[str, ...]:
    """The new words of a reason, when there are enough of them."""
    try:
        target = store.get(candidate.target).note
    except NotFoundError:
        target = None
    words = new_words(why, old_text(store, candidate, target, by))
    if says_something_new(words):
        return words
    told = f"new are only {', '.join(words)}" if words else "no word is new"
    raise InvalidRecordError(
        "why_better",
        f"says nothing that the old text did not: {told}; {NEW_MIN} words or a value are needed",
        remedy="Name what the revision predicts that could turn out false. If there is nothing, "
        "it is new wording only: dismiss the candidate.",
    )


def _is_answered_by(candidate: Candidate, by: Note) -> bool:
    is_resolved = candidate.status == "resolved" and candidate.resolved_by != ""
    return is_resolved and means(candidate.resolved_by, str(by.path), by.record.id)


def _must_be_pending(candidate: Candidate) -> None:
    if candidate.is_pending:
        return
    by = f" by {candidate.resolved_by}" if candidate.resolved_by else ""
    on = f" on {candidate.judged:%Y-%m-%d}" if candidate.judged else ""
    raise ConflictError(
        f"{candidate.id} is not pending: it is {candidate.status}{by}{on}",
        remedy="Leave it so; more evidence raises it again by itself.",
    )


def _missing(told: str, name: str, remedy: str) -> NotFoundError:
    error = NotFoundError(name, remedy=remedy)
    error.message = told
    error.args = (told,)
    return error
