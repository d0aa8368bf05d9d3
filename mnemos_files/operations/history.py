"""The versions of a note."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated

from mnemos_files.operations import commit_texts
from mnemos_files.operations.arguments import Param
from mnemos_files.operations.history_results import HistoryResult, VersionRow
from mnemos_files.operations.scope import MemoryId
from mnemos_files.operations.shown import Screen, shown_id, source_of
from mnemos_files.operations.size import ANSWER_MAX, cost
from mnemos_files.safety.verdict import worst

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store
    from mnemos_files.store.versions import OnDisk, Subject, Version, Versions

LIMIT = 20
DIFF_MAX = 3_000
"""Longest difference [characters] of one version; it is cut at the end of a line."""

DIFF_MIN = 200
_UNSEEN = "(only line ends, or characters that are never shown)\n"


def history(
    store: "Store",
    *,
    id: MemoryId,  # noqa: A002 - contract
    limit: Annotated[int, Param("versions on a page", low=0, high=100)] = LIMIT,
    offset: Annotated[int, Param("where the page begins; next_offset tells", low=0)] = 0,
    diff: Annotated[bool, Param("show what each version changed")] = False,
) -> HistoryResult:
    """The versions of one note, newest first, also of a deleted or renamed one."""
    subject = store.versions.subject(id)
    versions = store.versions.of_subject(subject)
    note = store.versions.newest(subject, versions)
    rows = _Rows(
        store.versions,
        subject,
        versions,
        Screen("import"),
        Screen(source_of(note.record, is_ours=note.is_ours)),
        with_diff=diff,
    )
    whole = HistoryResult(
        id=shown_id(note.record.id, note.path),
        title=rows.text.text(note.record.title),
        path=rows.commits.text(subject.path),
        deleted=not subject.is_there,
        total=rows.total,
        versions=[],
        notices=commit_texts.notices(store),
    )
    page = rows.page(offset, limit or LIMIT, ANSWER_MAX - cost(whole))
    end = offset + len(page)
    risk = worst((rows.text.risk, rows.commits.risk))
    return replace(
        whole,
        versions=page,
        next_offset=end if page and end < rows.total else None,
        risk=None if risk == "none" else risk,
        rules=list(dict.fromkeys([*rows.text.rules, *rows.commits.rules])) or None,
    )


@dataclass(slots=True)
class _Rows:
    """The rows of a note: an edit that is not committed, then its versions.

    `commits` shows what commits say, `text` what the note says.
    """

    past: "Versions"
    subject: "Subject"
    versions: "list[Version]"
    commits: Screen
    text: Screen
    with_diff: bool
    disk: "OnDisk | None" = None
    edits: int = 0
    blobs: dict[str, bytes] = field(default_factory=lambda: {"": b""})

    def __post_init__(self) -> None:
        self.disk = self.past.on_disk(self.subject)
        self.edits = int(self.disk is not None and not self.disk.is_committed)

    @property
    def total(self) -> int:
        """Number of rows."""
        return len(self.versions) + self.edits

    def page(self, offset: int, limit: int, room: int) -> list[VersionRow]:
        """The rows that fit into so much room [characters], at least one while there is any."""
        rows: list[VersionRow] = []
        for place in range(offset, min(offset + limit, self.total)):
            row = _cut_down(self._row(place), room if not rows else ANSWER_MAX)
            room -= cost(row)
            if room < 0 and rows:
                break
            rows.append(row)
        return rows

    def _row(self, place: int) -> VersionRow:
        if place < self.edits and self.disk is not None:
            return self._uncommitted(self.disk)
        return self._committed(place - self.edits)

    def _uncommitted(self, disk: "OnDisk") -> VersionRow:
        last = self.versions[0] if self.versions else None
        before = self.past.text(last) if last is not None and last.id else b""
        moved = self.subject.known_as != self.subject.path
        row = VersionRow(
            what="uncommitted",
            path=self.commits.text(self.subject.path),
            when=disk.changed,
            by="person",
            version=disk.version,
            renamed_from=self.commits.text(self.subject.known_as) if moved else None,
        )
        return self._compared(row, before, disk.data)

    def _committed(self, place: int) -> VersionRow:
        version = self.versions[place]
        origin = self.past.origin(version)
        is_back = any(older.id for older in self.versions[place + 1 :])
        before, after = self._blob(version.before), self._blob(version.id)
        author, committer = (
            commit_texts.named(self.commits, name) for name in (origin.author, origin.committer)
        )
        row = VersionRow(
            what=commit_texts.what(version, is_merge=origin.is_merge, is_back=is_back),
            path=self.commits.text(str(version.path)),
            when=origin.when,
            by=commit_texts.by(origin),
            version=version.id or None,
            commit=version.commit,
            author=author,
            committer=committer if committer != author else None,
            subject=commit_texts.told(self.commits, origin.subject),
            why=commit_texts.told(self.commits, origin.body),
            op=commit_texts.trailer(origin, "Op"),
            session=commit_texts.trailer(origin, "Session"),
            source_kind=commit_texts.trailer(origin, "Source-Kind"),
            renamed_from=self.commits.text(str(version.former)) if version.former else None,
        )
        return self._compared(row, before, after)

    def _blob(self, blob: str) -> bytes:
        if blob not in self.blobs:
            self.blobs[blob] = self.past.blob(blob)
        return self.blobs[blob]

    def _compared(self, row: VersionRow, before: bytes, after: bytes) -> VersionRow:
        added, removed = self.past.counts(before, after)
        row = replace(row, added=added, removed=removed)
        if not self.with_diff:
            return row
        # Secrets are masked before lines get a sign: one of several lines would not be known then.
        found = self.past.diff(commit_texts.plain(before), commit_texts.plain(after))
        text = _lines_within(found, DIFF_MAX)
        unseen = _UNSEEN if before != after and not found else ""
        is_cut = len(text) < len(found) or None
        return replace(row, diff=self.text.text(text) or unseen, diff_cut=is_cut)


def _cut_down(row: VersionRow, room: int) -> VersionRow:
    """The row with as much of its difference as fits into the room."""
    most = DIFF_MAX
    while row.diff and cost(row) > room and most > DIFF_MIN:
        most //= 2
        row = replace(row, diff=_lines_within(row.diff, most), diff_cut=True)
    return row


def _lines_within(text: str, most: int) -> str:
    """The lines of a text that end within so many characters; of a longer line its beginning."""
    if len(text) <= most:
        return text
    end = text.rfind("\n", 0, most) + 1
    return text[: end or most]
