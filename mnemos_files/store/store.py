"""The store: files, history and index together. Every door goes through it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath

from mnemos_files.config import Settings
from mnemos_files.errors import MnemosError
from mnemos_files.format.paths import path_for
from mnemos_files.format.record import parse
from mnemos_files.history.repo import History
from mnemos_files.history.values import Mark
from mnemos_files.index.index import NO_USES, Index
from mnemos_files.model.decay import Decay
from mnemos_files.model.digest import blob_id, content_digest
from mnemos_files.model.note import Entry, Note
from mnemos_files.model.problem import Problem
from mnemos_files.model.query import Order, Query
from mnemos_files.model.record import Record
from mnemos_files.store import names
from mnemos_files.store.batch import Batch
from mnemos_files.store.check import all_problems
from mnemos_files.store.conflicts import Conflicts
from mnemos_files.store.deciding import Deciding
from mnemos_files.store.desk import Desk
from mnemos_files.store.editing import Editing
from mnemos_files.store.edits import Edits
from mnemos_files.store.exchange import Exchange
from mnemos_files.store.guard import Guard, marked
from mnemos_files.store.journal import Journal
from mnemos_files.store.lookup import Lookup
from mnemos_files.store.message import message
from mnemos_files.store.place import Place
from mnemos_files.store.plans import AGENT_DEFAULT, Plans, adoption
from mnemos_files.store.refresh import PATIENCE_SECONDS, Progress, Refresher
from mnemos_files.store.restoring import Restoring
from mnemos_files.store.session_files import SessionFiles
from mnemos_files.store.sessions import SessionParts, Sessions
from mnemos_files.store.skills import SkillParts, Skills
from mnemos_files.store.soundness import Soundness
from mnemos_files.store.sources import Sources
from mnemos_files.store.timeline import Timeline
from mnemos_files.store.upkeep import Upkeep
from mnemos_files.store.values import Answer, Found, Linked, Opened, Removed, Saved, Updated
from mnemos_files.store.versions import Versions
from mnemos_files.store.worker import Worker
from mnemos_files.store.writer import Draft, Parts, Plan, Planned, Receipt, Writer


class Store:
    """One vault: put, get, link, remove, search. Thread-safe; `close` it."""

    def __init__(
        self,
        place: Place,
        index: Index,
        refresher: Refresher,
        journal: Journal,
        sources: Sources,
    ) -> None:
        self.place = place
        self.index = index
        self.journal = journal
        self._refresher = refresher
        self._upkeep = upkeep = Upkeep(place, refresher)
        self._clock = clock = sources.clock
        self._make_id = sources.make_id
        self.desk: Desk | None = None
        """The work tree of proposals, where this store is open on one."""
        self.agent = AGENT_DEFAULT
        files = SessionFiles(place.vault, index, journal)
        self.sessions = Sessions(SessionParts(files, self.refresh, self._run, sources))
        self.skills = Skills(SkillParts(place.vault, index, self.refresh, self._run, clock))
        self._plans = Plans(place.vault, index, clock, files)
        self.edits = Edits(self._plans, self.skills, self.refresh, self._run)
        self.editing = Editing(self._plans, self.refresh, self._run, sources.make_id)
        self.timeline = Timeline(index)
        self._soundness = Soundness(place, index, refresher)
        self._lookup = Lookup(place.vault, index, refresher)
        self.versions = Versions(place, self._lookup, self.refresh)
        self.restoring = Restoring(self._plans, self.versions, self._run)
        self.batch = Batch(journal, lambda: self.history, self._run, clock)
        self.batch.tasks.append(self.versions.prepare)
        self._worker = Worker(
            refresher, index, sweep=self._sweep, repair=upkeep.repair, idle=self.batch.idle
        )
        self._writer = Writer(
            Parts(
                vault=place.vault,
                lock=place.lock,
                prepare=upkeep.prepare,
                found=upkeep.found,
                written=upkeep.written,
                committed=refresher.skip_head,
                adopt=lambda path, data: adoption(path, data, self.settings),
                journal=journal.batch,
                guard=Guard(place),
                clock=clock,
            )
        )
        self.exchange = Exchange(place, self._writer, self.commit_journal)
        self.conflicts = Conflicts(self._plans, self.refresh, self._run)
        self.deciding = partial(Deciding, place, self._writer.run_all, self._soundness.check)

    @property
    def settings(self) -> Settings:
        """What the owner of the vault has set."""
        return self.place.settings

    @property
    def history(self) -> History | None:
        """The vault's git history, None while there is none."""
        return self.place.history

    def acting_for(self, agent: str) -> "Store":
        """This very store, whose commits name this agent where a call names none."""
        other = copy(self)
        other.agent, other.sessions = agent, self.sessions.acting_for(agent)
        other.skills = self.skills.acting_for(agent)
        other.editing = self.editing.acting_for(agent)
        other.restoring = self.restoring.acting_for(agent)
        return other

    def now(self) -> datetime:
        """The store's clock, UTC."""
        return self._clock()

    def new_id(self, now: datetime) -> str:
        """A fresh id for a record of this moment."""
        return self._make_id(now)

    def fresh(self, record: Record) -> Record:
        """The record with a new id, created now."""
        now = self.now()
        return replace(record, id=self.new_id(now), created=now.replace(microsecond=0))

    def start(self) -> None:
        """Begin to catch up in the background, and commit what a crash left uncommitted."""
        self._worker.start()
        if self.place.has_debts():
            self.recover()

    def commit_journal(self) -> Receipt:
        """Commit this machine's journals as they are; no commit when there is nothing new.

        Raises:
            RefusedError, UnavailableError: no commit can be made now.
        """
        return self.batch.commit()

    def recover(self) -> int:
        """Commit what an earlier process left whole but uncommitted; the number of commits."""
        return self._writer.recover()

    def close(self) -> None:
        """Write the index to disk and stop the background work."""
        self._worker.stop()
        self.place.close()
        self.index.close()

    def put(
        self, record: Record, *, supersedes: Sequence[str] = (), with_journal: bool = False
    ) -> Saved:
        """Add a record in one commit, invalidating those that it supersedes (ids or paths).

        `with_journal`: the commit takes this machine's journals too.

        Raises:
            InvalidRecordError: a text cannot be stored.
            NotFoundError: a superseded record or the session does not exist.
            RefusedError, ConflictError, UnavailableError: writing is not possible now.
        """
        record, digest = marked(record), content_digest(record)
        existing: list[Record] = []

        def plan(draft: Draft) -> Planned | None:
            self._plans.sessions.attach(record.session, draft.look)
            twin = self._plans.twin(record, digest, draft)
            if twin is not None:
                existing.append(twin)
                return None
            agent = self.agent if record.agent == AGENT_DEFAULT else record.agent
            planned = self._plans.put(record, supersedes, agent, draft)
            draft.saved[digest] = record
            return replace(planned, with_journal=with_journal)

        if self._plans.sessions.is_lost(record.session):
            self._refresher.refresh()
        receipt = self._run(plan)
        found = existing[0] if existing else record
        path = self._path_of(found)
        if self._refresher.pending and not existing:
            left = f"duplicates were not looked for in {self._refresher.pending} files not yet read"
            receipt = replace(receipt, notices=(*receipt.notices, left))
        return Saved(found, path, not existing, receipt)

    def link(self, source: str, target: str, link_type: str) -> Linked:
        """Link two records by id or path; `supersedes` also invalidates the target, in one commit.

        Raises:
            NotFoundError, AmbiguousNameError: an end is not exactly one note.
            RefusedError: an end that must change is a person's own note.
            CorruptError: an end's front matter cannot be read, so it is not changed.
        """
        ends: list[tuple[Record, Record]] = []
        changed: list[bool] = []

        def plan(draft: Draft) -> Planned | None:
            one = self._plans.exact(source, draft)
            other = self._plans.exact(target, draft)
            ends.append((one.record, other.record))
            planned = self._plans.link(one, other, link_type, self.agent, draft)
            changed.append(planned is not None)
            return planned

        self._refresher.refresh()
        receipt = self._run(plan)
        before, other = ends[-1]
        return Linked(before, other, changed[-1], receipt)

    def update(
        self,
        name: str,
        change: Callable[[Note], Record],
        *,
        op: str,
        body: str = "",
        with_journal: bool = False,
    ) -> Updated:
        """Change one record of ours (by id or path) in one commit; `body` says why.

        `change` gets the note as it is now and gives the record as it shall be; the same record
        makes no commit. It may be called more than once. `with_journal`: the commit takes this
        machine's journals too.

        Raises:
            NotFoundError, AmbiguousNameError: the name is not exactly one note.
            RefusedError: the note is a person's own.
            CorruptError: its front matter cannot be read, so it is not changed.
        """
        changed: list[tuple[Note, Record]] = []

        def plan(draft: Draft) -> Planned | None:
            note = self._plans.exact(name, draft)
            after = marked(change(note), note.record)
            changed.append((note, after))
            who = after.agent if self.agent == AGENT_DEFAULT else self.agent
            commit = message(op, [after], agent=who or AGENT_DEFAULT, body=body)
            planned = self._plans.update(note, after, commit, draft)
            return planned and replace(planned, with_journal=with_journal)

        self._refresher.refresh()
        receipt = self._run(plan)
        note, after = changed[-1]
        return Updated(note.record, after, note.path, receipt)

    def remove(self, name: str) -> Removed:
        """Delete one note (by id or path) from the files; its history stays.

        Raises:
            NotFoundError, AmbiguousNameError: the name is not exactly one note.
        """
        gone: list[Note] = []

        def plan(draft: Draft) -> Planned:
            note = self._plans.exact(name, draft)
            gone.append(note)
            return self._plans.remove(note, self.agent)

        self._refresher.refresh()
        receipt = self._run(plan)
        return Removed(gone[-1].record, gone[-1].path, receipt)

    def get(self, name: str) -> Opened:
        """One note by id, path or the name that links use, read from its file.

        Raises:
            NotFoundError, AmbiguousNameError: the name is not exactly one note.
        """
        self._refresher.refresh(patience_seconds=PATIENCE_SECONDS)
        path = self._lookup.find(name)
        data, _ = self.place.vault.read(PurePosixPath(path))
        note = parse(PurePosixPath(path), data)
        return Opened(note, blob_id(data), self.index.entry(path))

    def search(self, query: Query) -> Answer:
        """Ranked notes for a question, after a look at what moved on disk.

        Raises:
            InvalidQueryError: a bound of the query is impossible.
            UnavailableError: the past was asked of a vault without history.
        """
        pending = self._refresher.refresh(patience_seconds=PATIENCE_SECONDS)
        self._worker.wake()
        view, blobs, uses = (None, None, NO_USES)
        if query.past is not None:
            then = self.timeline.at(self.history, query.past)
            view, blobs = then.view, then.blobs
        else:
            with suppress(MnemosError):  # a read never fails for its journal
                uses = self.journal.tally().uses
        floor, decay = self.settings.relevance_floor, Decay(*self.settings.decay)
        ranking = self.index.search(query, floor=floor, view=view, uses=uses, decay=decay)
        passage = self._lookup.passage
        found = tuple(Found(hit, passage(hit, query, self.history, blobs)) for hit in ranking.hits)
        return Answer(found, ranking, pending, self.urgent_notices())

    def select(self, query: Query, *, order: Order, limit: int) -> list[Entry]:
        """The first notes in the query's scope, after a look at what moved on disk.

        The query's text, limit and offset do not count.
        """
        self.refresh()
        return self.index.select(query, order=order, limit=limit)

    def saved_in(self, session_id: str, path: PurePosixPath | None = None) -> list[Entry]:
        """Notes whose session link means this session, oldest first; also those not live or raw.

        `path` is that of the session's file, by default of the one that has its id.
        """
        self.refresh()
        file = str(path) if path is not None else next(iter(self.index.by_id(session_id)), "")
        found = self.index.by_session(session_id, PurePosixPath(file).stem)
        return [one for one in found if names.means(one.record.session, file, session_id)]

    def last_change(self, path: PurePosixPath) -> Mark | None:
        """Who committed the text that a file has in the history, None when nobody has."""
        return None if self.history is None else self.history.last_change(path)

    def resolve(self, target: str) -> tuple[str, ...]:
        """Paths that a link may mean: one, none (dangling) or several (ambiguous)."""
        return names.resolve(target, self.index)

    def refresh(self) -> int:
        """Look at what moved on disk; the number of files that are still to be read."""
        left = self._refresher.refresh(patience_seconds=PATIENCE_SECONDS)
        self._worker.wake()
        return left

    def finish(self, progress: Progress | None = None) -> None:
        """Wait until everything on disk is in the index; `progress(done, total)` on the way."""
        self._refresher.finish(progress)

    def rebuild(self, progress: Progress | None = None) -> None:
        """Drop the index and what is kept of the commits, and read every file anew."""
        self.versions.forget()
        self._refresher.start_over()
        self._refresher.finish(progress)
        self.index.flush()

    @property
    def missing(self) -> int:
        """Notes that vanished from the folder without a commit that says so [0 = all well]."""
        return self._refresher.missing

    def accept_missing(self) -> None:
        """Believe that notes which are gone from the folder are meant to be gone."""
        self._refresher.accept_missing()

    def problems(self, *, foreign: bool = False) -> list[Problem]:
        """Everything in the vault that a person should look at, by path and line.

        `foreign`: also the links of notes that are no memories.
        """
        self._refresher.finish()
        return all_problems(self.index, self.place.vault, self.settings, foreign=foreign)

    def notices(self) -> tuple[str, ...]:
        """Every fact about the state of files, index and history that a person should know."""
        return (*self.urgent_notices(), *self.place.facts)

    def urgent_notices(self) -> tuple[str, ...]:
        """Those that every answer should pass on; costs microseconds."""
        return (*self._soundness.notices(), *self.index.notices, *self.place.urgent)

    def _run(self, plan: Plan) -> Receipt:
        self._soundness.check()
        self.batch.note_activity()
        try:
            receipt = self._writer.run(plan)
        finally:
            self._worker.wake()
        if self.desk is None or not receipt.commit:
            return receipt
        return replace(receipt, notices=(*receipt.notices, self.desk.notice))

    def _sweep(self) -> None:
        """Clean up the temporary files of writers that were killed."""
        if self._upkeep.has_temporaries():
            self._writer.sweep()

    def _path_of(self, record: Record) -> PurePosixPath:
        paths = self.index.by_id(record.id)
        return PurePosixPath(paths[0]) if paths else path_for(record)
