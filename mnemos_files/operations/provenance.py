"""Where a memory came from."""

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

from mnemos_files.operations import commit_texts
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.history_results import (
    CommitRow,
    LinesRow,
    ProvenanceResult,
    TierRow,
)
from mnemos_files.operations.relations import ROWS_MAX, Relations
from mnemos_files.operations.scope import MemoryId
from mnemos_files.operations.shown import Screen, clip, shown_id, shown_name, source_of
from mnemos_files.operations.size import ANSWER_MAX, Row, cost, fitting
from mnemos_files.safety.present import masked
from mnemos_files.safety.verdict import worst

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.model.note import Note
    from mnemos_files.model.record import Record
    from mnemos_files.store.store import Store
    from mnemos_files.store.versions import Subject, Version

CHANGES_MAX = 8
"""Newest commits [1] that are told beside the one that made the memory."""

TIERS_MAX = 5
LOOKED_AT_MAX = 200
"""Versions [1] that are read to find changes of the trust tier."""

LINE_MAX = 160
"""Longest text [characters] that is shown of neighbouring lines."""

ROOM = 12_000
ROOM_BESIDE_BLAME = 7_000
"""Room [characters] of all lists together, without who wrote which lines."""

SHARE = 1_000
"""Room [characters] that is kept for each list to come, so that all of them have a part."""

_LISTS = 6
_TIER = re.compile(rb"trust[_-]tier[\"']?:[ \t]*(.*?)\s*$", re.MULTILINE)
"""Where a file tells its tier: read first, since most versions have the same."""
_UNSEEN = "[not shown]"


def provenance(
    store: "Store",
    *,
    id: MemoryId,  # noqa: A002 - contract
    blame: Annotated[bool, Param("also who wrote which lines")] = False,
    offset: Annotated[int, Param("first of blame's rows; next_offset tells", low=0)] = 0,
) -> ProvenanceResult:
    """Where one memory came from, and what came from it."""
    subject = store.versions.subject(id)
    versions = store.versions.of_subject(subject)
    note = store.versions.newest(subject, versions)
    told = _Told(store, subject, versions, note, ROOM_BESIDE_BLAME if blame else ROOM)
    whole = told.all_but_lines()
    if blame:
        rows = told.lines()
        part = fitting(rows[offset:], ANSWER_MAX - cost(whole), least=1)
        end = offset + len(part)
        more = end if part and end < len(rows) else None
        whole = replace(whole, blame=part, next_offset=more)
    risk = worst((told.commits.risk, told.text.risk))
    return replace(
        whole,
        risk=None if risk == "none" else risk,
        rules=list(dict.fromkeys([*told.commits.rules, *told.text.rules])) or None,
    )


class _Told:
    """What is told of one memory. `commits` shows what commits say, `text` what the note says."""

    def __init__(
        self,
        store: "Store",
        subject: "Subject",
        versions: "list[Version]",
        note: "Note",
        room: int,
    ) -> None:
        self._store, self._subject, self._versions = store, subject, versions
        self._note, self._room = note, room
        self._lists = _LISTS
        self._notices: list[str] = []
        self.commits = Screen("import")
        self.text = Screen(source_of(note.record, is_ours=note.is_ours))

    def all_but_lines(self) -> ProvenanceResult:
        """Everything but who wrote which line."""
        record = self._note.record
        relations = Relations(self._store, self._subject.path)
        return ProvenanceResult(
            id=shown_id(record.id, self._note.path),
            title=self.text.text(clip(record.title)),
            type=record.type,
            path=self.commits.text(self._subject.path),
            deleted=not self._subject.is_there,
            trust_tier=record.trust_tier,
            source_kind=record.source_kind,
            agent_id=self.text.text(clip(record.agent)),
            commits=len(self._versions),
            sources=self._share_of("sources", relations.sources(record)),
            derived=self._share_of("derived", relations.derived()),
            links=self._share_of("links", relations.links(self._note)),
            backlinks=self._share_of("backlinks", relations.backlinks()),
            made=self._commit(-1) if self._versions else None,
            changes=self._changes(),
            tiers=self._share_of("tiers", self._tiers()),
            session=shown_name(record.session) or None,
            session_title=self._session_title(record.session),
            source=self._property("source"),
            source_offset=self._property("offset"),
            source_time=self._property("timestamp"),
            created_at=record.created,
            promoted_reason=self.text.text(clip(record.promoted_reason)) or None,
            notices=[*self._notices, *commit_texts.notices(self._store)],
        )

    def lines(self) -> list[LinesRow]:
        """Runs of neighbouring lines with one origin, from the top of the file."""
        found = self._store.versions.blame(self._subject)
        shown = self._shown([line for line, _ in found])
        rows = []
        for version, run in groupby(enumerate(found, 1), key=lambda each: each[1][1]):
            numbers = [number for number, _ in run]
            part = "\n".join(shown[number - 1] for number in numbers)
            text = self.text.text(part if len(part) <= LINE_MAX else f"{part[:LINE_MAX]}…")
            rows.append(self._line(LinesRow(numbers[0], numbers[-1], text, "person"), version))
        return rows

    def _line(self, row: LinesRow, version: "Version | None") -> LinesRow:
        if version is None:
            return row
        origin = self._store.versions.origin(version)
        return replace(
            row,
            by=commit_texts.by(origin),
            author=commit_texts.named(self.commits, origin.author),
            when=origin.when,
            commit=version.commit,
        )

    def _shown(self, lines: list[str]) -> list[str]:
        """The lines without secrets, looked for in the whole text: one may span lines."""
        shown = masked("\n".join(lines)).split("\n")
        if len(shown) == len(lines):
            return shown
        left = set(shown)
        return [line if line in left else _UNSEEN for line in lines]

    def _changes(self) -> list[CommitRow]:
        """The newest commits, but not the one that made the memory."""
        count = min(len(self._versions) - 1, CHANGES_MAX)
        rows = [self._commit(place) for place in range(count)]
        told = self._fitting(rows)
        if len(told) < len(self._versions) - 1:
            self._notices.append("changes are the newest ones; mnemos_history gives all")
        return told

    def _commit(self, place: int) -> CommitRow:
        version = self._versions[place]
        origin = self._store.versions.origin(version)
        older = self._versions[place + 1 :] if place >= 0 else []
        is_back = any(one.id for one in older)
        return CommitRow(
            what=commit_texts.what(version, is_merge=origin.is_merge, is_back=is_back),
            commit=version.commit,
            when=origin.when,
            author=commit_texts.named(self.commits, origin.author),
            by=commit_texts.by(origin),
            subject=commit_texts.told(self.commits, origin.subject) or "",
            why=commit_texts.told(self.commits, origin.body),
            session=commit_texts.trailer(origin, "Session"),
        )

    def _tiers(self) -> list[TierRow]:
        """Changes of the trust tier, the newest first."""
        known = [version for version in self._versions[:LOOKED_AT_MAX] if version.id]
        named = [_TIER.search(self._store.versions.text(version)) for version in known]
        tiers = [found and found[1] for found in named]
        rows = []
        for place in range(len(known) - 1):
            if tiers[place] != tiers[place + 1]:
                new, old = (self._store.versions.note(one).record for one in known[place:][:2])
                if new.trust_tier != old.trust_tier:
                    rows.append(self._tier(known[place], old, new))
        return rows

    def _tier(self, version: "Version", old: "Record", new: "Record") -> TierRow:
        origin = self._store.versions.origin(version)
        given = new.promoted_reason if new.promoted_reason != old.promoted_reason else ""
        return TierRow(
            from_tier=old.trust_tier,
            to_tier=new.trust_tier,
            when=origin.when,
            author=commit_texts.named(self.commits, origin.author),
            by=commit_texts.by(origin),
            why=commit_texts.told(self.commits, given or origin.body) or "",
        )

    def _session_title(self, link: str) -> str | None:
        paths = self._store.resolve(link) if link else ()
        entry = self._store.index.entry(paths[0]) if len(paths) == 1 else None
        return None if entry is None else self.commits.text(clip(entry.record.title))

    def _property(self, key: str) -> str | None:
        value = dict(self._note.record.properties).get(key, "")
        return self.text.text(clip(value if isinstance(value, str) else ", ".join(value))) or None

    def _share_of(self, name: str, rows: list[Row]) -> list[Row]:
        told = self._fitting(rows)
        if len(told) < len(rows):
            least = "at least " if len(rows) >= ROWS_MAX else ""
            self._notices.append(f"{name}: the first {len(told)} of {least}{len(rows)}")
        return told

    def _fitting(self, rows: list[Row]) -> list[Row]:
        """The first rows that fit into the room left, with something left for the other lists."""
        self._lists -= 1
        told = fitting(rows, self._room - SHARE * self._lists)
        self._room -= sum(map(cost, told))
        return told
