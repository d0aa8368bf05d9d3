"""What this memory can do at this moment, as a document for other programs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemos_files import __version__
from mnemos_files.operations.table import OPERATIONS

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

SPEC = "mcp-memory-spec/draft-0"
IMPLEMENTATION = "mnemos-files"


@dataclass(frozen=True)
class CapabilitiesResult:
    """The document; keys that begin with `x_` are our own, as the specification asks.

    `tiers` follow from the flags. `hybrid_retrieval` is true while the embedding model works,
    `bitemporal` while the git history answers for earlier times. `portable_export` is true because
    every field of every memory stands in its file: a copy of the folder is the export, and opening
    it elsewhere the import.
    """

    spec: str
    implementation: str
    tiers: list[str]
    bitemporal: bool
    provenance: bool
    trust_tiers: bool
    typed_links: bool
    deterministic_dedup: bool
    hybrid_retrieval: bool
    portable_export: bool
    federation: bool
    x_version: str
    x_retrieval_mode: str
    x_history: str
    x_embedding_model: str


def capabilities(store: "Store") -> CapabilitiesResult:
    """Flags and tiers, each derived from what works now; the model is loaded to find out."""
    is_hybrid = store.index.can_embed()
    tools = {row.name for row in OPERATIONS}
    provenance = tools >= {"save", "get"}
    trust_tiers = "promote" in tools
    return CapabilitiesResult(
        spec=SPEC,
        implementation=IMPLEMENTATION,
        tiers=_tiers(with_provenance=provenance and trust_tiers, with_embeddings=is_hybrid),
        bitemporal=_answers_for_earlier_times(store),
        provenance=provenance,
        trust_tiers=trust_tiers,
        typed_links="link" in tools,
        deterministic_dedup=True,
        hybrid_retrieval=is_hybrid,
        portable_export=True,
        federation=False,
        x_version=__version__,
        x_retrieval_mode="hybrid" if is_hybrid else "fts",
        x_history="off" if store.history is None else "on",
        x_embedding_model=store.index.model,
    )


def _answers_for_earlier_times(store: "Store") -> bool:
    """An empty folder answers too: its history begins with the first note."""
    return store.history is not None or not store.index.entries


def _tiers(*, with_provenance: bool, with_embeddings: bool) -> list[str]:
    named = {"memory-core": True, "provenance": with_provenance, "embeddings": with_embeddings}
    return [tier for tier, is_backed in named.items() if is_backed]
