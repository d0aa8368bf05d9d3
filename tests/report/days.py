"""Days with sessions, for reports over them."""

from mnemos_files.model.event import Surfaced
from mnemos_files.model.record import Record
from mnemos_files.model.session import Ending
from mnemos_files.store.store import Store
from tests.conftest import Clock, an_observation


def save(store: Store, **fields: object) -> Record:
    given = {"project": "api"} | fields
    return store.put(an_observation(store, **given)).record


def ended_session(
    store: Store, clock: Clock, status: str, *shown: tuple[str, tuple[str, ...]]
) -> str:
    """A session of an hour that ends with this status; `shown` are channels and ids."""
    session = store.sessions.start(f"To be {status}", "api", "codex").session.id
    for channel, ids in shown:
        clock.tick(minutes=1)
        store.journal.append([Surfaced(store.now(), ids, channel, "api", "codex", session)])
    clock.tick(hours=1)
    store.sessions.end(session, Ending(summary="over", status=status))
    return session
