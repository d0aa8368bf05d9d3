"""Resources: documents about the vault, and every memory under its own URI."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_types import Annotations, ReadResourceResult, Resource, ResourceTemplate
from mcp_types import TextResourceContents as Contents

from mnemos_files.errors import MnemosError
from mnemos_files.operations.capabilities import capabilities
from mnemos_files.operations.documents import current_session, memory, skills_index
from mnemos_files.operations.schema import to_json
from mnemos_files.operations.state import stats
from mnemos_files.server.errors import no_resource
from mnemos_files.server.news import PAUSE_SECONDS, Sight
from mnemos_files.server.uris import MEMORY_TEMPLATE, SCHEME, is_memory, memory_name

if TYPE_CHECKING:  # not at run time: lists are answered before the store is loaded
    from mnemos_files.store.store import Store

JSON_TYPE = "application/json"
MARKDOWN_TYPE = "text/markdown"
LOOK_SECONDS = 2.0
"""Between two looks at what has no events: the journal and the model's files."""

LISTING_SECONDS = 10.0
"""Between two looks where the system tells of no changes, so that files are compared."""


@dataclass(frozen=True, slots=True)
class Document:
    """A resource with a name of its own.

    `is_slow` is true when it is made anew only after a note or the journal changed; `passing` are
    the keys whose change is no news.
    """

    name: str
    title: str
    description: str
    read: "Callable[[Store], object]"
    is_slow: bool = False
    passing: frozenset[str] = frozenset()

    @property
    def uri(self) -> str:
        """Its URI."""
        return f"{SCHEME}{self.name}"


@dataclass(frozen=True, slots=True)
class _Counted:
    """The version of the counts for a state of the index and of the journal."""

    state: object
    tally: object
    version: str


DOCUMENTS: Mapping[str, Document] = {
    document.uri: document
    for document in (
        Document(
            "session/current",
            "Open session",
            "The newest session that is still open, of any agent and project: goal, start and "
            'what is known of its end; {"session": null} when none is open.',
            current_session,
        ),
        Document(
            "skills/index",
            "Skills",
            "Every saved skill, newest first: id, name, description, tags, version, how often it "
            "was used and how well it worked.",
            skills_index,
        ),
        Document(
            "stats",
            "State of the vault",
            "Counts, top tags, recent sessions, and whether files, index and history are in order.",
            stats,
            is_slow=True,
            passing=frozenset({"index", "notices", "history"}),
        ),
        Document(
            "capabilities",
            "Capabilities",
            "What this memory can do at this moment: tiers and flags of the memory specification.",
            capabilities,
        ),
    )
}

TEMPLATE = ResourceTemplate(
    name="memory",
    title="One memory",
    uri_template=MEMORY_TEMPLATE,
    mime_type=MARKDOWN_TYPE,
    description="A memory by its id or vault path, percent-encoded: its text in a frame that marks "
    "it as recalled data, with path, trust tier, source, last author and commit. Of a long one the "
    "first 16,000 characters; mnemos_get reads the rest.",
)


def listing() -> list[Resource]:
    """The documents, in the order of the table."""
    return [
        Resource(
            uri=document.uri,
            name=document.name,
            title=document.title,
            description=document.description,
            mime_type=JSON_TYPE,
            annotations=Annotations(audience=["assistant"]),
        )
        for document in DOCUMENTS.values()
    ]


class Shelf:
    """Reads resources from the store. Blocks; safe between threads."""

    def __init__(self, store: "Callable[[], Store]") -> None:
        self._open = store
        self._listener: Callable[[], None] | None = None
        self._counted = _Counted(None, None, "")

    def on_news(self, listener: Callable[[], None]) -> None:
        """Call this when files may have changed, once the vault was looked at."""
        self._listener = listener

    def read(self, uri: str, version: str) -> ReadResourceResult:
        """The resource of this URI, for a client of this version of the protocol.

        Raises:
            MCPError: there is no such resource.
            MnemosError: it cannot be read.
        """
        document = DOCUMENTS.get(uri)
        if document is not None:
            text = written(document.read(self._open()))
            return _result(uri, JSON_TYPE, text)
        if not is_memory(uri):
            raise no_resource(uri, version)
        return _result(uri, MARKDOWN_TYPE, memory(self._open(), memory_name(uri)))

    def look(self, uris: Collection[str]) -> Sight:
        """The state of these resources now, for comparing.

        Raises:
            MnemosError: the vault cannot be read at the moment.
        """
        store = self._open()
        watcher = store.place.watcher
        if watcher is not None:
            watcher.on_news(self._listener)
        is_whole = not store.refresh()
        told = [uri for uri in uris if is_whole or uri not in DOCUMENTS]
        versions = {uri: self._version(store, uri) for uri in told}
        if not is_whole:
            # Not all notes are in the index yet, and one that gets there is not new.
            return Sight(versions, frozenset(store.place.vault.listing().notes), PAUSE_SECONDS)
        is_watched = watcher is not None and not watcher.problem
        wait_seconds = _wait(uris) if is_watched else LISTING_SECONDS
        return Sight(versions, frozenset(store.index.entries), wait_seconds)

    def _version(self, store: "Store", uri: str) -> str:
        """A text that differs when the resource does, "" for what is not there."""
        document = DOCUMENTS.get(uri)
        if document is None:
            return _note_version(store, memory_name(uri))
        if not document.is_slow:
            return _written_version(store, document)
        state, tally = store.index.state, store.journal.tally()
        known = self._counted
        if known.state is not state or known.tally is not tally:
            # Counting 10,000 notes takes 0.2 s.
            known = _Counted(state, tally, _written_version(store, document))
            self._counted = known
        return known.version


def knows(uri: str) -> bool:
    """True for a URI that can be subscribed to: a document's, or a well-formed memory's."""
    try:
        return uri in DOCUMENTS or (is_memory(uri) and bool(memory_name(uri)))
    except MnemosError:
        return False


def _wait(uris: Collection[str]) -> float | None:
    """Longest time [s] between two looks where the system tells of changes; None = for ever."""
    return LOOK_SECONDS if any(uri in DOCUMENTS for uri in uris) else None


def written(value: object) -> str:
    """A document as JSON text."""
    return json.dumps(to_json(value), ensure_ascii=False, indent=2, allow_nan=False)


def _written_version(store: "Store", document: Document) -> str:
    value = to_json(document.read(store))
    if isinstance(value, dict):
        value = {key: part for key, part in value.items() if key not in document.passing}
    return json.dumps(value, ensure_ascii=False)


def _note_version(store: "Store", name: str) -> str:
    """Path and bytes of a note, from the index or else, while it is not read yet, from the file."""
    paths = store.index.by_id(name) or store.resolve(name)
    entry = store.index.entry(paths[0]) if len(paths) == 1 else None
    if entry is not None:
        return f"{entry.path} {entry.blob}"
    try:
        opened = store.get(name)
    except MnemosError:
        return ""
    return f"{opened.note.path} {opened.version}"


def _result(uri: str, mime_type: str, text: str) -> ReadResourceResult:
    return ReadResourceResult(contents=[Contents(uri=uri, mime_type=mime_type, text=text)])
