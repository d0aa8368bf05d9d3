"""What the vault said then, and what held then: in get and in search."""

from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from mnemos_files.errors import InvalidQueryError, NotFoundError, UnavailableError
from mnemos_files.operations.reading import get, search
from mnemos_files.operations.records import delete, save
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, git

BEFORE = "2026-12-01T11:00:00Z"
FIRST, SECOND, THIRD = "2026-12-01T13:00:00Z", "2026-12-11T13:00:00Z", "2026-12-21T13:00:00Z"


def saved(store: Store, content: str, **fields: object) -> str:
    fields = {"title": "Port of the proxy", "type": "decision"} | fields
    return save(store, content=content, **fields).id


def found(store: Store, **fields: object) -> list[str]:
    return sorted(hit.id for hit in search(store, query="port of the proxy", **fields).results)


def commit(vault: Path, clock: Clock) -> str:
    """A commit of all that a person wrote, at the time of the clock."""
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "mine", f"--date={clock().isoformat()}")
    return git(vault, "rev-parse", "HEAD").strip()


@pytest.fixture
def dated(monkeypatch: pytest.MonkeyPatch, clock: Clock):
    """Commits that git makes bear the time of the clock."""

    def tick(**step: float) -> None:
        clock.tick(**step)
        monkeypatch.setenv("GIT_COMMITTER_DATE", clock().isoformat())

    tick()
    return tick


def test_a_memory_is_read_as_it_was(store: Store, vault: Path, clock: Clock, dated) -> None:
    port = saved(store, "The proxy listens on 7070.")
    path = get(store, id=port).path
    then = git(vault, "rev-parse", "HEAD").strip()
    dated(days=10)
    (vault / path).write_text((vault / path).read_text("utf-8").replace("7070", "8080"), "utf-8")
    commit(vault, clock)

    old, new = get(store, id=port, as_of=FIRST), get(store, id=port)

    assert (old.content, old.at_commit) == ("The proxy listens on 7070.", then)
    assert (new.content, new.at_commit) == ("The proxy listens on 8080.", None)
    assert old.version == git(vault, "rev-parse", f"{then}:{path}").strip()
    assert old.notices == [f"as of {FIRST}, commit {then[:12]}; now it may differ"]
    assert (old.last_commit, old.access_count) == (None, 0)


def test_a_read_of_the_past_is_no_use_of_the_memory(store: Store) -> None:
    port = saved(store, "The proxy listens on 7070.")
    get(store, id=port, as_of=FIRST)

    assert get(store, id=port).access_count == 1


def test_names_and_links_are_those_of_then(store: Store, vault: Path, clock: Clock, dated) -> None:
    (vault / "plan.md").write_text("the plan\n", encoding="utf-8")
    (vault / "notes.md").write_text("---\nrelated: '[[plan]]'\n---\nSee [[goal]].\n", "utf-8")
    (vault / "goal.md").write_text("---\naliases: [Aim]\n---\nthe goal\n", encoding="utf-8")
    commit(vault, clock)
    dated(days=10)
    (vault / "plan.md").rename(vault / "scheme.md")
    (vault / "notes.md").write_text("nothing\n", encoding="utf-8")
    (vault / "goal.md").write_text("no name but mine\n", encoding="utf-8")
    commit(vault, clock)

    notes = get(store, id="notes", as_of=FIRST)
    plan = get(store, id="plan.md", as_of=FIRST)

    assert [(one.type, one.path) for one in notes.links] == [("related", "plan.md")]
    assert [(one.type, one.id) for one in plan.backlinks] == [("related", "notes.md")]
    assert get(store, id="aim", as_of=FIRST).path == "goal.md"
    assert get(store, id="notes").links == []
    with pytest.raises(NotFoundError):
        get(store, id="scheme", as_of=FIRST)
    with pytest.raises(NotFoundError):
        get(store, id="plan.md")


def test_a_memory_that_was_renamed_is_found_by_its_name_of_now(
    store: Store, vault: Path, clock: Clock, dated
) -> None:
    port = saved(store, "The proxy listens on 7070.")
    path = get(store, id=port).path
    dated(days=10)
    (vault / path).rename(vault / "proxy.md")
    commit(vault, clock)

    assert get(store, id="proxy.md", as_of=FIRST).path == path
    assert get(store, id=port, as_of=SECOND).path == "proxy.md"


def test_a_memory_that_is_gone_is_read_as_it_was(store: Store, dated) -> None:
    port = saved(store, "The proxy listens on 7070.")
    dated(days=10)
    delete(store, id=port)

    assert get(store, id=port, as_of=FIRST).content == "The proxy listens on 7070."
    with pytest.raises(NotFoundError):
        get(store, id=port, as_of=SECOND)


def test_a_memory_that_was_not_there_yet_is_an_error_that_says_so(store: Store) -> None:
    port = saved(store, "The proxy listens on 7070.")

    with pytest.raises(NotFoundError) as caught:
        get(store, id=port, as_of=BEFORE)

    assert BEFORE in caught.value.remedy


def test_what_was_superseded_since_held_then(store: Store, dated) -> None:
    old = saved(store, "The proxy listens on 7070.")
    dated(days=10)
    new = saved(store, "The proxy listens on 8080.", supersedes=[old])

    assert get(store, id=old, as_of=FIRST).live
    assert get(store, id=old, as_of=FIRST).invalidated_by is None
    late = get(store, id=old, as_of=SECOND)
    assert (late.live, late.invalidated_by) == (False, new)
    assert found(store, as_of=FIRST) == [old]
    assert found(store, as_of=SECOND) == [new]


def test_a_person_s_line_that_supersedes_counts_from_its_commit_on(
    store: Store, vault: Path, clock: Clock, dated
) -> None:
    old = saved(store, "The proxy listens on 7070.")
    dated(days=10)
    stem = Path(get(store, id=old).path).stem
    text = f'---\nsupersedes: "[[{stem}]]"\n---\nThe port of the proxy is 8080.\n'
    (vault / "observations/new.md").write_text(text, encoding="utf-8")
    commit(vault, clock)

    assert get(store, id=old, as_of=FIRST).live
    assert not get(store, id=old, as_of=SECOND).live
    assert found(store, as_of=FIRST) == [old]
    assert found(store, as_of=SECOND) == ["observations/new.md"]


def test_what_is_known_and_what_held_are_asked_apart(
    store: Store, vault: Path, clock: Clock, dated
) -> None:
    """In January the port was 7070; it was written down on the 1st, and put right on the 11th."""
    wrong = saved(store, "The port was 9090.", valid_from="2026-01-01")
    dated(days=10)
    file = vault / get(store, id=wrong).path
    line = f"invalidated: {clock():%Y-%m-%dT%H:%M:%SZ}\nsource_kind:"
    file.write_text(file.read_text("utf-8").replace("source_kind:", line), encoding="utf-8")
    commit(vault, clock)
    right = saved(store, "The port was 7070.", valid_from="2026-01-01", valid_until="2026-06-01")

    held = "2026-02-01"
    assert found(store) == []
    assert found(store, valid_at=held) == sorted([right])
    assert found(store, known_at=FIRST, valid_at=held) == [wrong]
    assert found(store, as_of=FIRST) == [wrong]
    assert found(store, valid_at="2025-02-01") == []
    assert get(store, id=right, valid_at=held).live
    assert not get(store, id=right).live
    assert get(store, id=wrong, known_at=FIRST, valid_at=held).live


def test_known_at_alone_judges_the_texts_of_then_by_now(store: Store, dated) -> None:
    port = saved(store, "The proxy listens on 7070.", valid_until="2026-12-05")
    dated(days=10)

    assert found(store, as_of=FIRST) == [port]
    assert found(store, known_at=FIRST) == []
    assert found(store, known_at=FIRST, include_stale=True) == [port]
    assert not get(store, id=port, known_at=FIRST).live
    assert get(store, id=port, as_of=FIRST).live


@pytest.mark.parametrize("other", ["known_at", "valid_at"])
def test_as_of_beside_one_of_its_parts_is_an_error(store: Store, other: str) -> None:
    port = saved(store, "The proxy listens on 7070.")

    times = {"as_of": FIRST, other: FIRST}
    for ask in (partial(search, store, query="x"), partial(get, store, id=port)):
        with pytest.raises(InvalidQueryError, match="as_of: is known_at and valid_at at once"):
            ask(**times)


def test_without_a_history_there_is_no_past(tmp_path: Path, open_vault: OpenStore) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    (root / "a.md").write_text("a\n", encoding="utf-8")
    store = open_vault(root)

    with pytest.raises(UnavailableError, match="no git history"):
        get(store, id="a", as_of=FIRST)


def test_long_texts_of_the_past_come_in_pages(
    store: Store, vault: Path, clock: Clock, dated
) -> None:
    text = "".join(f"line {number}\n" for number in range(8_000))
    (vault / "long.md").write_text(text, encoding="utf-8")
    commit(vault, clock)
    dated(days=10)
    (vault / "long.md").write_text("short\n", encoding="utf-8")

    first = get(store, id="long", as_of=FIRST)
    assert first.next_offset is not None
    second = get(store, id="long", as_of=FIRST, offset=first.next_offset)

    assert text.startswith(first.content + second.content)
    assert NOON + timedelta(days=10) == clock()
