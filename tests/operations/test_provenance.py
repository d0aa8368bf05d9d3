"""Where a memory came from, in one call."""

from pathlib import Path

import pytest

from mnemos_files.errors import NotFoundError, UnavailableError
from mnemos_files.operations.provenance import provenance
from mnemos_files.operations.records import delete, link
from mnemos_files.operations.relations import DEPTH_MAX, ROWS_MAX, Relations
from mnemos_files.operations.sessions import session_start
from mnemos_files.operations.size import ANSWER_MAX, cost
from mnemos_files.operations.trust import promote
from mnemos_files.store.store import Store
from tests.conftest import NOON, Clock, OpenStore, an_observation, git

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def a_memory(store: Store, title: str, **fields: object) -> str:
    given = {"title": title, "content": f"About {title}."} | fields
    return store.put(an_observation(store, **given)).record.id


def commit_all(vault: Path, message: str) -> None:
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", message)


def test_sources_are_followed_to_the_first_one(store: Store) -> None:
    first = a_memory(store, "First", source_kind="tool", trust_tier="raw")
    second = a_memory(store, "Second", derived_from=(first,))
    other = a_memory(store, "Other")
    third = a_memory(store, "Third", derived_from=(second, other))

    found = provenance(store, id=third)

    assert [(row.title, row.depth, row.derived_from) for row in found.sources] == [
        ("Second", 1, [first]),
        ("Other", 1, []),
        ("First", 2, []),
    ]
    assert [(row.trust_tier, row.source_kind) for row in found.sources][-1] == ("raw", "tool")
    assert [(row.title, row.depth) for row in provenance(store, id=first).derived] == [
        ("Second", 1),
        ("Third", 2),
    ]


def test_a_circle_of_sources_comes_to_an_end(store: Store, vault: Path) -> None:
    one = a_memory(store, "One")
    two = a_memory(store, "Two", derived_from=(one,))
    path = next(vault.glob("observations/global/*one*"))
    path.write_text(path.read_text().replace("\n---\n", f'\nderived_from: "[[{two}]]"\n---\n', 1))
    commit_all(vault, "circle")

    found = provenance(store, id=one)

    assert [row.title for row in found.sources] == ["Two"]
    assert [row.title for row in found.derived] == ["Two"]
    assert found.sources[0].derived_from == [one]


def test_a_long_chain_is_followed_to_a_bound(store: Store) -> None:
    chain = [a_memory(store, "Link 0")]
    for number in range(1, DEPTH_MAX + 5):
        chain.append(a_memory(store, f"Link {number}", derived_from=(chain[-1],)))

    opened = store.get(chain[-1])
    sources = Relations(store, str(opened.note.path)).sources(opened.note.record)
    derived = Relations(store, str(store.get(chain[0]).note.path)).derived()

    assert [row.depth for row in sources] == list(range(1, DEPTH_MAX + 1))
    assert [row.depth for row in derived] == list(range(1, DEPTH_MAX + 1))


def test_deleted_and_unknown_sources_are_told_as_such(store: Store) -> None:
    grand = a_memory(store, "Grandparent")
    parent = a_memory(store, "Parent", derived_from=(grand,))
    child = a_memory(store, "Child", derived_from=(parent, "never-there"))
    delete(store, id=parent)

    found = provenance(store, id=child)

    assert [(row.title or row.id, row.state, row.depth) for row in found.sources] == [
        ("Parent", "deleted", 1),
        ("never-there", "missing", 1),
        ("Grandparent", None, 2),
    ]


def test_links_are_told_both_ways(store: Store, vault: Path) -> None:
    one, two = a_memory(store, "One"), a_memory(store, "Two")
    three = a_memory(store, "Three", content=f"As [[{one}]] says, see [[Nowhere]].")
    link(store, source_id=one, target_id=two, link_type="refines")
    (vault / "plan.md").write_text(f"- [[{one}]]\n")

    found = provenance(store, id=one)

    assert [(row.type, row.title) for row in found.links] == [("refines", "Two")]
    assert sorted((row.type, row.title) for row in found.backlinks) == [
        ("mentions", "Three"),
        ("mentions", "plan"),
    ]
    assert [(row.type, row.title) for row in provenance(store, id=two).backlinks] == [
        ("refines", "One")
    ]
    assert [(row.type, row.link, row.id) for row in provenance(store, id=three).links] == [
        ("mentions", one, one),
        ("mentions", "Nowhere", None),
    ]


def test_an_end_and_a_session_are_links_of_their_own_kind(store: Store) -> None:
    session = session_start(store, goal="Fix the login", agent_id="claude-code").session_id
    old = a_memory(store, "Old", session=session)
    new = store.put(an_observation(store, title="New"), supersedes=[old]).record.id

    assert [(row.type, row.title) for row in provenance(store, id=old).links] == [
        ("invalidated_by", "New")
    ]
    assert [(row.type, row.title) for row in provenance(store, id=new).backlinks] == [
        ("invalidated_by", "Old")
    ]
    assert [(row.type, row.title) for row in provenance(store, id=session).backlinks] == [
        ("session", "Old")
    ]


def test_commits_promotions_session_and_source_are_told(
    store: Store, vault: Path, clock: Clock
) -> None:
    session = session_start(store, goal="Fix the login", agent_id="claude-code").session_id
    saved = store.put(
        an_observation(
            store,
            session=session,
            source_kind="tool",
            trust_tier="raw",
            sections=(("rationale", "The log says so."),),
            properties=(("source", "login.log"), ("offset", "120")),
        )
    )
    clock.tick(days=1)
    promote(
        store.acting_for("codex"),
        id=saved.record.id,
        to_tier="curated",
        why_better="Checked on three hosts.",
    )

    found = provenance(store, id=saved.record.id)

    assert (found.source_kind, found.trust_tier, found.agent_id) == (
        "tool", "curated", "claude-code",
    )  # fmt: skip
    assert (found.source, found.source_offset) == ("login.log", "120")
    assert found.session_title == "Fix the login"
    assert found.made is not None
    assert (found.made.what, found.made.author, found.made.by, found.made.when) == (
        "added", "claude-code", "agent", NOON,
    )  # fmt: skip
    assert found.made.why == "The log says so."
    assert [(row.subject.partition(":")[0], row.why) for row in found.changes] == [
        ("promote(decision)", "Checked on three hosts.")
    ]
    assert [(row.from_tier, row.to_tier, row.why) for row in found.tiers] == [
        ("raw", "curated", "Checked on three hosts.")
    ]
    assert found.promoted_reason == "Checked on three hosts."
    assert found.commits == 2


def test_a_promotion_by_hand_is_told_with_the_reason_of_its_commit(
    store: Store, vault: Path
) -> None:
    saved = store.put(an_observation(store, source_kind="tool", trust_tier="raw"))
    file = vault / saved.path
    file.write_text(file.read_text().replace("trust_tier: raw", "trust_tier: curated"))
    commit_all(vault, "I checked it\n\nBen saw it too.")

    tiers = provenance(store, id=saved.record.id).tiers

    assert [(row.author, row.by, row.why) for row in tiers] == [
        ("Ines Example", "person", "Ben saw it too.")
    ]


def test_blame_tells_who_wrote_which_lines(store: Store, vault: Path) -> None:
    saved = store.put(an_observation(store))
    file = vault / saved.path
    count = len(file.read_text().splitlines())
    file.write_text(file.read_text() + "Ines knows more.\nMuch more.\n")
    commit_all(vault, "more")
    file.write_text(file.read_text() + "Not committed.\n")

    rows = provenance(store, id=saved.record.id, blame=True).blame

    assert [(row.first, row.last, row.author, row.by) for row in rows] == [
        (1, count, "claude-code", "agent"),
        (count + 1, count + 2, "Ines Example", "person"),
        (count + 3, count + 3, None, "person"),
    ]
    assert rows[1].text == "Ines knows more.\nMuch more."
    assert rows[1].commit == git(vault, "rev-parse", "HEAD").strip()
    assert provenance(store, id=saved.record.id).blame == []


def test_blame_comes_in_pages(store: Store, vault: Path) -> None:
    lines: list[str] = []
    for number in range(120):
        lines.insert(0, f'line {number} "quoted" {"x" * 100}\n')
        (vault / "a.md").write_text("".join(lines))
        commit_all(vault, f"line {number}")

    seen, offset = [], 0
    while True:
        found = provenance(store, id="a.md", blame=True, offset=offset)
        assert cost(found) <= ANSWER_MAX + 200
        seen += [row.first for row in found.blame]
        if found.next_offset is None:
            break
        offset = found.next_offset

    assert seen == list(range(1, 121))
    assert "changes are the newest ones; mnemos_history gives all" in found.notices


def test_secrets_are_masked_in_lines(store: Store, vault: Path) -> None:
    (vault / "a.md").write_text(f"before\ntoken {TOKEN}\nafter\n")
    commit_all(vault, f"oops {TOKEN}")

    found = provenance(store, id="a.md", blame=True)

    assert TOKEN not in str(found)
    assert found.blame[0].text.startswith("before\ntoken [secret: ")


def test_many_relations_are_cut_and_counted(store: Store, vault: Path) -> None:
    one = a_memory(store, "One")
    for number in range(ROWS_MAX - 10):
        (vault / f"note-{number:03}.md").write_text(f"[[{one}]] {number}\n")

    found = provenance(store, id=one)

    assert cost(found) <= ANSWER_MAX
    assert 0 < len(found.backlinks) < ROWS_MAX - 10
    assert any(
        text.startswith(f"backlinks: the first {len(found.backlinks)} of {ROWS_MAX - 10}")
        for text in found.notices
    )


def test_a_deleted_memory_keeps_its_provenance(store: Store) -> None:
    parent = a_memory(store, "Parent")
    child = a_memory(store, "Child", derived_from=(parent,))
    delete(store, id=child)

    found = provenance(store, id=child, blame=True)

    assert found.deleted
    assert [row.title for row in found.sources] == ["Parent"]
    assert [row.what for row in found.changes] == ["deleted"]
    assert len(found.blame) == 1


def test_what_was_never_there_is_not_found(store: Store) -> None:
    with pytest.raises(NotFoundError):
        provenance(store, id="01KBC3W6H5M0V2T8N4Q9F7K3QX")


def test_without_a_history_there_is_a_clear_error(tmp_path: Path, open_vault: OpenStore) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    (root / "a.md").write_text("one\n")

    with pytest.raises(UnavailableError, match="no git history"):
        provenance(open_vault(root), id="a.md")
