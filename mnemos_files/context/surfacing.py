"""Telling the journal which records were put before a model."""

import logging
from typing import TYPE_CHECKING

from mnemos_files.context.compose import Block
from mnemos_files.context.request import Request
from mnemos_files.model.event import Surfaced

if TYPE_CHECKING:  # not at run time: tools are listed before the store is loaded
    from mnemos_files.store.store import Store

_log = logging.getLogger(__name__)


def log_surfaced(store: "Store", request: Request, block: Block, channel: str) -> None:
    """One event for a block; none when it shows no record. A journal that fails costs nothing."""
    if not block.surfaced:
        return
    event = Surfaced(
        at=store.now(),
        ids=block.surfaced,
        channel=channel,
        project=request.project,
        agent=request.agent,
        session=request.session,
    )
    try:
        store.journal.note([event])
    except Exception:  # noqa: BLE001 - whatever is wrong with the journal, the block is right
        _log.warning("what was shown was not noted", exc_info=True)
