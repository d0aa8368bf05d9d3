"""A memory to forget, and where it still is."""

from dataclasses import replace

from mnemos_files.store.purging import Wanted, purging
from mnemos_files.store.store import Store
from tests.conftest import an_observation, git
from tests.store.test_guard import everything

WORD = "xylophonist"


def remembered(store: Store) -> str:
    """A memory in three versions, which another one supersedes and a note of a person links."""
    kept = store.put(an_observation(store, title="Kept", content="All is well."))
    old = an_observation(store, title=f"The {WORD} plays", content=f"A {WORD} at noon.")
    path = store.put(old).path
    store.update(old.id, lambda note: replace(note.record, importance=9), op="edit")
    (store.place.vault.root / "mine.md").write_text(
        f"See [[{path.stem}|The {WORD} plays]] and [[{kept.path.stem}]].\n", encoding="utf-8"
    )
    git(store.place.vault.root, "add", "-A")
    git(store.place.vault.root, "commit", "-qm", "mine")
    store.put(an_observation(store, title="Silence"), supersedes=[old.id])
    return old.id


def purge(store: Store, *names: str, texts: tuple[str, ...] = (), is_regex: bool = False) -> None:
    with purging(store, Wanted(names, texts, is_regex)) as prepared:
        prepared.carry_out()


def holders(store: Store, word: str) -> list[bytes]:
    places = [store.place.vault.root]
    if store.place.derived is not None:
        places.append(store.place.derived)
    return [data for data in everything(*places) if word.encode() in data]
